// What is missing at a position of the walk, and what is asked for it.
#include "walk.hpp"

#include <algorithm>

namespace adjourn::analysis {

namespace {

// Limits whose efforts differ by more are not compared: 2 is a factor of 4 in nodes.
constexpr double comparable = 2.0;

} // namespace

int Walk::rest_gap(NodeId node, std::span<const Candidate> candidates,
                   const NodeDirectives* directives) const {
    const auto rest = graph_.rest_bound(node, effort_, excluded_by(directives));
    return rest && !candidates.empty() ? std::max(0, candidates.front().value - rest->rank()) : 0;
}

// Asks for what is missing until no unsearched move can be worth following. Whether such a move may
// still come.
bool Walk::establish(const Line& line, const Questions::Subject& subject,
                     std::span<const Candidate> candidates, const Prices& prices, int rest_gap) {
    if (!has_fresh(candidates)) {
        const bool open = questions_.first(subject);
        questions_.included(subject, candidates);
        return open;
    }
    questions_.included(subject, candidates);
    if (wanted(line, rest_gap, prices.unsearched)) {
        const double need =
            rule_.depth_first()
                ? 0
                : rule_.needed(rule_.along(line.at.cost, line.at.place.mover, prices.unsearched));
        if (questions_.alternative(subject, candidates, need)) {
            return true; // the answer decides whether moves with smaller limits matter
        }
    }
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (!candidates[i].fresh &&
            wanted(line, candidates.front().value - candidates[i].value, prices.known[i])) {
            questions_.alone(QuestionKind::redo, subject, candidates[i].move.move, request_.limit);
        }
    }
    judge_alike(line, subject, candidates, prices);
    questions_.seeds(subject, candidates);
    return false;
}

// Leaves near the best are compared by searches of like size, since small searches score moves too
// high: one whose search is smaller than the largest of them by more than `comparable` is searched
// again, as large. Moves that this level grows get their value from below.
void Walk::judge_alike(const Line& line, const Questions::Subject& subject,
                       std::span<const Candidate> candidates, const Prices& prices) {
    const int window = window_at(request_.parameters, line.at.place.ply, line.at.place.mover);
    std::vector<const Candidate*> judged;
    double largest = effort_;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& candidate = candidates[i];
        const int gap = candidates.front().value - candidate.value;
        if (candidate.fresh && gap <= window && !graph_.expanded(candidate.move.target) &&
            !graph_.exact(candidate.move.target) &&
            !(line.at.left > 1 && followed(line, gap, prices.known[i]))) {
            judged.push_back(&candidate);
            largest = std::max(largest, candidate.move.effort);
        }
    }
    for (const Candidate* candidate : judged) {
        if (candidate->move.effort < largest - comparable) {
            questions_.alone(QuestionKind::redo, subject, candidate->move.move,
                             limit_of(request_.limit.kind, largest));
        }
    }
}

// A value that was lowered by a line of which alternatives were never asked for is not known: where
// it could rise, and that would matter here, the alternative is asked for, wherever it hangs. What
// the walk follows it looks after itself; at plies 0 and 1 it need not get that far, and these
// values are what the answer is chosen by.
void Walk::support(const Line& line, std::span<const Candidate> candidates, const Prices& prices) {
    const int best = candidates.front().value;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& candidate = candidates[i];
        const bool followed_anyway =
            candidate.included || wanted(line, best - candidate.value, prices.known[i]);
        if (candidate.repeats || (followed_anyway && line.at.place.ply >= 2)) {
            continue;
        }
        const NodeId target = candidate.move.target;
        const int hoped = optimism_.of_move(target, candidate.score).rank();
        if (hoped <= candidate.value + request_.parameters.floor ||
            (!followed_anyway && line.parent >= 0 && !would_matter(line, candidates, i, hoped))) {
            continue;
        }
        const auto hollow = optimism_.source(target);
        if (!hollow) {
            continue;
        }
        const std::size_t length = path_.size();
        path_.push_back(candidate.move.move);
        path_.insert(path_.end(), hollow->line.begin(), hollow->line.end());
        const NodeDirectives* directives = directives_at(request_, hollow->node);
        questions_.alternative({hollow->node, directives, path_, line.need, false},
                               candidates_of(request_, hollow->node, directives, {}), line.need);
        plan_.visited.push_back(hollow->node);
        path_.erase(path_.begin() + static_cast<std::ptrdiff_t>(length), path_.end());
    }
}

// Whether a move would belong to the level if it were worth what one may hope for.
bool Walk::would_matter(const Line& line, std::span<const Candidate> candidates, std::size_t i,
                        int hoped) const {
    std::vector<Candidate> then{candidates.begin(), candidates.end()};
    Candidate risen = then[i];
    risen.value = hoped;
    then.erase(then.begin() + static_cast<std::ptrdiff_t>(i));
    const auto place = std::find_if(then.begin(), then.end(),
                                    [&](const Candidate& other) { return other.value < hoped; });
    const auto at = static_cast<std::size_t>(place - then.begin());
    then.insert(place, risen);
    const Prices prices = prices_at(line, then, 0);
    return wanted(line, then.front().value - hoped, prices.known[at]);
}

} // namespace adjourn::analysis
