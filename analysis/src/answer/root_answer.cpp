#include "analysis/root_answer.hpp"

#include "analysis/move_order.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace adjourn::analysis {

std::optional<RootAnswer> root_answer(const Graph& graph, NodeId root,
                                      std::span<const chess::Move> verified) {
    const std::array<NodeId, 1> line{root};
    return root_answer(graph, line, verified);
}

std::optional<RootAnswer> root_answer(const Graph& graph, std::span<const NodeId> line,
                                      std::span<const chess::Move> verified) {
    const auto moves = graph.moves(line.back());
    if (moves.empty()) {
        return std::nullopt;
    }
    const LineValues values{graph, line};
    const auto is_verified = [&](std::size_t i) {
        return std::binary_search(verified.begin(), verified.end(), moves[i].move);
    };
    std::vector<std::size_t> eligible;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (is_verified(i)) {
            eligible.push_back(i);
        }
    }
    if (eligible.empty()) {
        eligible.resize(moves.size());
        std::iota(eligible.begin(), eligible.end(), std::size_t{0});
    }
    const auto judged = [&](std::size_t i) { return judged_below(graph, moves[i]); };
    if (std::any_of(eligible.begin(), eligible.end(), judged)) {
        std::erase_if(eligible, [&](std::size_t i) { return !judged(i); });
    }
    const auto before = [&](std::size_t a, std::size_t b) {
        return move_order(graph, moves[a], values.alpha_of(a).value) <
               move_order(graph, moves[b], values.alpha_of(b).value);
    };
    const std::size_t best = *std::min_element(eligible.begin(), eligible.end(), before);
    RootAnswer answer{moves[best].move, best, values.alpha_of(best).value, std::nullopt};
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const chess::Score value = values.alpha_of(i).value;
        if (i != best && (!answer.next || value > *answer.next)) {
            answer.next = value;
        }
    }
    return answer;
}

} // namespace adjourn::analysis
