// Game: one game between two players by the clock and the rules.
#pragma once

#include "player.hpp"

#include "chess/position.hpp"

#include <array>
#include <chrono>
#include <string>
#include <vector>

namespace adjourn::match {

struct TimeControl {
    std::chrono::milliseconds base{10'000};
    std::chrono::milliseconds increment{100};
};

struct GamePlan {
    chess::Position start = chess::Position::initial();
    std::vector<chess::Move> opening; // from there, played before the engines begin
    TimeControl control;
    std::string go; // "movetime 50": both are asked this, without a clock; "": by the clock
    std::size_t most_plies = 600;                     // then it is a draw
    std::chrono::milliseconds longest_silence{1'500}; // in a search
};

struct GameResult {
    int white = 0;                   // 1 won, −1 lost, 0 drawn
    std::string reason;              // "mate", "threefold repetition", "time", …
    std::vector<std::string> faults; // what an engine did that it must not, with its name
    std::string moves;               // in SAN
    std::array<std::chrono::milliseconds, 2> least_left{}; // on White's and Black's clock, ever
    std::size_t plies = 0;
};

GameResult play(Player& white, Player& black, const GamePlan& plan);

} // namespace adjourn::match
