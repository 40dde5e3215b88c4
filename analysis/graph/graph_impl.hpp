// What Graph is made of, and how a fact is judged before it comes in: for Graph, which takes facts
// one by one, and GraphReader, which takes many together.
#pragma once

#include "analysis/graph.hpp"

#include "analysis/graph/position_index.hpp"
#include "analysis/graph/rest_facts.hpp"
#include "analysis/values/value_graph.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cassert>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace adjourn::analysis {

inline constexpr UnixMs last_time = (UnixMs{1} << 46) - 1; // what GraphMove::at has room for

// Precondition: the fact has a move and a score. Where it leads is still to be told.
inline GraphMove scored_move(const Evaluation& fact) {
    const UnixMs at = std::clamp(fact.at, -last_time, last_time);
    return GraphMove{*fact.score, NodeId{}, effort(fact.question.limit), fact.id, *fact.move, at};
}

inline std::optional<chess::Score> exact_by_rule(const chess::Position& position) {
    switch (position.terminal()) {
    case chess::Terminal::no: return std::nullopt;
    case chess::Terminal::checkmate: return chess::Score::mated_in(0);
    case chess::Terminal::stalemate:
    case chess::Terminal::dead: break;
    }
    return chess::Score::cp(0);
}

// Whether the search had another move to choose from than the one that it chose.
inline bool had_choice(const chess::MoveList& legal, std::span<const chess::Move> excluded,
                       chess::Move chosen) {
    return legal.size() > excluded.size() + 1 || std::ranges::any_of(legal, [&](chess::Move move) {
               return move != chosen && !base::contains(excluded, move);
           });
}

// Its index, or the number of moves.
inline std::size_t find_move(std::span<const GraphMove> moves, chess::Move move) {
    const auto at = std::ranges::find(moves, move, &GraphMove::move);
    return static_cast<std::size_t>(at - moves.begin());
}

inline bool goes_before(const GraphMove& a, const GraphMove& b) {
    return std::tuple{a.effort, UnixMs{a.at}, EvaluationId{a.evaluation}} >
           std::tuple{b.effort, UnixMs{b.at}, EvaluationId{b.evaluation}};
}

// What a question that left `excluded` out says of the moves that it had. In `rest`, whose memory
// is used again.
inline void set_rest(RestFact& rest, std::span<const chess::Move> excluded,
                     const GraphMove& scored) {
    rest.excluded.assign(excluded.begin(), excluded.end());
    std::ranges::sort(rest.excluded);
    rest.excluded.erase(std::unique(rest.excluded.begin(), rest.excluded.end()),
                        rest.excluded.end());
    rest.effort = scored.effort;
    rest.score = scored.engine_score;
}

// How a scored move meets the moves that its position has.
struct Standing {
    std::size_t i = 0; // its index, or the number of moves
    bool known = false;
    bool in_force = false; // it is new, or goes before the one that is there
};

struct Graph::Impl {
    Impl(std::shared_ptr<const Tables> known, Basis of)
        : tables{std::move(known)}, basis{std::move(of)} {
        assert(std::is_sorted(basis.excluded.begin(), basis.excluded.end()));
    }

    std::shared_ptr<const Tables> tables;
    Basis basis;
    ValueGraph values;
    PositionIndex index;
    RestFacts rest;

    bool excluded(const chess::PackedPosition& position, chess::Move move) const {
        return std::binary_search(basis.excluded.begin(), basis.excluded.end(),
                                  ExcludedMove{position, move});
    }

    Standing standing(std::span<const GraphMove> moves, const chess::PackedPosition& position,
                      const GraphMove& scored) const {
        const std::size_t i = find_move(moves, scored.move);
        const bool known = i < moves.size();
        return {i, known,
                !excluded(position, scored.move) && (!known || goes_before(scored, moves[i]))};
    }

    // By the rules, else by the tables.
    std::optional<chess::Score> exact(const chess::Position& position) const {
        const auto by_rule = exact_by_rule(position);
        return by_rule || !tables ? by_rule : tables->value(position);
    }

    NodeId add(const chess::PackedPosition& packed) {
        const NodeId node = values.add_node();
        index.add(node, packed);
        return node;
    }

    void describe(NodeId node, const chess::Position& position,
                  const chess::PackedPosition& packed) {
        if (!values.described(node)) {
            values.describe(node, position.turn(), position.phi());
            index.keep(packed);
        }
    }

    NodeId intern(const chess::Position& position, const chess::PackedPosition& packed) {
        if (const auto known = index.find(values, packed)) {
            return *known;
        }
        const NodeId node = add(packed);
        describe(node, position, packed);
        index.remember(node, position);
        if (const auto value = exact(position)) {
            values.set_exact(node, *value);
        }
        return node;
    }

    // The position gets a move that leads to it at once, so it need not be described.
    NodeId intern_target(const chess::Position& position) {
        const chess::PackedPosition packed = position.packed();
        if (const auto known = index.find(values, packed)) {
            return *known;
        }
        const NodeId node = add(packed);
        if (const auto value = exact(position)) {
            describe(node, position, packed);
            values.set_exact(node, *value);
        }
        return node;
    }
};

} // namespace adjourn::analysis
