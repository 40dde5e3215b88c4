// MadeUpTree: a game whose values are known, as an oracle: tests and quick comparisons need no
// engine. The game is chess from a given position, ended after a number of plies: positions whose
// shortest distance from the start is that number are worth what a hash of their pieces says, and
// everything before follows by minimax in which endless play is a draw. So there are transpositions
// and cycles, siblings resemble each other, and every position has one true value.
//
// An answer is the best of the moves allowed by "truth + noise". The noise is a function of
// position, move and limit; its larger part belongs to the position that the move leads to, so that
// looking at that position itself is what corrects it. It shrinks with the root of the nodes, and
// evenly towards the end of the game: what lies nearer is seen better, or else looking ahead would
// hardly help (the pathology of minimax on independent errors: Nau, Beal).
#pragma once

#include "analysis/graph.hpp"
#include "bench/strategies/oracle.hpp"
#include "bench/strategies/reference.hpp"

#include <cstdint>
#include <unordered_set>

namespace adjourn::bench {

struct MadeUpGame {
    chess::Position start;
    std::uint64_t seed = 1;
    int plies = 8;
    int spread = 40;   // cp: values of a piece on a square lie within ±spread
    double noise = 60; // cp: standard deviation of an answer of noise_nodes at the start
    double noise_nodes = 100'000;
};

class MadeUpTree final : public Oracle {
public:
    // Solves the game: tens of thousands of positions at 8 plies of a pawn ending.
    explicit MadeUpTree(const MadeUpGame& game);

    analysis::EngineId engine() const override { return analysis::EngineId{1}; }
    // REQUIRES: a position of the game before its end, a limit of nodes, a move left.
    analysis::Evaluation ask(const analysis::Question& question) override;
    // The end of the game.
    std::optional<chess::Score> exact(const chess::Position& position) const override;

    // The true value of a position of the game, and of all moves of one before the end.
    std::optional<chess::Score> truth(const chess::Position& position) const;
    MoveValues true_values(const chess::Position& position) const;
    std::size_t positions() const { return graph_.node_count(); }

private:
    int hashed_value(const chess::Position& position) const;
    int noise(analysis::NodeId from, const chess::Position& to, std::uint64_t nodes) const;

    MadeUpGame game_;
    analysis::Graph graph_; // complete
    std::unordered_set<chess::PackedPosition, chess::PackedPositionHash> ends_;
    std::int64_t answers_ = 0;
};

} // namespace adjourn::bench
