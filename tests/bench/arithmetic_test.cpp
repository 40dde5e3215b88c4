// The arithmetic that figures of the documents rest on.
#include "bench/match.hpp"
#include "bench/strategies/recorded_trees.hpp"
#include "bench/strategies/statistics.hpp"
#include "bench/strategies/verdict.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>
#include <sstream>
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
    using adjourn::chess::Move, adjourn::chess::Square;
    const Move worse = Move::normal(Square{12}, Square{28}),
               good = Move::normal(Square{11}, Square{27});
    const JudgedRoot root{{{worse, {}}, {good, {}}}, {{worse, {10, 10}}, {good, {40, 40}}}};
    std::ostringstream out; // its choice is worth 30 cp more
    print_verdict({"one search", "halving"}, {root}, {}, out);
    CHECK(out.str().find("1 / 0 / 0") != std::string::npos);
}

TEST_CASE("McNemar: exact, of pairs that differ") {
    CHECK(mcnemar(0, 0) == Approx(1));
    CHECK(mcnemar(5, 5) == Approx(1));
    CHECK(mcnemar(0, 5) == Approx(2.0 / 32));
    CHECK(mcnemar(13, 5) == Approx(0.0963).margin(0.0001));
    CHECK(mcnemar(5, 13) == mcnemar(13, 5));
    CHECK(mcnemar(400, 600) < 1e-9); // no factorial overflows
}

TEST_CASE("searches: Elo and intervals") {
    CHECK(elo_of(0.5) == Approx(0).margin(1e-9));
    CHECK(elo_of(0.75) == Approx(190.8).margin(0.1));
    CHECK(std::isinf(elo_of(1)));
    MatchScore score;
    CHECK(score.error() == 0.5);
    score.pairs = {0, 1, 2, 1, 0}; // scores of ¼, ½, ½, ¾: a variance of 1/24
    score.draws = 8;
    CHECK(score.score() == 0.5);
    CHECK(score.error() == Approx(1.96 * std::sqrt(1.0 / 24 / 4)).epsilon(1e-6));
}

// 250,000 nodes a root in 20 evaluations by `halving`, Stockfish 15.1; judged by 2 x 1,000,000
// nodes a move. The roots are of the test set: no parameter was chosen by them.
TEST_CASE("estimates: of 90 % intervals 85 to 95 % hold the reference on test roots") {
    std::ifstream file{"tests/data/estimates.txt"};
    const auto trees = read_recorded_trees(file);
    CHECK(trees.size() == 40);
    Coverage all;
    for (const RecordedTree& tree : trees) {
        CHECK_FALSE(in_tune_set(tree.root));
        const Coverage one = coverage_of(estimates_of(tree), tree.judged, 50);
        all.moves += one.moves;
        all.held += one.held;
        all.half_widths += one.half_widths;
    }
    REQUIRE(all.moves >= 300);
    const double share = static_cast<double>(all.held) / static_cast<double>(all.moves);
    CAPTURE(all.moves, all.held, all.half_widths / static_cast<double>(all.moves));
    CHECK(share >= 0.85);
    CHECK(share <= 0.95);
}
