// Weights of interest, tuned by games.
#include "searches/configuration.hpp"
#include "searches/tune.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace adjourn;
using namespace adjourn::bench;

namespace {

double squares_from(const std::vector<int>& numbers, const std::vector<double>& best) {
    double sum = 0;
    for (std::size_t i = 0; i < best.size(); ++i) {
        sum += (numbers[i] - best[i]) * (numbers[i] - best[i]);
    }
    return sum;
}

} // namespace

TEST_CASE("tune: what wins more often is found through noise, within its limits") {
    const std::vector<Tuned> begin{{"a", 100, 10, 0, 1000}, {"b", 50, 5, 0, 60}, {"c", 2, 1, 0, 9}};
    const std::vector<double> best{160, 90, 2}; // b cannot go so far
    std::mt19937_64 noise{7};
    bool within = true;
    const auto compare = [&](const std::vector<int>& up, const std::vector<int>& down,
                             std::uint64_t) {
        within = within && std::max(up[1], down[1]) <= 60 && std::min(up[2], down[2]) >= 0;
        const double better = squares_from(down, best) - squares_from(up, best);
        const double won = 1 / (1 + std::exp(-better / 800));
        return static_cast<double>(noise() >> 11) * 0x1p-53 < won ? 2.0 : -2.0;
    };
    const std::vector<Tuned> end = tune(begin, 4'000, 3, compare);
    CHECK(within);
    CHECK(end[0].value == Approx(160).margin(15));
    CHECK(end[1].value == Approx(60).margin(4));
    CHECK(end[2].value == Approx(2).margin(2.5)); // says nothing, so it stays about where it was
}

TEST_CASE("tune: draws change nothing") {
    const auto begin = tuned_numbers({});
    const auto end =
        tune(begin, 100, 1, [](const auto&, const auto&, std::uint64_t) { return 0.0; });
    CHECK(words_of(end) == words_of(begin));
}

TEST_CASE("tune: its words are a configuration, with every weight of interest") {
    search::InterestOptions changed;
    changed.weights.set(search::InterestTerm::tie, -33);
    changed.step = 17;
    const auto read = parse_configuration("interest," + words_of(tuned_numbers(changed)));
    REQUIRE(read);
    CHECK(read->interest.step == 17);
    CHECK(tuned_numbers(changed).size() == search::interest_terms + 2);
    for (std::size_t i = 0; i < search::interest_terms; ++i) {
        const auto term = static_cast<search::InterestTerm>(i);
        CHECK(read->interest.weights[term] == changed.weights[term]);
    }
    for (const Tuned& number : tuned_numbers(changed)) {
        CAPTURE(number.name);
        CHECK(number.least <= number.value);
        CHECK(number.value <= number.most);
    }
}

TEST_CASE("tune: the same games are played again, and what wins them counts") {
    const std::vector<chess::Position> openings{*chess::Position::from_fen(
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w - - 2 3")};
    search::Options options = *parse_configuration("interest");
    options.table_bytes = std::size_t{1} << 16;
    const auto once = tune_by_games(openings, {options, 60}, 3);
    CHECK(words_of(once) == words_of(tune_by_games(openings, {options, 60}, 3)));
    CHECK(words_of(once) != words_of(tuned_numbers(options.interest)));
}
