#include "analysis/growth/walk.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <ranges>
#include <unordered_set>

namespace adjourn::analysis {

namespace {

constexpr int deepest_hope = 400; // plies; below that positions count as they stand

std::uint32_t hope_key(NodeId node, bool own) { // a graph has 2^28 nodes at most
    return static_cast<std::uint32_t>(node) << 1 | (own ? 1 : 0);
}

int negated(int rank, int infinite) {
    return rank == infinite ? -infinite : rank == -infinite ? infinite : -rank;
}

// Limits whose efforts differ by more are not compared: 2 is a factor of 4 in nodes.
constexpr double comparable = 2.0;

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
    result.reserve(moves.size());
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
    if (const auto* found = known_.find(hope_key(target, !own)); found != nullptr && !*found) {
        return option.plain;
    }
    const chess::Score value = of(target, !own, depth + 1).backed_up();
    return own ? std::max(option.plain, value) : std::min(option.plain, value);
}

chess::Score Optimism::of(NodeId node, bool own, int depth) {
    const std::uint32_t key = hope_key(node, own);
    if (const auto* found = known_.find(key); found != nullptr && *found) {
        return **found;
    }
    const std::vector<Option> all = options(node);
    if (all.empty()) {
        return graph_.game_value(node).value_or(chess::Score::cp(0));
    }
    known_.insert(key, std::nullopt);
    std::optional<chess::Score> best = own ? hope(node, all.front().plain) : std::nullopt;
    for (const Option& option : all) {
        if (!own && best && option.plain <= *best) {
            break; // an optimistic value is never better for the other side
        }
        const chess::Score value = of_option(node, option, own, depth);
        best = best ? std::max(*best, value) : value;
    }
    *known_.find(key) = best;
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

std::size_t evaluations_at(const PlanRequest& request, std::span<const NodeId> nodes) {
    const double wanted = effort(request.limit);
    std::size_t count = 0;
    for (const NodeId node : nodes) {
        for (const GraphMove& move : request.graph.moves(node)) {
            count += move.effort >= wanted ? 1 : 0;
        }
    }
    return count;
}

Walk::Walk(const PlanRequest& request, const Rule& rule, Approach approach)
    : request_{request}, graph_{request.graph}, approach_{std::move(approach)},
      effort_{effort(request.limit)}, rule_{rule}, questions_{request, plan_},
      optimism_{request, request.parameters.floor}, proof_{request.graph, &request.directives} {}

Plan Walk::run() {
    if (approach_.moves.empty()) {
        establish_what_people_wait_for();
    }
    Line root;
    root.node = request_.root;
    root.horizon = rule_.horizon();
    root.at.place.mover = graph_.position(request_.root).turn();
    frontier_.push_back(std::move(root));
    while (!frontier_.empty()) {
        Line line = std::move(frontier_.back());
        frontier_.pop_back();
        walk(std::move(line));
    }
    questions_.finish();
    std::sort(plan_.followed.begin(), plan_.followed.end());
    make_set(plan_.visited);
    plan_.evaluations = evaluations_at(request_, plan_.visited);
    return std::move(plan_);
}

// A line has nothing more to walk: what it met counts for those above.
void Walk::done(int index) {
    while (index >= 0 && lines_[static_cast<std::size_t>(index)].open == 0) {
        const Line line = lines_[static_cast<std::size_t>(index)];
        if (!line.depends) {
            const auto last = last_visits_.insert(static_cast<std::uint32_t>(line.node), -1).first;
            visits_.push_back({line.at, *last});
            *last = static_cast<std::int32_t>(visits_.size()) - 1;
        }
        lines_.pop_back();
        if (line.parent >= 0) {
            Line& parent = lines_[static_cast<std::size_t>(line.parent)];
            --parent.open;
            parent.depends |= line.depends;
        }
        index = line.parent;
    }
}

// A person waits for these positions, wherever they are: establish them with the full window. Those
// of which nothing is known come first. There may be thousands, of the games of a file, so that no
// more are looked at than can be asked about.
void Walk::establish_what_people_wait_for() {
    std::vector<NodeId> nodes;
    for (const auto& [node, directives] : request_.directives) {
        if (directives.now && !graph_.exact(node)) {
            nodes.push_back(node);
        }
    }
    std::sort(nodes.begin(), nodes.end());
    plan_.visited = nodes;
    std::stable_partition(nodes.begin(), nodes.end(), [&](NodeId node) {
        return std::ranges::none_of(graph_.moves(node),
                                    [&](const GraphMove& move) { return move.effort >= effort_; });
    });
    for (const NodeId node : nodes) {
        if (questions_.open() >= request_.max_questions) {
            plan_.complete = false;
            break;
        }
        Line line; // as of the root: nothing inside the move distance is left out
        line.node = node;
        line.at.place.mover = graph_.position(node).turn();
        const NodeDirectives* directives = directives_at(request_, node);
        const auto candidates = candidates_of(request_, node, directives, {});
        const int gap = rest_gap(node, candidates, directives);
        establish(line, {node, directives, directives->line, 0, true}, candidates,
                  belonging_at(line, candidates, gap), gap);
    }
}

bool Walk::proven(NodeId node) {
    return proof_.of(node) != Proven::no;
}

// An earlier visit asked for all that this one would ask: wider bounds, nothing left out that
// belongs here, no nearer horizon.
bool Walk::covered(const Line& line) const {
    const std::int32_t* const last = last_visits_.find(static_cast<std::uint32_t>(line.node));
    const Arrival& now = line.at;
    for (std::int32_t i = last == nullptr ? -1 : *last; i >= 0;) {
        const auto& [earlier, before] = visits_[static_cast<std::size_t>(i)];
        if (rule_.no_narrower(earlier.place, now.place) && earlier.left >= now.left &&
            earlier.bounds.covers(now.bounds)) {
            return true;
        }
        i = before;
    }
    return false;
}

// Moves and positions from the root to the line's end; among the positions what was repeated before
// the root.
void Walk::retrace(const Line& line) {
    path_.clear();
    on_line_.assign(1, line.node);
    const Line* at = &line;
    while (at->parent >= 0) {
        path_.push_back(at->move);
        at = &lines_[static_cast<std::size_t>(at->parent)];
        on_line_.push_back(at->node);
    }
    path_.insert(path_.end(), approach_.moves.rbegin(), approach_.moves.rend());
    std::reverse(path_.begin(), path_.end());
    on_line_.insert(on_line_.end(), approach_.nodes.begin(), approach_.nodes.end());
    on_line_.insert(on_line_.end(), request_.before.begin(), request_.before.end());
}

void Walk::walk(Line line) {
    const NodeId node = line.node;
    const NodeDirectives* directives = directives_at(request_, node);
    const bool begins_here = line.parent < 0;
    if (directives != nullptr && !(begins_here && !approach_.moves.empty())) {
        line.horizon += directives->deepen;
        line.at.place = rule_.deepened(line.at.place, directives->deepen);
    }
    line.at.left = line.horizon - line.spent;
    const bool inside = line.at.left > 0 && (begins_here || !proven(node));
    if (graph_.exact(node) ||
        (!inside && (directives == nullptr || directives->included.empty())) || covered(line)) {
        if (!begins_here) {
            --lines_[static_cast<std::size_t>(line.parent)].open;
            done(line.parent);
        }
        return;
    }
    plan_.visited.push_back(node);
    retrace(line);
    const int index = static_cast<int>(lines_.size());
    children_.clear();
    if (inside) {
        grow(line, directives);
    } else {
        follow_included_only(line, *directives);
    }
    line.open = static_cast<int>(children_.size());
    lines_.push_back(std::move(line));
    for (Line& child : std::views::reverse(children_)) {
        child.parent = index;
        frontier_.push_back(std::move(child));
    }
    done(index);
}

void Walk::grow(Line& line, const NodeDirectives* directives) {
    const Place& place = line.at.place;
    const NodeId node = line.node;
    const int ply = place.ply;
    const auto candidates = candidates_of(request_, node, directives, on_line_);
    const Questions::Subject subject{node, directives, path_, rule_.need(place), false};
    if (candidates.empty()) {
        questions_.first(subject);
        questions_.included(subject, candidates);
        return;
    }
    const Bounds& bounds = line.at.bounds;
    const int best = candidates.front().value;
    // One good enough reply refutes: the rest need not be known on this line. The mark is never
    // stored.
    const bool may_cut = rule_.cuts() && ply >= 2;
    const bool refuted = may_cut && best >= bounds.beta && candidates.front().fresh;
    const int rest = refuted ? 0 : rest_gap(node, candidates, directives);
    const Belonging belonging = belonging_at(line, candidates, rest);
    if (refuted) {
        questions_.included(subject, candidates);
    } else {
        establish(line, subject, candidates, belonging, rest);
    }
    bool drawn_seen = false;
    bool cut_now = false;
    int best_so_far = -infinite;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& candidate = candidates[i];
        if (!candidate.included && (cut_now || !belonging.known[i])) {
            continue;
        }
        if (line.parent < 0) {
            plan_.followed.push_back(candidate.move.move);
        }
        if (candidate.repeats) {
            line.depends = true;
        } else {
            const int gap = best - candidate.value;
            const int plies = 1 + (ply >= 2 ? extra_plies(node, candidate, drawn_seen) : 0);
            if (candidate.included || rule_.follows(place, gap, plies)) {
                Line next = child(line, candidate, gap, plies);
                if (rule_.cuts() &&
                    ply >= 1) { // answers to every root candidate get values of their own
                    next.at.bounds.alpha = ply >= 2 ? negated(bounds.beta, infinite) : -infinite;
                    next.at.bounds.beta = negated(
                        ply >= 2 ? std::max(bounds.alpha, best_so_far) : best_so_far, infinite);
                }
                children_.push_back(std::move(next));
            }
        }
        best_so_far = std::max(best_so_far, candidate.value);
        drawn_seen |= candidate.value == 0;
        cut_now |= may_cut && candidate.value >= bounds.beta && candidate.fresh;
    }
    if (!refuted) {
        support(line, candidates, belonging);
    }
}

Walk::Belonging Walk::belonging_at(const Line& line, std::span<const Candidate> candidates,
                                   int rest_gap) const {
    Belonging result;
    result.known.reserve(candidates.size());
    for (const Candidate& candidate : candidates) {
        result.known.push_back(
            rule_.scores(line.at.place, candidates.front().value - candidate.value));
    }
    result.unsearched = rule_.scores(line.at.place, rest_gap);
    return result;
}

// What people want costs nothing.
Walk::Line Walk::child(const Line& line, const Candidate& candidate, int gap, int plies) const {
    Line result;
    result.node = candidate.move.target;
    result.at.place = candidate.included ? rule_.after(line.at.place, 0, plies - 1)
                                         : rule_.after(line.at.place, gap, plies);
    result.spent = line.spent + plies;
    result.horizon = line.horizon;
    result.move = candidate.move.move;
    return result;
}

// Drawn shuffles are endless: a reversible move inside a 0.00 subtree counts for a ply more, a
// second 0.00 move at the same position for another.
int Walk::extra_plies(NodeId node, const Candidate& candidate, bool drawn_seen) const {
    if (candidate.value != 0) {
        return 0;
    }
    const bool shuffles = graph_.game_value(node).value_or(chess::Score::cp(1)).rank() == 0 &&
                          !graph_.position(node).is_irreversible(candidate.move.move);
    return (shuffles ? 1 : 0) + (drawn_seen ? 1 : 0);
}

// Beyond the horizon, and where the result is proven, only what people named is scored and
// followed; the engine's own choice is asked too, lest the named move pass for the best one.
void Walk::follow_included_only(Line& line, const NodeDirectives& directives) {
    const NodeId node = line.node;
    const auto candidates = candidates_of(request_, node, &directives, on_line_);
    const Questions::Subject subject{node, &directives, path_, rule_.need(line.at.place), false};
    if (!has_fresh(candidates)) {
        questions_.first(subject);
    }
    questions_.included(subject, candidates);
    for (const Candidate& candidate : candidates) {
        if (candidate.included && !candidate.repeats) {
            children_.push_back(child(line, candidate, 0, 1));
        }
    }
}

// What is missing at a position of the walk, and what is asked for it.

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
    judge_alike(line, subject, candidates);
    questions_.seeds(subject, candidates);
}

// Leaves near the best are compared by searches of like size, since small searches score moves too
// high: one whose search is smaller than the largest of them by more than `comparable` is searched
// again, as large. Moves that this level grows get their value from below.
void Walk::judge_alike(const Line& line, const Questions::Subject& subject,
                       std::span<const Candidate> candidates) {
    const int window = rule_.window(line.at.place);
    std::vector<const Candidate*> judged;
    double largest = effort_;
    for (const Candidate& candidate : candidates) {
        const int gap = candidates.front().value - candidate.value;
        if (candidate.fresh && gap <= window && !graph_.expanded(candidate.move.target) &&
            !graph_.exact(candidate.move.target) &&
            !(line.at.left > 1 && rule_.follows(line.at.place, gap, 1))) {
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
    const std::size_t other = i == 0 ? 1 : 0; // the best of the others
    const int best = other < candidates.size() ? std::max(hoped, candidates[other].value) : hoped;
    return rule_.scores(line.at.place, best - hoped);
}

} // namespace adjourn::analysis
