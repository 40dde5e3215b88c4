#include "halving.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace adjourn::analysis {

namespace {

constexpr int infinite = std::numeric_limits<int>::max();

// Alpha-beta bounds on the scale of Score::rank(), from the side to move.
struct Bounds {
    int alpha = -infinite;
    int beta = infinite;

    bool covers(const Bounds& other) const { return alpha <= other.alpha && beta >= other.beta; }
};

struct Candidate {
    GraphMove move;
    int value; // rank; 0 for a move into the own line
    bool repeats;
    bool included;
    bool fresh; // scored with the request's limit or a larger one
};

// One walk over the stored facts, best move first.
class Walk {
public:
    explicit Walk(const PlanRequest& request)
        : request_{request}, graph_{request.graph}, effort_{effort(request.limit)} {}

    Plan run() {
        for (const auto& [node, steering] : sorted_now()) {
            establish_now(node, *steering);
        }
        visit(request_.root, 0, request_.refine, Bounds{});
        std::sort(plan_.visited.begin(), plan_.visited.end());
        plan_.visited.erase(std::unique(plan_.visited.begin(), plan_.visited.end()),
                            plan_.visited.end());
        for (const NodeId node : plan_.visited) {
            for (const GraphMove& move : graph_.moves(node)) {
                plan_.evaluations += move.effort >= effort_ ? 1 : 0;
            }
        }
        return std::move(plan_);
    }

private:
    struct Visit {
        Bounds bounds;
        int ply;
        int left; // plies to the horizon

        // What this visit asked for includes all that `other` would ask: wider window, wider
        // bounds, no nearer horizon.
        bool covers(const Visit& other) const {
            return ply <= other.ply && left >= other.left && bounds.covers(other.bounds);
        }
    };

    const NodeSteering* steering(NodeId node) const {
        const auto found = request_.steering.find(node);
        return found == request_.steering.end() ? nullptr : &found->second;
    }

    std::vector<std::pair<NodeId, const NodeSteering*>> sorted_now() const {
        std::vector<std::pair<NodeId, const NodeSteering*>> result;
        for (const auto& [node, steering] : request_.steering) {
            if (steering.now) {
                result.emplace_back(node, &steering);
            }
        }
        std::sort(result.begin(), result.end(),
                  [](const auto& a, const auto& b) { return a.first < b.first; });
        return result;
    }

    // A person waits for this position, wherever it is: establish it with the full window.
    void establish_now(NodeId node, const NodeSteering& said) {
        if (graph_.exact(node)) {
            return;
        }
        plan_.visited.push_back(node);
        urgent_ = true;
        const std::vector<Candidate> candidates = candidates_of(node, &said);
        establish(node, candidates, &said, request_.parameters.move_distance);
        urgent_ = false;
    }

    // Returns whether the visit met a repetition of its own line, i.e. depends on the line.
    bool visit(NodeId node, int spent, int horizon, Bounds bounds) {
        const int ply = static_cast<int>(path_.size());
        if (graph_.exact(node)) {
            return false;
        }
        const NodeSteering* said = steering(node);
        if (said != nullptr) {
            horizon += said->deepen;
        }
        const bool inside = spent < horizon;
        if (!inside && (said == nullptr || said->included.empty())) {
            return false;
        }
        if (ply > 0 && proven(node)) {
            return false;
        }
        const Visit present{bounds, ply, horizon - spent};
        for (const Visit& earlier : visits_[node]) {
            if (earlier.covers(present)) {
                return false;
            }
        }
        plan_.visited.push_back(node);
        on_line_.push_back(node);
        const bool depends = inside ? grow(node, ply, spent, horizon, bounds, said)
                                    : follow_included_only(node, spent, horizon, *said);
        on_line_.pop_back();
        if (!depends) {
            visits_[node].push_back(present);
        }
        return depends;
    }

    bool proven(NodeId node) const {
        const std::optional<chess::Score> value = graph_.game_value(node);
        return value && (value->is_win() || value->is_loss());
    }

