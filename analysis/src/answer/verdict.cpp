#include "analysis/verdict.hpp"

#include "answer/flip.hpp"

#include "base/contains.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>
#include <unordered_set>

namespace adjourn::analysis {

namespace {

constexpr std::size_t the_rest = ~std::size_t{0}; // index of the moves that were not asked
constexpr std::size_t most_before = 50'000;       // positions from which play can come back
constexpr int farthest = 2'000;                   // cp; meetings beyond decide nothing

std::uint32_t number(NodeId node) {
    return static_cast<std::uint32_t>(node);
}

class GraphGame final : public FlipGame {
public:
    GraphGame(const Graph& graph, std::span<const NodeId> line, const LeafNoise& noise)
        : graph_{graph}, noise_{noise} {
        for (const NodeId node : line) {
            line_.insert(number(node));
        }
        std::vector<NodeId> open{line.begin(), line.end()};
        while (!open.empty() && before_.size() < most_before) {
            const NodeId at = open.back();
            open.pop_back();
            for (const Graph::Parent& parent : graph.parents(at)) {
                const chess::Move move = graph.moves(parent.node)[parent.move].move;
                if (!graph.position(parent.node).is_irreversible(move) &&
                    before_.insert(number(parent.node)).second) {
                    open.push_back(parent.node);
                }
            }
        }
    }

    chess::Color turn(std::uint32_t node) const override {
        return graph_.position(NodeId{node}).turn();
    }
    int value(std::uint32_t node) const override { return graph_.game_value(NodeId{node})->rank(); }
    bool on_line(std::uint32_t node) const override { return line_.contains(node); }
    bool may_return(std::uint32_t node) const override { return before_.contains(node); }

    void moves(std::uint32_t node, std::vector<FlipMove>& out) const override {
        moves(NodeId{node}, {}, out);
    }
    void moves(NodeId node, std::span<const chess::Move> excluded,
               std::vector<FlipMove>& out) const {
        const auto known = graph_.moves(node);
        std::optional<int> best;
        for (std::size_t i = 0; i < known.size(); ++i) {
            if (!base::contains(excluded, known[i].move)) {
                out.push_back(of_move(node, i));
                const int value = graph_.game_value_of(node, i).rank();
                best = std::max(best.value_or(value), value);
            }
        }
        if (best) {
            add_rest(node, excluded, *best, out);
        }
    }

    FlipMove of_move(NodeId node, std::size_t i) const {
        const GraphMove& move = graph_.moves(node)[i];
        if (const auto exact = graph_.exact(move.target)) {
            return {i, 0, true, exact->backed_up().rank(), 0};
        }
        const bool known_below = graph_.expanded(move.target) && !move.trusted;
        if (known_below || line_.contains(number(move.target))) {
            return {i, number(move.target), false, 0, 0};
        }
        return {i, 0, true, move.engine_score.rank(), noise_.of(move.effort)};
    }

private:
    // No move that was not asked is worth more than the best one, or the position's value would
    // not be what it is.
    void add_rest(NodeId node, std::span<const chess::Move> excluded, int best,
                  std::vector<FlipMove>& out) const {
        const chess::Position position = graph_.position(node);
        const auto left_out = graph_.excluded_at(position.packed());
        const auto known = graph_.moves(node);
        std::size_t asked = 0;
        double effort = 0;
        for (const GraphMove& move : known) {
            effort = std::max(effort, move.effort);
        }
        for (const chess::Move move : position.legal_moves()) {
            asked += base::contains(left_out, move) || base::contains(excluded, move) ||
                             std::ranges::find(known, move, &GraphMove::move) != known.end()
                         ? 1
                         : 0;
        }
        if (asked == position.legal_moves().size()) {
            return;
        }
        const auto said = graph_.rest_bound(node, 0, excluded);
        const int rank = said ? std::min(said->rank(), best) : best;
        out.push_back({the_rest, 0, true, rank, noise_.of(effort),
                       said && said->rank() > best ? std::optional{said->rank()} : std::nullopt});
    }

    const Graph& graph_;
    const LeafNoise noise_;
    std::unordered_set<std::uint32_t> line_, before_;
};

// What it would cost that the two meet at a value.
struct Meeting {
    int at = 0; // of the answer, mover's side; the rival's is `margin` more
    double cost = impossible;
    FlipMove rival;
};

} // namespace

class VerdictSearch::Asking {
public:
    Asking(const Graph& graph, std::vector<NodeId> line, chess::Move best, int margin,
           const LeafNoise& noise, const std::vector<chess::Move>& excluded,
           const VerdictLimits& limits)
        : graph_{graph}, line_{std::move(line)}, node_{line_.back()},
          mover_{graph.position(node_).turn()}, margin_{margin}, noise_{noise}, limits_{limits},
          game_{graph, line_, noise} {
        std::vector<FlipMove> all;
        game_.moves(node_, excluded, all);
        for (const FlipMove& move : all) {
            const bool is_best =
                move.index != the_rest && graph.moves(node_)[move.index].move == best;
            (is_best ? best_ : rivals_).push_back(move);
        }
    }

