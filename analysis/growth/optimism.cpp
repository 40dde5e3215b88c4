#include "analysis/growth/optimism.hpp"

#include "analysis/growth/grow.hpp"
#include "analysis/growth/questions.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <unordered_set>

namespace adjourn::analysis {

namespace {

constexpr int deepest_hope = 400; // plies; below that positions count as they stand

std::uint64_t hope_key(NodeId node, bool own) {
    return std::uint64_t{static_cast<std::uint32_t>(node)} << 1 | (own ? 1 : 0);
}

} // namespace

Optimism::Optimism(const PlanRequest& request, int floor)
    : request_{request}, graph_{request.graph}, effort_{effort(request.limit)}, floor_{floor} {}

chess::Score Optimism::of_move(NodeId target, chess::Score plain) {
    if (graph_.exact(target) || !graph_.expanded(target)) {
        return plain;
    }
    return std::max(plain, of(target, false, 0).backed_up());
}

std::vector<Optimism::Option> Optimism::options(NodeId node) const {
    const NodeDirectives* directives = directives_at(request_, node);
    const auto moves = graph_.moves(node);
    std::vector<Option> result;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (directives == nullptr || !base::contains(directives->excluded, moves[i].move)) {
            result.push_back({i, graph_.game_value_of(node, i)});
        }
    }
    std::sort(result.begin(), result.end(), [&](const Option& a, const Option& b) {
        if (a.plain.rank() != b.plain.rank()) {
            return a.plain.rank() > b.plain.rank();
        }
        return moves[a.index].move < moves[b.index].move;
    });
    return result;
}

// What the engine left open at a position of its mover, if that is better and can be asked.
std::optional<chess::Score> Optimism::hope(NodeId node, chess::Score best) const {
    const NodeDirectives* directives = directives_at(request_, node);
    const auto rest = graph_.rest_bound(node, effort_, excluded_by(directives));
    if (!rest || rest->rank() <= best.rank() + floor_) {
        return std::nullopt;
    }
    const auto known = known_moves(directives, candidates_of(request_, node, directives, {}));
    const bool left = known.size() < graph_.position(node).legal_moves().size();
    return left && request_.state(node, request_.limit, known) != QuestionState::dead
               ? rest
               : std::nullopt;
}

chess::Score Optimism::of_option(NodeId node, const Option& option, bool own, int depth) {
    const NodeId target = graph_.moves(node)[option.index].target;
    if (graph_.exact(target) || !graph_.expanded(target) || depth == deepest_hope) {
        return option.plain;
    }
    const auto found = known_.find(hope_key(target, !own));
    if (found != known_.end() && !found->second) {
        return option.plain;
    }
    const chess::Score value = of(target, !own, depth + 1).backed_up();
    return own ? std::max(option.plain, value) : std::min(option.plain, value);
}

chess::Score Optimism::of(NodeId node, bool own, int depth) {
    const std::uint64_t key = hope_key(node, own);
    if (const auto found = known_.find(key); found != known_.end() && found->second) {
        return *found->second;
    }
    const std::vector<Option> all = options(node);
    if (all.empty()) {
        return graph_.game_value(node).value_or(chess::Score::cp(0));
    }
    known_[key] = std::nullopt;
    std::optional<chess::Score> best = own ? hope(node, all.front().plain) : std::nullopt;
    for (const Option& option : all) {
        if (!own && best && option.plain <= *best) {
            break; // an optimistic value is never better for the other side
        }
        const chess::Score value = of_option(node, option, own, depth);
        best = best ? std::max(*best, value) : value;
    }
    known_[key] = best;
    return *best;
}

std::optional<Optimism::Hollow> Optimism::source(NodeId target) {
    Hollow result;
    result.node = target;
    std::unordered_set<NodeId> seen;
    for (bool own = false; seen.insert(result.node).second; own = !own) {
        const std::vector<Option> all = options(result.node);
        if (all.empty()) {
            return std::nullopt;
        }
        // The other side's best move is what holds the value down; the side itself goes where it
        // could get most.
        const Option* next = &all.front();
        if (own) {
            std::optional<chess::Score> best = hope(result.node, next->plain);
            const bool here = best.has_value();
            next = here ? nullptr : next;
            best = best.value_or(all.front().plain);
            for (const Option& option : all) {
                const chess::Score value = of_option(result.node, option, own, 0);
                if (value > *best) {
                    best = value;
                    next = &option;
                }
            }
            if (next == nullptr) {
                return result;
            }
        }
        const GraphMove& move = graph_.moves(result.node)[next->index];
        if (graph_.exact(move.target) || !graph_.expanded(move.target)) {
            return std::nullopt;
        }
        result.line.push_back(move.move);
        result.node = move.target;
    }
    return std::nullopt;
}

} // namespace adjourn::analysis
