// A match of two searches: games from given positions, each of them twice with colours exchanged.
// Deterministic but for the seconds: limits are numbers of nodes, and both forget everything before
// each game.
#pragma once

#include "search/search.hpp"

#include "chess/position.hpp"

#include <cstdint>
#include <vector>

namespace adjourn::bench {

struct Contestant {
    search::Options options;
    std::uint64_t nodes = 1; // a move
};

struct MatchScore {
    // For the first: half points of a pair of games, 0 … 4, and how many pairs had them.
    std::vector<int> pairs = std::vector<int>(5, 0);
    int wins = 0;
    int draws = 0;
    int losses = 0;
    double first_seconds = 0; // of the processor, all games together
    double second_seconds = 0;

    int games() const { return wins + draws + losses; }
    double score() const; // 0 … 1
    double error() const; // half of the 95 % interval of the score, pairs being independent
};
double elo_of(double score); // score strictly between 0 and 1, else ±infinity

// One pair of games, added. A game is over by the rules (a third occurrence, a hundred plies
// without capture or pawn move, too), or as both see it: both say for six plies in a row that the
// same side is ahead by 900 cp or more, or 400 plies were played, which is a draw.
void play_pair(const chess::Position& opening, const Contestant& first, const Contestant& second,
               MatchScore& score);

} // namespace adjourn::bench