    bool grow(NodeId node, int ply, int spent, int horizon, Bounds bounds,
              const NodeSteering* said) {
        const std::vector<Candidate> candidates = candidates_of(node, said);
        if (candidates.empty()) {
            ask_first(node, said);
            ask_included(node, candidates, said);
            return false;
        }
        const int window = window_at(request_.parameters, ply);
        const int best = candidates.front().value;
        // One good enough reply refutes: the rest need not be known on this line. The mark is never
        // stored.
        const bool cut = ply >= 2 && best >= bounds.beta && candidates.front().fresh;
        if (!cut) {
            establish(node, candidates, said, window);
        } else {
            ask_included(node, candidates, said);
        }

        bool depends = false;
        bool drawn_seen = false;
        bool cut_now = false;
        int best_so_far = -infinite;
        for (const Candidate& candidate : candidates) {
            if (!candidate.included && (cut_now || candidate.value < floor_of(best, window))) {
                continue;
            }
            if (candidate.repeats) {
                depends = true;
            } else {
                depends |=
                    follow(node, candidate, ply, spent, horizon, bounds, best_so_far, drawn_seen);
            }
            best_so_far = std::max(best_so_far, candidate.value);
            drawn_seen |= candidate.value == 0;
            cut_now |= ply >= 2 && candidate.value >= bounds.beta && candidate.fresh;
        }
        return depends;
    }

    bool follow(NodeId node, const Candidate& candidate, int ply, int spent, int horizon,
                Bounds bounds, int best_so_far, bool drawn_seen) {
        Bounds below;
        if (ply >= 1) { // answers to every root candidate get values of their own
            below.alpha = ply >= 2 ? negated(bounds.beta) : -infinite;
            below.beta = negated(ply >= 2 ? std::max(bounds.alpha, best_so_far) : best_so_far);
        }
        const int price = 1 + (ply >= 2 ? shuffle_price(node, candidate, drawn_seen) : 0);
        path_.push_back(candidate.move.move);
        const bool depends = visit(candidate.move.target, spent + price, horizon, below);
        path_.pop_back();
        return depends;
    }

    // Drawn shuffles are endless: a reversible move inside a 0.00 subtree costs a ply more, a
    // second 0.00 move at the same position another.
    int shuffle_price(NodeId node, const Candidate& candidate, bool drawn_seen) const {
        if (candidate.value != 0) {
            return 0;
        }
        const chess::Position position = graph_.position(node);
        const bool shuffles = graph_.game_value(node).value_or(chess::Score::cp(1)).rank() == 0 &&
                              !position.is_irreversible(candidate.move.move);
        return (shuffles ? 1 : 0) + (drawn_seen ? 1 : 0);
    }

    // Beyond the horizon only what people named is scored and followed; the engine's own choice is
    // asked too, lest the named move pass for the best one.
    bool follow_included_only(NodeId node, int spent, int horizon, const NodeSteering& said) {
        const std::vector<Candidate> candidates = candidates_of(node, &said);
        if (!has_fresh(candidates)) {
            ask_first(node, &said);
        }
        ask_included(node, candidates, &said);
        bool depends = false;
        for (const Candidate& candidate : candidates) {
            if (candidate.included && !candidate.repeats) {
                path_.push_back(candidate.move.move);
                depends |= visit(candidate.move.target, spent + 1, horizon, Bounds{});
                path_.pop_back();
            }
        }
        return depends;
    }

    // Asks for what is missing until no unsearched move can be worth best - window.
    void establish(NodeId node, const std::vector<Candidate>& candidates, const NodeSteering* said,
                   int window) {
        if (!has_fresh(candidates)) {
            ask_first(node, said);
            ask_included(node, candidates, said);
            return;
        }
        ask_included(node, candidates, said);
        const int best = candidates.front().value;
        const std::vector<chess::Move> excluded = excluded_of(said);
        const std::optional<chess::Score> rest = graph_.rest_bound(node, effort_, excluded);
        const bool rest_outside = rest && rest->rank() < floor_of(best, window);
        if (!rest_outside) {
            std::vector<chess::Move> known = excluded;
            for (const Candidate& candidate : candidates) {
                if (candidate.fresh) {
                    known.push_back(candidate.move.move);
                }
            }
            normalise(known);
            if (known.size() < graph_.position(node).legal_moves().size()) {
                if (ask(TaskKind::alternative, node, std::move(known)) != QuestionState::dead) {
                    return; // the answer decides whether moves with smaller limits matter
                }
            }
        }
        for (const Candidate& candidate : candidates) {
            if (!candidate.fresh && candidate.value >= floor_of(best, window)) {
                ask_alone(TaskKind::redo, node, candidate.move.move);
            }
        }
        ask_seeds(node, candidates, excluded);
    }

    // Of an established position. A seed that has a score, from whatever limit, is a move like any
    // other.
    void ask_seeds(NodeId node, const std::vector<Candidate>& candidates,
                   const std::vector<chess::Move>& excluded) {
        for (const chess::Move move : seeds_at(request_, node)) {
            const bool scored =
                std::any_of(candidates.begin(), candidates.end(),
                            [&](const Candidate& c) { return c.move.move == move; });
            if (!scored && !contains(excluded, move)) {
                ask_alone(TaskKind::seed, node, move);
            }
        }
    }

