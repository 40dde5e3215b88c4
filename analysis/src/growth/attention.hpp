// Attention: in which order the moves of a position are tried, and how interesting each is then
// (analysis/interest.hpp). What it needs from other positions it reads from the facts.
#pragma once

#include "candidates.hpp"

#include "analysis/interest.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace adjourn::analysis {

class Attention {
public:
    // The graph must outlive it and not change: what was looked up is kept.
    explicit Attention(const Graph& graph) : graph_{graph} {}

    struct Order {
        std::vector<std::size_t> order; // indices of the candidates, as they are tried
        std::vector<double> points;     // of each candidate, by index; after those tried before
        double unknown = 0;             // of a quiet move not known yet
    };
    // The most interesting move first; likeness to those tried puts moves back. Those that the
    // engine has not proposed come where they belong, and change nothing for the others.
    // `principal`: the line has best moves only. `beyond`: plies beyond the level's own depth.
    Order order(NodeId node, std::span<const Candidate> candidates, bool principal, int beyond);

private:
    struct Here {
        double base = 0;
        bool after_check = false;
        std::vector<chess::Move> killers;
        std::vector<chess::Move> replies;
        std::unordered_map<std::uint16_t, MoveLook> looks; // by Move::raw()
    };

    Here& here(NodeId node, std::span<const Candidate> candidates);
    void look_around(NodeId node, Here& here);
    std::optional<chess::Move> best_move(NodeId node);

    const Graph& graph_;
    std::unordered_map<NodeId, Here> known_;
    std::unordered_map<NodeId, std::optional<chess::Move>> best_;
};

} // namespace adjourn::analysis
