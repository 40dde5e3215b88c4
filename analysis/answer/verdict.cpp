#include "analysis/verdict.hpp"

#include "analysis/answer/flip.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numbers>

namespace adjourn::analysis {

namespace {

constexpr std::size_t the_rest = GraphGame::the_rest;
constexpr int farthest = 2'000; // cp; meetings beyond decide nothing

std::uint32_t number(NodeId node) {
    return static_cast<std::uint32_t>(node);
}

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
           const LeafNoise& noise, std::vector<chess::Move> excluded, const VerdictLimits& limits)
        : graph_{graph}, line_{std::move(line)}, node_{line_.back()},
          mover_{graph.position(node_).turn()}, margin_{margin}, noise_{noise}, limits_{limits},
          game_{graph, line_, noise, std::move(excluded)} {
        std::vector<FlipMove> all;
        game_.moves(number(node_), all);
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
        } else if (meetings_.empty() && meeting_.cost == impossible) { // none is that cheap
            if (most_ >= limits_.most) {
                return false;
            }
            most_ = std::min(3 * most_, limits_.most);
            meetings_ = between(low_, high_);
        } else if (meetings_.empty()) { // nearer to the cheapest one
            if (step_ == 0) {
                return false;
            }
            meetings_ = {std::max(low_, meeting_.at - step_), std::min(high_, meeting_.at + step_)};
            step_ /= 2;
        }
        look(meetings_.front());
        meetings_.pop_front();
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
        const double most = std::min(1.001 * meeting_.cost + 0.001, limits_.most); // it is found
        add(costs(!mover_, -meeting_.at, most), best_.front(), false, verdict);
        add(costs(mover_, meeting_.at + margin_, most), meeting_.rival, true, verdict);
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
        meetings_ = between(low_, high_);
        step_ = (high_ - low_) / (2 * parts);
    }

    static std::deque<int> between(int low, int high) {
        std::deque<int> points;
        for (int i = 0; i <= parts; ++i) {
            const int at = low + (high - low) * i / parts;
            if (points.empty() || points.back() != at) {
                points.push_back(at);
            }
        }
        return points;
    }

    FlipCosts costs(chess::Color side, int threshold, double most) const {
        return {game_, side, threshold, {noise_.largest(), most, limits_.most, limits_.positions}};
    }
    double cost(const FlipCosts& of, const FlipMove& move) const {
        return move.leaf ? of.of_leaf(move, mover_) : of.of(move.target);
    }

    void look(int at) {
        const double most = std::min(most_, meeting_.cost);
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
            if (all < meeting_.cost && all <= most_) {
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
        const int threshold =
            lifts_rival ? verdict.meeting.rank() + margin_ : -verdict.meeting.rank();
        const chess::Color side = lifts_rival ? mover_ : !mover_;
        ask(costs, {top});
        if (top.leaf) {
            if (costs.of_leaf(top, mover_) > 0) {
                add({{number(node_), top.index}, {}}, top, side, threshold, costs, verdict);
            }
        } else if (costs.of(top.target) < impossible) {
            for (FlipCosts::Leaf& leaf : costs.leaves(top.target)) {
                leaf.way.insert(leaf.way.begin(), {number(node_), top.index});
                const auto move = game_.move(NodeId{leaf.at.first}, leaf.at.second);
                if (move) {
                    add(leaf, *move, side, threshold, costs, verdict);
                }
            }
        }
    }

    void add(const FlipCosts::Leaf& leaf, const FlipMove& move, chess::Color side, int threshold,
             const FlipCosts& costs, Verdict& verdict) const {
        const auto [position, index] = leaf.at;
        const chess::Color mover = game_.turn(position);
        const auto moves = graph_.moves(NodeId{position});
        Carrier& made = verdict.carriers.emplace_back();
        made.node = NodeId{position};
        for (const auto& [from, step] : leaf.way) {
            made.line.push_back(graph_.moves(NodeId{from})[step].move);
        }
        made.score = chess::Score::cp(move.hoped.value_or(move.rank));
        made.needed = chess::Score::cp(mover == side ? threshold : -threshold);
        made.cost = costs.of_leaf(move, mover);
        made.lifts_rival = side == mover_;
        if (index == the_rest) {
            made.effort = std::ranges::max_element(moves, {}, &GraphMove::effort)->effort;
        } else {
            made.move = moves[index].move;
            made.evaluation = EvaluationId{moves[index].evaluation};
            made.effort = moves[index].effort;
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

    // First far apart, then ever nearer to the cheapest one; where none of the first is cheap, once
    // more with dearer ones: the less a set may cost, the fewer positions can be part of it.
    static constexpr int parts = 8;
    double most_ = 2.5;
    bool begun_ = false;
    int low_ = 0, high_ = 0;
    std::deque<int> meetings_; // to be looked at
    int step_ = 0;
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

std::optional<PlannedQuestion> question_about(const Graph& graph, const Carrier& carrier,
                                              const Limit& limit,
                                              std::span<const chess::Move> excluded) {
    PlannedQuestion question{QuestionKind::first, carrier.node, carrier.line, limit, {}, false};
    if (!carrier.move) { // the best of what was not asked
        question.kind = QuestionKind::alternative;
        question.excluded.assign(excluded.begin(), excluded.end());
        for (const GraphMove& move : graph.moves(carrier.node)) {
            if (move.effort >= effort(limit)) {
                question.excluded.push_back(move.move);
            }
        }
        std::ranges::sort(question.excluded);
        question.excluded.erase(std::unique(question.excluded.begin(), question.excluded.end()),
                                question.excluded.end());
        const std::size_t choices = graph.position(carrier.node).legal_moves().size();
        return question.excluded.size() < choices ? std::optional{question} : std::nullopt;
    }
    const auto moves = graph.moves(carrier.node);
    const auto move = std::ranges::find(moves, *carrier.move, &GraphMove::move);
    if (move == moves.end() || graph.exact(move->target)) {
        return std::nullopt;
    }
    question.node = move->target;
    question.line.push_back(*carrier.move);
    if (graph.expanded(move->target)) { // its word outweighs what is known below
        question.limit = limit_of(limit.kind, std::max(move->effort, effort(limit)));
    }
    return question;
}

} // namespace adjourn::analysis
