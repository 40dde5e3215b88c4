// RestFacts: what evaluations said of the moves that they did not choose. An evaluation that was
// free to choose any move but the excluded ones, and scored its choice s, says that no other move
// is worth more than s.
//
// Nearly all of them belong to the evaluation that a move of the graph has its score from, and
// exclude some of the node's first moves. Those take no memory but the move's rest note:
//
//   bit 15: the note holds a fact, of the move's own score and effort
//   bits 14…0: the excluded moves, by index
//
// The others are kept in a list aside, as long as no other fact says at least as much.
#pragma once

#include "analysis/values/value_graph.hpp"

#include "chess/score.hpp"
#include "chess/types.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace adjourn::analysis {

struct RestFact {
    std::vector<chess::Move> excluded; // sorted, without doubles
    double effort;
    chess::Score score;

    // Whether it can be used wherever the other can, and says as much.
    bool covers(const RestFact& other) const;
};

class RestFacts {
public:
    // Of the i-th move's note, read against the moves as they are.
    static std::optional<RestFact> held(std::span<const GraphMove> moves, std::size_t i);

    // Takes a fact in, after the node has the moves. `holder`: the move that has its score from
    // the same evaluation, if one has; it must hold no fact yet.
    struct Added {
        bool anything_new = false;
        std::optional<std::uint16_t> note; // the holder's from now on
    };
    [[nodiscard]] Added add(std::span<const GraphMove> moves, NodeId node, const RestFact& fact,
                            std::optional<std::size_t> holder);

    // See Graph::rest_bound().
    std::optional<chess::Score> bound(const ValueGraph& graph, NodeId node, double effort,
                                      std::span<const chess::Move> ignored) const;

    // See Graph::ceiling_of().
    std::optional<chess::Score> ceiling(std::span<const GraphMove> moves, NodeId node,
                                        std::size_t i) const;

    std::size_t memory() const;

private:
    static constexpr std::uint16_t holds = 0x8000;
    static constexpr std::size_t named = 15; // moves that a note can name

    static bool held_covers(std::span<const GraphMove> moves, std::size_t i, const RestFact& fact);
    static std::optional<std::uint16_t> note_of(std::span<const GraphMove> moves,
                                                const std::vector<chess::Move>& excluded);

    std::unordered_map<NodeId, std::vector<RestFact>> aside_;
};

} // namespace adjourn::analysis
