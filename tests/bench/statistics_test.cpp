#include "bench/strategies/statistics.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace adjourn::bench;

TEST_CASE("bootstrap: the interval of a mean agrees with the normal one where that is right") {
    std::vector<double> values; // 0 … 99, each four times: mean 49.5, standard error 28.9 / 20
    for (int i = 0; i < 400; ++i) {
        values.push_back(i % 100);
    }
    const Interval interval = bootstrap_mean(values, {10'000, 5, 0.95});
    CHECK(interval.value == Approx(49.5));
    const double half = 1.96 * std::sqrt((100.0 * 100.0 - 1) / 12) / 20;
    CHECK(interval.low == Approx(49.5 - half).margin(0.15));
    CHECK(interval.high == Approx(49.5 + half).margin(0.15));
    const Interval narrow = bootstrap_mean(values, {10'000, 5, 0.5});
    CHECK(narrow.low > interval.low);
    CHECK(narrow.high < interval.high);
}

TEST_CASE("bootstrap: a function of the seed") {
    const std::vector<double> values{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5};
    const Interval a = bootstrap_mean(values, {500, 1, 0.95});
    const Interval b = bootstrap_mean(values, {500, 1, 0.95});
    const Interval c = bootstrap_mean(values, {500, 2, 0.95});
    CHECK(a.low == b.low);
    CHECK(a.high == b.high);
    CHECK((a.low != c.low || a.high != c.high));
    CHECK(a.value == c.value);
}

TEST_CASE("bootstrap: pairs stay together") {
    // Items differ wildly, but the one is always twice the other.
    const std::vector<double> one{1, 1'000, 3, 70'000, 5};
    const Interval ratio = bootstrap(one.size(), [&](std::span<const std::size_t> items) {
        double a = 0;
        double b = 0;
        for (const std::size_t item : items) {
            a += one[item];
            b += 2 * one[item];
        }
        return a / b;
    });
    CHECK(ratio.low == Approx(0.5));
    CHECK(ratio.high == Approx(0.5));
}

TEST_CASE("bootstrap: what never happens in some resamples is infinitely large") {
    const std::vector<double> values{1, std::numeric_limits<double>::quiet_NaN()};
    const Interval interval = bootstrap_mean(values, {500, 1, 0.95});
    CHECK(std::isinf(interval.value));
    CHECK(interval.low == 1); // resamples of the first alone
    CHECK(std::isinf(interval.high));
}