    bool has_rival() const { return !best_.empty() && !rivals_.empty(); }

    bool go_on() {
        if (!begun_) {
            begin();
        } else if (next_ < coarse_.size()) {
            look(coarse_[next_++]);
        } else if (step_ >= 1 && meeting_.cost < impossible) {
            const int middle = centre_;
            look(lower_ ? std::max(low_, middle - step_) : std::min(high_, middle + step_));
            if (lower_ = !lower_; lower_) { // both sides have been looked at
                centre_ = meeting_.at;
                step_ /= 2;
            }
        } else {
            return false;
        }
        if (next_ == coarse_.size() && step_ == 0 && !refined_) {
            refined_ = true;
            step_ = (high_ - low_) / 16;
            centre_ = meeting_.at;
        }
        return true;
    }

    Verdict told() const {
        const auto move_of = [&](const FlipMove& move) {
            return move.index == the_rest ? std::nullopt
                                          : std::optional{graph_.moves(node_)[move.index].move};
        };
        Verdict verdict{*move_of(best_.front()),       std::nullopt, meeting_.cost,
                        chess::Score::cp(meeting_.at), bound_,       {}};
        if (meeting_.cost == impossible) {
            return verdict;
        }
        verdict.rival = move_of(meeting_.rival);
        add(costs(!mover_, -meeting_.at, limits_.most), best_.front(), false, verdict);
        add(costs(mover_, meeting_.at + margin_, limits_.most), meeting_.rival, true, verdict);
        std::ranges::stable_sort(verdict.carriers, {}, &Carrier::cost);
        verdict.cost = 0;
        for (const Carrier& carrier : verdict.carriers) {
            verdict.cost += carrier.cost;
        }
        return verdict;
    }

private:
    // Where the two may meet: below the one or above the other both get dearer.
    void begin() {
        begun_ = true;
        const LineValues values{graph_, line_};
        const auto value = [&](const FlipMove& move) {
            const int rank =
                move.index == the_rest ? move.rank : values.alpha_of(move.index).value.rank();
            return std::clamp(rank, -farthest, farthest);
        };
        int second = -farthest;
        for (const FlipMove& move : rivals_) {
            second = std::max(second, value(move));
        }
        high_ = value(best_.front());
        low_ = std::min(second - margin_, high_);
        coarse_ = between(low_, high_);
    }

    static std::vector<int> between(int low, int high) {
        constexpr int parts = 8;
        std::vector<int> points;
        for (int i = 0; i <= parts; ++i) {
            points.push_back(low + (high - low) * i / parts);
        }
        const auto doubles = std::ranges::unique(points);
        points.erase(doubles.begin(), doubles.end());
        return points;
    }

    FlipCosts costs(chess::Color side, int threshold, double most) const {
        return {game_, side, threshold, {noise_.largest(), most, limits_.positions}};
    }
    double cost(const FlipCosts& of, const FlipMove& move) const {
        return move.leaf ? of.of_leaf(move, mover_) : of.of(move.target);
    }

    void look(int at) {
        const double most = std::min(limits_.most, meeting_.cost);
        FlipCosts fall = costs(!mover_, -at, most);
        ask(fall, best_);
        const double falls = cost(fall, best_.front());
        bound_ = bound_ || fall.bound();
        if (falls >= most) {
            return;
        }
        FlipCosts rise = costs(mover_, at + margin_, most - falls);
        ask(rise, rivals_);
        bound_ = bound_ || rise.bound();
        for (const FlipMove& rival : rivals_) {
            const double all = falls + cost(rise, rival);
            if (all < meeting_.cost && all <= limits_.most) {
                meeting_ = {at, all, rival};
            }
        }
    }

    static void ask(FlipCosts& costs, const std::vector<FlipMove>& moves) {
        for (const FlipMove& move : moves) {
            if (!move.leaf) {
                costs.ask(move.target);
            }
        }
        costs.settle();
    }

    void add(FlipCosts costs, const FlipMove& top, bool lifts_rival, Verdict& verdict) const {
        std::vector<FlipCosts::Leaf> leaves;
        const int threshold =
            lifts_rival ? verdict.meeting.rank() + margin_ : -verdict.meeting.rank();
        const chess::Color side = lifts_rival ? mover_ : !mover_;
        ask(costs, {top});
        if (top.leaf) {
            if (costs.of_leaf(top, mover_) > 0) {
                leaves.push_back({number(node_), top.index});
            }
        } else if (costs.of(top.target) < impossible) {
            costs.collect(top.target, leaves);
        }
        std::ranges::sort(leaves);
        for (const FlipCosts::Leaf& leaf : leaves) {
            verdict.carriers.push_back(carrier(leaf, side, threshold, lifts_rival, costs));
        }
        add_lines(top, lifts_rival, verdict);
    }

