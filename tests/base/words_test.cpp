#include "base/text.hpp"
#include "test.hpp"

#include <array>

using adjourn::base::Words;

TEST_CASE("text: what is shortened has at most so many bytes, whole characters") {
    using adjourn::base::shortened;
    CHECK(shortened("abcdef", 6) == "abcdef");
    CHECK(shortened("abcdefg", 6) == "abc…");
    CHECK(shortened("abéfgh", 6) == "ab…");
    CHECK(shortened("abcdefg", 3) == "…");
}

TEST_CASE("text: secrets are 32 digits, and no two are the same") {
    using adjourn::base::random_secret;
    CHECK(random_secret().size() == 32);
    CHECK(random_secret() != random_secret());
    CHECK(adjourn::base::hex(std::array<unsigned char, 2>{0, 0xfa}) == "00fa");
}

TEST_CASE("words: taken one by one, whatever blanks stand between") {
    Words words{" \tgo  depth\r\n12\v"};
    CHECK(words.peek() == "go");
    CHECK(words.next() == "go");
    CHECK(words.rest() == "depth\r\n12");
    CHECK(words.next() == "depth");
    CHECK(words.next() == "12");
    CHECK(words.peek().empty());
    CHECK(words.next().empty());
    CHECK(words.rest().empty());
    CHECK(Words{""}.next().empty());
    CHECK(Words{" \n"}.rest().empty());
}
