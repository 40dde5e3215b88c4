// Facts for tests of Graph.
#pragma once

#include "analysis/graph.hpp"
#include "model.hpp"

#include "chess/position.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace facts {

using adjourn::analysis::Evaluation;
using adjourn::analysis::Graph;
using adjourn::analysis::NodeId;
using adjourn::chess::Move;
using adjourn::chess::Position;
using adjourn::chess::Score;

Position position(std::string_view fen);
// After a line in SAN or UCI, from the start position.
Position after(std::string_view line);
Move move(const Position& position, std::string_view text);
// Several of them, sorted.
std::vector<Move> moves(const Position& position, const std::vector<const char*>& texts);

// By engine 1, of the given depth; `at` is the id.
Evaluation fact(std::int64_t id, const Position& position, Move move, Score score,
                std::uint64_t depth = 10, std::vector<Move> excluded = {});

// Made-up answers about positions that random moves lead to from `start`, depths 1 to 3, often
// about the same moves. `allowed` says which moves may be played.
template <class Allowed>
std::vector<Evaluation> random_facts(model::Random& random, const Position& start,
                                     std::size_t count, Allowed allowed) {
    std::vector<Position> positions{start};
    std::vector<Evaluation> result;
    for (std::size_t i = 0; i < count * 20 && result.size() < count; ++i) {
        const Position& from = positions[model::below(random, positions.size())];
        std::vector<Move> moves;
        for (const Move move : from.legal_moves()) {
            if (allowed(from, move)) {
                moves.push_back(move);
            }
        }
        if (moves.empty()) {
            continue;
        }
        const Move move = moves[model::below(random, moves.size())];
        std::vector<Move> excluded;
        for (const Move other : moves) {
            if (other != move && model::below(random, 4) == 0) {
                excluded.push_back(other);
            }
        }
        std::sort(excluded.begin(), excluded.end());
        result.push_back(fact(static_cast<std::int64_t>(result.size()) + 1, from, move,
                              model::random_score(random), 1 + model::below(random, 3),
                              std::move(excluded)));
        result.back().at = static_cast<std::int64_t>(model::below(random, 5));
        const Position next = from.after(move);
        if (std::find(positions.begin(), positions.end(), next) == positions.end()) {
            positions.push_back(next);
        }
    }
    return result;
}

// For random_facts().
inline bool any_move(const Position&, Move) {
    return true;
}

// Of a move in graph.moves(node); their number if it is not there.
std::size_t index_of(const Graph& graph, NodeId node, Move move);

void shuffle(model::Random& random, std::vector<Evaluation>& facts);
Graph build(const std::vector<Evaluation>& facts, const Position& root,
            const adjourn::analysis::Basis& basis = {},
            std::shared_ptr<const adjourn::analysis::Tables> tables = nullptr);

} // namespace facts
