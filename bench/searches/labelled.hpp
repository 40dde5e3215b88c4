// Quiet positions of games that a search plays against itself, each labelled with how well White
// stood by what followed. The same arguments give the same positions.
#pragma once

#include "match.hpp"

namespace adjourn::bench {

struct Labelled {
    search::Features features;
    search::Value value = 0; // White's, of the search that chose the move there
    double result = 0.5;     // White's: 1, ½ or 0
    // White's expected result, by the values of the moves from there on, later ones counting less,
    // and by the result at the end: less noise than the result alone.
    double label = 0.5;
    std::uint64_t game = 0;
};

// R. S. Sutton: "Learning to predict by the methods of temporal differences", Machine Learning 3
// (1988): TD(λ). `recall` is its λ, how much what is a ply later counts; 1: only the result does.
//
// Game after game, as opening_of() has them. Not counted are positions in check, those with a
// capture or promotion that gains by static exchange, and those more than 1,500 cp from equal.
std::vector<Labelled> label_positions(const std::vector<chess::Position>& openings,
                                      const Contestant& player, std::uint64_t games, double recall);

} // namespace adjourn::bench
