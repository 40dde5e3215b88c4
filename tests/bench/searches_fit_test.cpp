// What is fitted to games of our own searches.
#include "searches/fit.hpp"
#include "searches/logistic.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>
#include <sstream>

using namespace adjourn;
using namespace adjourn::bench;

namespace {

constexpr auto middle_game = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9";

Contestant quick_player() {
    search::Options options;
    options.table_bytes = std::size_t{1} << 16;
    return {options, 40};
}

double white_value(const search::Features& features, const EvaluationWeights& weights) {
    double sum = 0;
    for (const auto& [term, slot, count] : features.counts) {
        const search::Weight& of = weights[static_cast<std::size_t>(term)].of[slot];
        sum += count *
               (of.middle * features.phase + of.end * (search::whole_phase - features.phase)) /
               double{search::whole_phase};
    }
    return sum;
}

std::vector<Labelled> random_positions(std::uint64_t games) {
    std::mt19937_64 random{5};
    std::vector<Labelled> positions;
    for (std::uint64_t game = 0; game < games; ++game) {
        chess::Position here = *chess::Position::from_fen(middle_game);
        for (int ply = 0; ply < 60 && here.has_legal_move(); ++ply) {
            const chess::MoveList moves = here.legal_moves();
            here.play(*std::next(moves.begin(), static_cast<int>(random() % moves.size())));
            positions.push_back({search::features(here), 0, 0.5, 0.5, game});
        }
    }
    return positions;
}

} // namespace

TEST_CASE("logistic: a share becomes its logarithm of odds, unless it is held") {
    const auto three_of_four = [](const ShowSample& show) {
        for (const double label : {1.0, 1.0, 1.0, 0.0}) {
            const SamplePart one{0, 1};
            show({&one, 1}, label);
        }
    };
    const double free = fit_logistic(three_of_four, {0}, 1000).front();
    CHECK(free == Approx(std::log(3)).epsilon(1e-4));
    const double held = fit_logistic(three_of_four, {0}, 0.1).front();
    CHECK(held > 0);
    CHECK(held < 0.02);
    CHECK(cross_entropy(three_of_four, {0}) == Approx(std::log(2)));
    CHECK(cross_entropy(three_of_four, {free}) < std::log(2));
}

TEST_CASE("fit: weights that made the results are found again") {
    EvaluationWeights truth = search::evaluation_weights();
    truth[static_cast<std::size_t>(search::Term::material)].of[1] = {500, 150};
    truth[static_cast<std::size_t>(search::Term::passed)].of[4] = {-60, 10};
    constexpr double scale = 200;
    auto positions = random_positions(60);
    for (Labelled& position : positions) {
        position.label = position.result =
            1 / (1 + std::exp(-white_value(position.features, truth) / scale));
    }
    const WeightsFit fit = fit_weights(positions, search::evaluation_weights(), 1e4);
    CHECK(fit.after < fit.before);
    for (std::size_t i = 0; i < positions.size(); i += 50) {
        const double found = white_value(positions[i].features, fit.weights) / fit.scale;
        CHECK(found == Approx(white_value(positions[i].features, truth) / scale).margin(0.05));
    }
    // Nothing is learned from what is held.
    const WeightsFit held = fit_weights(positions, search::evaluation_weights(), 1e-3);
    CHECK(held.after == Approx(held.before));
}

TEST_CASE("fit: the curve of chances is found again") {
    constexpr double middle = 80;
    constexpr double spread = 120;
    std::vector<Labelled> positions;
    for (int value = -400; value <= 400; value += 50) {
        const double won = 1 / (1 + std::exp((middle - value) / spread));
        const double lost = 1 / (1 + std::exp((middle + value) / spread));
        for (double share = 0.0025; share < 1; share += 0.005) {
            positions.push_back({{}, value, share < won ? 1 : share > 1 - lost ? 0 : 0.5, 0.5, 0});
        }
    }
    const ChancesFit fit = fit_chances(positions);
    CHECK(fit.middle == Approx(middle).margin(2));
    CHECK(fit.spread == Approx(spread).margin(2));
}

TEST_CASE("fit: games are the same again, and differ when an opening returns") {
    const std::vector<chess::Position> openings{*chess::Position::from_fen(middle_game)};
    const auto positions = label_positions(openings, quick_player(), 2, 0.9);
    const auto again = label_positions(openings, quick_player(), 2, 0.9);
    REQUIRE(positions.size() == again.size());
    const auto counts_of = [](const std::vector<Labelled>& of, std::uint64_t game) {
        std::vector<int> counts;
        for (const Labelled& position : of) {
            if (position.game == game) {
                counts.push_back(static_cast<int>(position.result * 2));
                for (const auto& [term, slot, count] : position.features.counts) {
                    counts.push_back(count);
                }
            }
        }
        return counts;
    };
    for (const std::uint64_t game : {0, 1}) {
        CHECK_FALSE(counts_of(positions, game).empty());
        CHECK(counts_of(positions, game) == counts_of(again, game));
    }
    CHECK(counts_of(positions, 0) != counts_of(positions, 1));
}

TEST_CASE("fit: a label is the result, the value, or what is between them") {
    const std::vector<chess::Position> openings{*chess::Position::from_fen(middle_game)};
    const auto results = label_positions(openings, quick_player(), 1, 1);
    const auto values = label_positions(openings, quick_player(), 1, 0);
    const auto mixed = label_positions(openings, quick_player(), 1, 0.5);
    REQUIRE(results.size() == values.size());
    REQUIRE(results.size() == mixed.size());
    REQUIRE_FALSE(results.empty());
    for (std::size_t i = 0; i < results.size(); ++i) {
        CHECK(results[i].label == results[i].result);
        CHECK((values[i].label > 0.5) == (values[i].value > 0));
        CHECK(values[i].label + 0.5 >= mixed[i].label); // half of it is of the same value
        CHECK(mixed[i].label >= values[i].label / 2);
    }
}

TEST_CASE("fit: weights are printed as the table has them") {
    EvaluationWeights weights = search::evaluation_weights();
    weights.front().of = {{{1, -2}, {0, 0}, {3, 4}}};
    std::ostringstream out;
    print_weights(weights, out);
    CHECK(out.str().starts_with("    {\"material\", {{{1, -2}, {0, 0}, {3, 4}}}},\n"));
}
