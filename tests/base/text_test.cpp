#include "base/number.hpp"
#include "base/standard_streams.hpp"
#include "base/text.hpp"
#include "test.hpp"

using adjourn::base::readable;
using adjourn::base::readable_line;
using adjourn::base::Words;

TEST_CASE("readable: control characters and marks of direction are escaped, text stays") {
    CHECK(readable("Müller – 1½ ♔ 家\n") == "Müller – 1½ ♔ 家\n");
    CHECK(readable("\x1b[31m") == "\\u001b[31m");
    CHECK(readable(std::string_view{"a\0b\tc\rd", 7}) == "a\\u0000b\\u0009c\\u000dd");
    CHECK(readable("\x7f\xc2\x9b\xc2\xa0") == "\\u007f\\u009b\xc2\xa0");
    CHECK(readable("\u202a\u202e\u2066\u2069\u2065") == "\\u202a\\u202e\\u2066\\u2069\u2065");
    CHECK(readable_line("a\nb") == "a\\u000ab");
}

TEST_CASE("readable: bytes that are no UTF-8 are told as bytes") {
    CHECK(readable("J\xf6rg") == "J\\xf6rg");
    CHECK(readable("\x9b\xff") == "\\x9b\\xff");
    CHECK(readable("\xe2\x80") == "\\xe2\\x80");
    CHECK(readable("\xed\xa0\x80") == "\\xed\\xa0\\x80"); // a surrogate
}

TEST_CASE("readable streams: all that is printed is readable, however it is cut") {
    std::ostringstream printed;
    std::streambuf* const before = std::cout.rdbuf(printed.rdbuf());
    {
        const adjourn::base::ReadableStreams streams;
        std::cout << "a\x1b" << '\xe2' << '\x80' << std::flush << '\xae' << "\xc3" << std::flush
                  << "\xbc\xe2"
                  << "b" << std::endl;
        adjourn::base::write_data("\x1b\xff");
        std::cout << "\xe2\x80";
    }
    CHECK(std::cout.rdbuf() == printed.rdbuf());
    std::cout.rdbuf(before);
    CHECK(printed.str() == "a\\u001b\\u202eü\\xe2b\n\x1b\xff\\xe2\\x80");
}

TEST_CASE("readable: secrets that are kept are struck out wherever they stand") {
    using adjourn::base::keep_secret;
    using adjourn::base::without_secrets;
    keep_secret("lip_0123456789");
    keep_secret("lip_0123456789abcdef"); // holds the other
    keep_secret("short");
    CHECK(readable("bad token Bearer lip_0123456789abcdef, or lip_0123456789") ==
          "bad token Bearer …, or …");
    CHECK(readable_line("lip_0123456789lip_0123456789\n") == "……\\u000a");
    CHECK(readable("short") == "short");
    CHECK(without_secrets("lip_0123456789abcdef").substr(0, 200) == "…");
}

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
}

TEST_CASE("number: the whole text is one") {
    CHECK(base::parse_number<int>("-17") == -17);
    CHECK(base::parse_number<int>("007") == 7);
    CHECK(base::parse_number<double>("-0.25") == -0.25);
    CHECK(base::parse_number<double>("1e3") == 1000.0);
    for (const std::string text : {"", "+5", " 5", "5 ", "5x", "x5", "--5", "-", "0x10", "1.5"}) {
        INFO("'" << text << "'");
        CHECK_FALSE(base::parse_number<int>(text));
    }
    for (const std::string text :
         {"", "+0.5", " 0.5", "0.5 ", "0.5.", "1,5", "-", "inf", "-inf", "nan"}) {
        INFO("'" << text << "'");
        CHECK_FALSE(base::parse_number<double>(text));
    }
    CHECK_FALSE(base::parse_number<int>({}));
    CHECK_FALSE(base::parse_number<double>({}));
    // What stands behind the text is not looked at.
    CHECK(base::parse_number<int>(std::string_view{"12345"}.substr(1, 2)) == 23);
}

TEST_CASE("number: it fits") {
    CHECK(base::parse_number<std::int64_t>("-9223372036854775808") ==
          std::numeric_limits<std::int64_t>::min());
    CHECK_FALSE(base::parse_number<std::int64_t>("9223372036854775808"));
    CHECK(base::parse_number<std::uint64_t>("18446744073709551615") ==
          std::numeric_limits<std::uint64_t>::max());
    CHECK_FALSE(base::parse_number<std::uint64_t>("18446744073709551616"));
    CHECK_FALSE(base::parse_number<std::uint64_t>("-1"));
    CHECK_FALSE(base::parse_number<int>("2147483648"));
    CHECK_FALSE(base::parse_number<double>("1e999"));
}

TEST_CASE("number: behind a plus sign") {
    CHECK(base::parse_number_after_plus<int>("+5") == 5);
    CHECK(base::parse_number_after_plus<int>("5") == 5);
    CHECK(base::parse_number_after_plus<int>("-5") == -5);
    CHECK(base::parse_number_after_plus<double>("+0.25") == 0.25);
    for (const std::string text : {"", "+", "++5", "5+", "+ 5", "+-5"}) {
        INFO("'" << text << "'");
        CHECK_FALSE(base::parse_number_after_plus<int>(text));
    }
}