    Carrier carrier(const FlipCosts::Leaf& leaf, chess::Color side, int threshold, bool lifts_rival,
                    const FlipCosts& costs) const {
        const NodeId node{leaf.node};
        std::vector<FlipMove> moves;
        if (leaf.index == the_rest) {
            game_.moves(leaf.node, moves);
        }
        const FlipMove move =
            leaf.index == the_rest ? moves.back() : game_.of_move(node, leaf.index);
        const chess::Color mover = game_.turn(leaf.node);
        Carrier made;
        made.node = node;
        made.score = chess::Score::cp(move.rank);
        made.needed = chess::Score::cp(mover == side ? threshold : -threshold);
        made.cost = costs.of_leaf(move, mover);
        made.lifts_rival = lifts_rival;
        if (leaf.index != the_rest) {
            const GraphMove& known = graph_.moves(node)[leaf.index];
            made.move = known.move;
            made.evaluation = EvaluationId{known.evaluation};
            made.effort = known.effort;
        } else {
            for (const GraphMove& known : graph_.moves(node)) {
                made.effort = std::max(made.effort, known.effort);
            }
        }
        return made;
    }

    // The shortest ways to where they were asked.
    void add_lines(const FlipMove& top, bool lifts_rival, Verdict& verdict) const {
        std::unordered_map<std::uint32_t, std::vector<Carrier*>> wanted;
        for (Carrier& each : verdict.carriers) {
            if (each.lifts_rival == lifts_rival && each.node != node_) {
                wanted[number(each.node)].push_back(&each);
            }
        }
        if (wanted.empty() || top.leaf) {
            return;
        }
        struct Step {
            NodeId from;
            std::size_t move;
        };
        std::unordered_map<std::uint32_t, Step> came{{top.target, {node_, top.index}}};
        std::vector<NodeId> open{NodeId{top.target}};
        std::size_t left = wanted.size();
        for (std::size_t next = 0; next < open.size() && left > 0; ++next) {
            const auto found = wanted.find(number(open[next]));
            if (found != wanted.end()) {
                --left;
                for (Carrier* each : found->second) {
                    NodeId at = each->node;
                    while (at != node_) {
                        const Step& step = came.at(number(at));
                        each->line.push_back(graph_.moves(step.from)[step.move].move);
                        at = step.from;
                    }
                    std::ranges::reverse(each->line);
                }
            }
            const auto moves = graph_.moves(open[next]);
            for (std::size_t i = 0; i < moves.size(); ++i) {
                if (moves[i].target != node_ && graph_.expanded(moves[i].target) &&
                    came.emplace(number(moves[i].target), Step{open[next], i}).second) {
                    open.push_back(moves[i].target);
                }
            }
        }
    }

    const Graph& graph_;
    const std::vector<NodeId> line_;
    const NodeId node_;
    const chess::Color mover_;
    const int margin_;
    const LeafNoise noise_;
    const VerdictLimits limits_;
    const GraphGame game_;
    std::vector<FlipMove> best_; // one, or none
    std::vector<FlipMove> rivals_;
    bool bound_ = false;

    // Meetings first far apart, then near the cheapest one.
    bool begun_ = false;
    int low_ = 0, high_ = 0;
    std::vector<int> coarse_;
    std::size_t next_ = 0; // of these
    bool refined_ = false;
    int centre_ = 0, step_ = 0;
    bool lower_ = true;
    Meeting meeting_;
};

double LeafNoise::of(double effort_of_leaf) const {
    return std::clamp(sigma * std::exp2(-falls * (effort_of_leaf - effort)), sigma / 4, largest());
}

LeafNoise leaf_noise(const std::optional<Noise>& noise, const Limit& limit) {
    LeafNoise made;
    made.effort = analysis::effort(limit);
    if (noise) { // a difference of two searches has twice the variance of one
        made.sigma = std::max(made.sigma, noise->sigma / std::numbers::sqrt2);
    }
    return made;
}

VerdictSearch::VerdictSearch(const Graph& graph, std::vector<NodeId> line, chess::Move best,
                             int margin, const LeafNoise& noise, std::vector<chess::Move> excluded,
                             const VerdictLimits& limits) {
    if (!graph.exact(line.back()) && graph.expanded(line.back())) {
        asking_ =
            std::make_unique<Asking>(graph, std::move(line), best, margin, noise, excluded, limits);
        if (!asking_->has_rival()) {
            asking_.reset();
        }
    }
}

VerdictSearch::~VerdictSearch() = default;

bool VerdictSearch::go_on() {
    return asking_ && asking_->go_on();
}

std::optional<Verdict> VerdictSearch::take() const {
    return asking_ ? std::optional{asking_->told()} : std::nullopt;
}

std::optional<Verdict> verdict(const Graph& graph, std::span<const NodeId> line, chess::Move best,
                               int margin, const LeafNoise& noise,
                               std::span<const chess::Move> excluded, const VerdictLimits& limits) {
    VerdictSearch search{graph, {line.begin(), line.end()},         best,  margin,
                         noise, {excluded.begin(), excluded.end()}, limits};
    while (search.go_on()) {
    }
    return search.take();
}

} // namespace adjourn::analysis