    void ask_first(NodeId node, const NodeSteering* said) {
        std::vector<chess::Move> excluded = excluded_of(said);
        if (excluded.size() < graph_.position(node).legal_moves().size()) {
            ask(TaskKind::first, node, std::move(excluded));
        }
    }

    void ask_included(NodeId node, const std::vector<Candidate>& candidates,
                      const NodeSteering* said) {
        if (said == nullptr) {
            return;
        }
        for (const chess::Move move : said->included) {
            const bool known =
                std::any_of(candidates.begin(), candidates.end(),
                            [&](const Candidate& c) { return c.fresh && c.move.move == move; });
            if (!known) {
                ask_alone(TaskKind::redo, node, move);
            }
        }
    }

    void ask_alone(TaskKind kind, NodeId node, chess::Move move) {
        std::vector<chess::Move> others;
        for (const chess::Move other : graph_.position(node).legal_moves()) {
            if (other != move) {
                others.push_back(other);
            }
        }
        normalise(others);
        ask(kind, node, std::move(others));
    }

    QuestionState ask(TaskKind kind, NodeId node, std::vector<chess::Move> excluded) {
        const QuestionState state = request_.state(node, excluded);
        if (state == QuestionState::pending) {
            if (remember(node, excluded)) {
                ++plan_.pending;
            }
        } else if (state == QuestionState::open) {
            if (plan_.tasks.size() >= request_.max_tasks) {
                plan_.complete = false;
            } else if (remember(node, excluded)) {
                plan_.tasks.push_back({kind, node, path_, std::move(excluded), urgent_});
            }
        }
        return state;
    }

    // Whether the question is new in this walk.
    bool remember(NodeId node, const std::vector<chess::Move>& excluded) {
        auto& asked = asked_[node];
        if (std::find(asked.begin(), asked.end(), excluded) != asked.end()) {
            return false;
        }
        asked.push_back(excluded);
        return true;
    }

    std::vector<Candidate> candidates_of(NodeId node, const NodeSteering* said) const {
        std::vector<Candidate> result;
        const auto moves = graph_.moves(node);
        for (std::size_t i = 0; i < moves.size(); ++i) {
            if (said != nullptr && contains(said->excluded, moves[i].move)) {
                continue;
            }
            const bool repeats =
                std::find(on_line_.begin(), on_line_.end(), moves[i].target) != on_line_.end() ||
                moves[i].target == node;
            result.push_back({moves[i], repeats ? 0 : graph_.game_value_of(node, i).rank(), repeats,
                              said != nullptr && contains(said->included, moves[i].move),
                              moves[i].effort >= effort_});
        }
        std::sort(result.begin(), result.end(), [](const Candidate& a, const Candidate& b) {
            if (a.value != b.value) {
                return a.value > b.value;
            }
            const int a_said = a.move.engine_score.rank();
            const int b_said = b.move.engine_score.rank();
            return a_said != b_said ? a_said > b_said : a.move.move < b.move.move;
        });
        return result;
    }

    static bool has_fresh(const std::vector<Candidate>& candidates) {
        return std::any_of(candidates.begin(), candidates.end(),
                           [](const Candidate& c) { return c.fresh; });
    }

    static std::vector<chess::Move> excluded_of(const NodeSteering* said) {
        std::vector<chess::Move> result;
        if (said != nullptr) {
            result = said->excluded;
            normalise(result);
        }
        return result;
    }

    static bool contains(const std::vector<chess::Move>& moves, chess::Move move) {
        return std::find(moves.begin(), moves.end(), move) != moves.end();
    }

    static void normalise(std::vector<chess::Move>& moves) {
        std::sort(moves.begin(), moves.end());
        moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
    }

    static int floor_of(int best, int window) { return best - window; }
    static int negated(int rank) {
        return rank == infinite ? -infinite : rank == -infinite ? infinite : -rank;
    }

    const PlanRequest& request_;
    const Graph& graph_;
    double effort_;
    Plan plan_;
    bool urgent_ = false;
    std::vector<chess::Move> path_;
    std::vector<NodeId> on_line_;
    std::unordered_map<NodeId, std::vector<Visit>> visits_;
    std::unordered_map<NodeId, std::vector<std::vector<chess::Move>>> asked_;
};

} // namespace

Plan Halving::plan(const PlanRequest& request) const {
    assert(request.refine >= 1);
    return Walk{request}.run();
}

} // namespace adjourn::analysis
