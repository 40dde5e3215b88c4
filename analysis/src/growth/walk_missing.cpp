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

// Asks for what is missing until no unsearched move can be worth following.
void Walk::establish(const Line& line, const Questions::Subject& subject,
                     std::span<const Candidate> candidates, const Belonging& belonging,
                     int rest_gap) {
    if (!has_fresh(candidates)) {
        questions_.first(subject);
        questions_.included(subject, candidates);
        return;
    }
    questions_.included(subject, candidates);
    if (belonging.unsearched &&
        questions_.alternative(subject, candidates,
                               rule_.need(rule_.after(line.at.place, rest_gap, 1)))) {
        return; // the answer decides whether moves with smaller limits matter
    }
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (!candidates[i].fresh && belonging.known[i]) {
            questions_.alone(QuestionKind::redo, subject, candidates[i].move.move, request_.limit);
        }
    }
    judge_alike(line, subject, candidates, belonging);
    questions_.seeds(subject, candidates);
}

// Leaves near the best are compared by searches of like size, since small searches score moves too
// high: one whose search is smaller than the largest of them by more than `comparable` is searched
// again, as large. Moves that this level grows get their value from below.
void Walk::judge_alike(const Line& line, const Questions::Subject& subject,
                       std::span<const Candidate> candidates, const Belonging& belonging) {
    const int window = rule_.window(line.at.place);
    std::vector<const Candidate*> judged;
    double largest = effort_;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& candidate = candidates[i];
        const int gap = candidates.front().value - candidate.value;
        if (candidate.fresh && gap <= window && !graph_.expanded(candidate.move.target) &&
            !graph_.exact(candidate.move.target) &&
            !(line.at.left > 1 && rule_.follows(line.at.place, belonging.ranks[i], gap, 1))) {
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
void Walk::support(const Line& line, std::span<const Candidate> candidates,
                   const Belonging& belonging) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& candidate = candidates[i];
        const bool followed_anyway = candidate.included || belonging.known[i];
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
        const double need = rule_.need(line.at.place);
        questions_.alternative({hollow->node, directives, path_, need, false},
                               candidates_of(request_, hollow->node, directives, {}), need);
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
    return belonging_at(line, then, 0).known[at];
}

} // namespace adjourn::analysis
