#include "base/standard_streams.hpp"
#include "base/text.hpp"
#include "test.hpp"

using adjourn::base::readable;
using adjourn::base::readable_line;

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
