#include "chess/score.hpp"
#include "test.hpp"

using namespace adjourn::chess;

TEST_CASE("winning chances: lichess' formula", "[chess]") {
    CHECK(win_percent(Score::cp(0)) == Approx(50));
    CHECK(win_percent(Score::cp(100)) == Approx(59.10).margin(0.01));
    CHECK(win_percent(Score::cp(-100)) == Approx(40.90).margin(0.01));
    CHECK(win_percent(Score::cp(1'000)) == Approx(97.54).margin(0.01));
    CHECK(win_percent(Score::cp(5'000)) == win_percent(Score::cp(1'000)));
    CHECK(win_percent(Score::mate_in(3)) == win_percent(Score::cp(1'000)));
    CHECK(win_percent(Score::mated_in(4)) == win_percent(Score::cp(-1'000)));
}

TEST_CASE("winning chances: accuracy of a move", "[chess]") {
    CHECK(move_accuracy(50, 50) == 100);
    CHECK(move_accuracy(50, 60) == 100);
    CHECK(move_accuracy(60, 50) == Approx(64.58).margin(0.1)); // 103.17 e^-0.435 - 3.17 + 1
    CHECK(move_accuracy(97, 3) == 0);
}

TEST_CASE("winning chances: accuracy of a game", "[chess]") {
    CHECK_FALSE(game_accuracy({50}, Color::white).white);
    const GameAccuracy perfect = game_accuracy({50, 50, 50, 50, 50}, Color::white);
    CHECK(*perfect.white == Approx(100));
    CHECK(*perfect.black == Approx(100));
    // White throws away a won game in one move, Black does nothing wrong.
    const GameAccuracy thrown = game_accuracy({90, 90, 90, 90, 20, 20}, Color::black);
    CHECK(*thrown.black == Approx(100));
    CHECK(*thrown.white < 60);
    const GameAccuracy other = game_accuracy({90, 90, 90, 90, 20, 20}, Color::white);
    CHECK(*other.white == Approx(100));
    CHECK(*other.black == Approx(100)); // it was given to Black
    const GameAccuracy one = game_accuracy({50, 40}, Color::white);
    CHECK(one.white.has_value());
    CHECK_FALSE(one.black.has_value());
}

TEST_CASE("winning chances: NAGs by what is lost", "[chess]") {
    CHECK(nag_of_loss(0.05) == 0);
    CHECK(nag_of_loss(0.1) == 6);
    CHECK(nag_of_loss(0.2) == 2);
    CHECK(nag_of_loss(0.31) == 4);
}
