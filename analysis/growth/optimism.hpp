// Optimism: what a position could be worth to one side if its moves that were never searched were
// as good as the engine's scores allow. A position is *hollow* for its mover if that bound
// (Graph::rest_bound) is better than all moves known there: a known move has lost value since.
//
// Plain minimax with one addition: a hollow position of the side counts the bound. So a value and
// its optimistic value differ only where an answer could tell. Facts only; what was computed is
// remembered as long as this object lives, each position once for each side, so transpositions
// cost nothing. A move back into the line being looked at counts as its game value does: a way
// round is worth no more than where it begins.
#pragma once

#include "analysis/growth.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

namespace adjourn::analysis {

class Optimism {
public:
    // The request must outlive this. A bound that is better by `floor` (on the scale of
    // Score::rank) or less is no reason to ask.
    Optimism(const PlanRequest& request, int floor);

    // Of a move that leads to `target`, for the side that plays it; `plain` is its game value.
    // Never worse than that.
    chess::Score of_move(NodeId target, chess::Score plain);

    // Where an answer is missing, as moves from `target`, with that position; nullopt where
    // of_move() is no better than the game value.
    struct Hollow {
        std::vector<chess::Move> line;
        NodeId node{};
    };
    std::optional<Hollow> source(NodeId target);

private:
    struct Option {
        std::size_t index; // in graph.moves(node)
        chess::Score plain;
    };

    // For the mover if `own`, else for the side that has just moved; mover's view either way.
    chess::Score of(NodeId node, bool own, int depth);
    chess::Score of_option(NodeId node, const Option& option, bool own, int depth);
    std::vector<Option> options(NodeId node) const; // best first, without excluded moves
    std::optional<chess::Score> hope(NodeId node, chess::Score best) const;

    const PlanRequest& request_;
    const Graph& graph_;
    double effort_;
    int floor_;
    // nullopt: being looked at.
    std::unordered_map<std::uint64_t, std::optional<chess::Score>> known_;
};

} // namespace adjourn::analysis
