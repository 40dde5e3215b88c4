#include "candidates.hpp"

#include "base/contains.hpp"

#include <algorithm>

namespace adjourn::analysis {

std::vector<Candidate> candidates_of(const PlanRequest& request, NodeId node,
                                     const NodeDirectives* directives,
                                     std::span<const NodeId> on_line) {
    const Graph& graph = request.graph;
    const double wanted = effort(request.limit);
    const auto seeds = seeds_at(request, node);
    std::vector<Candidate> result;
    const auto moves = graph.moves(node);
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (directives != nullptr && base::contains(directives->excluded, moves[i].move)) {
            continue;
        }
        const bool repeats = moves[i].target == node || base::contains(on_line, moves[i].target);
        const bool included =
            directives != nullptr && base::contains(directives->included, moves[i].move);
        // A search of one move alone leaves no note on what the others are worth.
        const bool proposed =
            moves[i].rest_note != 0 || !(included || base::contains(seeds, moves[i].move));
        const chess::Score score = graph.game_value_of(node, i);
        result.push_back({moves[i], score, repeats ? 0 : score.rank(), repeats, included,
                          moves[i].effort >= wanted, proposed});
    }
    std::sort(result.begin(), result.end(), [](const Candidate& a, const Candidate& b) {
        if (a.value != b.value) {
            return a.value > b.value;
        }
        const int a_score = a.move.engine_score.rank();
        const int b_score = b.move.engine_score.rank();
        return a_score != b_score ? a_score > b_score : a.move.move < b.move.move;
    });
    return result;
}

bool has_fresh(std::span<const Candidate> candidates) {
    return std::any_of(candidates.begin(), candidates.end(),
                       [](const Candidate& c) { return c.fresh; });
}

} // namespace adjourn::analysis
