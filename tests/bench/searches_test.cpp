// Matches of our own searches.
#include "searches/configuration.hpp"
#include "searches/match.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace adjourn;
using namespace adjourn::bench;

namespace {

chess::Position start_of(const char* fen) {
    return *chess::Position::from_fen(fen);
}

search::Options small_options() {
    search::Options options;
    options.table_bytes = std::size_t{1} << 16;
    return options;
}

} // namespace

TEST_CASE("searches: a configuration is read, and what is none is named") {
    const auto read = parse_configuration("interest,consistency,left-out,joint,carry=7,step=9");
    REQUIRE(read);
    CHECK(read->selection == search::Selection::interest);
    CHECK(read->quiescence == search::Quiescence::consistency);
    CHECK(read->interest.dull == search::DullMoves::left_out);
    CHECK_FALSE(read->interest.budgets_apart);
    CHECK(read->interest.weights[search::InterestTerm::carry] == 7);
    CHECK(read->interest.step == 9);
    CHECK(parse_configuration("full-width,none")->quiescence == search::Quiescence::none);
    for (const char* bad : {"interests", "carry", "carry=", "carry=x", "step=0", "depth=3"}) {
        const auto refused = parse_configuration(std::string{"interest,"} + bad);
        REQUIRE_FALSE(refused);
        CHECK(refused.error() == "\"" + std::string{bad} + "\"");
    }
}

TEST_CASE("searches: games end by the rules, or where both see the same") {
    search::Search white{small_options()};
    search::Search black{small_options()};
    const auto play = [&](const char* fen) {
        return play_game(start_of(fen), white, 300, black, 300);
    };
    const PlayedGame mate = play("6k1/5ppp/8/8/8/8/4R3/K7 w - - 0 1");
    CHECK(mate.end == GameEnd::white_wins);
    CHECK(mate.moves.size() == 1);
    CHECK(play("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").end == GameEnd::draw); // stalemate
    CHECK(play("7k/8/8/8/8/8/8/KN6 w - - 0 1").moves.empty());          // nobody can win
    // Nothing happens until a hundred plies are over, or a position occurs three times.
    const PlayedGame long_draw = play("k7/8/p1p1p1p1/P1P1P1P1/8/8/8/K7 w - - 0 1");
    CHECK(long_draw.end == GameEnd::draw);
    CHECK(long_draw.moves.size() >= 8);
    CHECK(long_draw.moves.size() <= 100);
    const PlayedGame clear = play("7k/8/8/8/8/8/1QQ5/K7 b - - 0 1");
    CHECK(clear.end == GameEnd::white_wins);
    CHECK(clear.moves.size() <= 6);
}

TEST_CASE("searches: a match is the same again, and fair") {
    const auto opening =
        start_of("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    const Contestant one{small_options(), 60};
    MatchScore itself;
    play_pair(opening, one, one, itself);
    CHECK(itself.games() == 2);
    CHECK(itself.score() == 0.5); // the same game twice
    search::Options interest = small_options();
    interest.selection = search::Selection::interest;
    const Contestant two{interest, 60};
    MatchScore first;
    MatchScore again;
    MatchScore reversed;
    play_pair(opening, one, two, first);
    play_pair(opening, one, two, again);
    play_pair(opening, two, one, reversed);
    CHECK(first.plies == again.plies);
    CHECK(first.pairs == again.pairs);
    CHECK(first.wins == reversed.losses);
    CHECK(first.losses == reversed.wins);
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
