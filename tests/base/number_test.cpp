#include "base/number.hpp"
#include "test.hpp"

TEST_CASE("number: the whole text is one") {
    CHECK(base::parse_number<int>("0") == 0);
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
