#include "attention.hpp"

#include "base/contains.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace adjourn::analysis {

// Of a position that is grown; ties as candidates_of() has them.
std::optional<chess::Move> Attention::best_move(NodeId node) {
    const auto [at, is_new] = best_.try_emplace(node);
    if (is_new && graph_.expanded(node) && !graph_.exact(node)) {
        const auto moves = graph_.moves(node);
        std::size_t best = 0;
        for (std::size_t i = 1; i < moves.size(); ++i) {
            const int value = graph_.game_value_of(node, i).rank();
            const int most = graph_.game_value_of(node, best).rank();
            const int score = moves[i].engine_score.rank();
            const int best_score = moves[best].engine_score.rank();
            if (value != most         ? value > most
                : score != best_score ? score > best_score
                                      : moves[i].move < moves[best].move) {
                best = i;
            }
        }
        at->second = moves[best].move;
    }
    return at->second;
}

// What other positions tell, by all ways that lead here, so that the line has no say: whether one's
// own last move gave check; which moves are best where only the opponent's last move differs; and
// which are best after the same move of the opponent, where only one's own last move differs.
void Attention::look_around(NodeId node, Here& here) {
    const auto add = [&](std::vector<chess::Move>& moves, NodeId from) {
        const auto best = from == node ? std::nullopt : best_move(from);
        if (best && !base::contains(moves, *best)) {
            moves.push_back(*best);
        }
    };
    for (const Graph::Parent& parent : graph_.parents(node)) {
        here.after_check |= graph_.position(parent.node).in_check();
        const auto siblings = graph_.moves(parent.node);
        const chess::Move last = siblings[parent.move].move;
        for (const GraphMove& sibling : siblings) {
            add(here.killers, sibling.target);
        }
        for (const Graph::Parent& before : graph_.parents(parent.node)) {
            for (const GraphMove& own : graph_.moves(before.node)) {
                for (const GraphMove& theirs : graph_.moves(own.target)) {
                    if (theirs.move == last) {
                        add(here.replies, theirs.target);
                    }
                }
            }
        }
    }
}

Attention::Here& Attention::here(NodeId node, std::span<const Candidate> candidates) {
    const auto [at, is_new] = known_.try_emplace(node);
    Here& here = at->second;
    if (is_new) {
        const chess::Position position = graph_.position(node);
        const Interest interest{position};
        here.base = interest.base();
        look_around(node, here);
        for (const Candidate& candidate : candidates) {
            here.looks.emplace(candidate.move.move.raw(), interest.look(candidate.move.move));
        }
    }
    return here;
}

Attention::Order Attention::order(NodeId node, std::span<const Candidate> candidates,
                                  bool principal, int beyond) {
    const Here& at = here(node, candidates);
    const Occasion occasion{at.after_check, beyond};
    const auto look = [&](std::size_t i) -> const MoveLook& {
        return at.looks.at(candidates[i].move.move.raw());
    };
    Order result;
    result.unknown = Interest::of_unknown(at.base, occasion);
    result.order.resize(candidates.size());
    std::iota(result.order.begin(), result.order.end(), std::size_t{0});
    const auto choice = std::max_element(
        candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
            return a.move.engine_score.rank() < b.move.engine_score.rank();
        });
    bool quiet_seen = false;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const chess::Move move = candidates[i].move.move;
        MoveStanding standing;
        standing.best = i == 0;
        standing.principal = i == 0 && principal;
        standing.engine_choice = static_cast<std::ptrdiff_t>(i) == choice - candidates.begin();
        standing.best_quiet = !quiet_seen && look(i).takes_nothing;
        standing.killer = base::contains(at.killers, move);
        standing.reply = base::contains(at.replies, move);
        quiet_seen |= standing.best_quiet;
        result.points.push_back(Interest::of(at.base, look(i), standing, occasion));
    }
    for (auto next = result.order.begin(); next != result.order.end(); ++next) {
        const auto most =
            std::max_element(next, result.order.end(), [&](std::size_t a, std::size_t b) {
                return result.points[a] < result.points[b];
            });
        std::rotate(next, most, most + 1);
        if (candidates[*next].proposed) {
            std::for_each(next + 1, result.order.end(), [&](std::size_t i) {
                result.points[i] =
                    std::max(interest_weights.least, result.points[i] * look(i).after(look(*next)));
            });
        }
    }
    return result;
}

} // namespace adjourn::analysis
