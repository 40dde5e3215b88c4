#include "analysis/verdict.hpp"
#include "analysis/answer/flip.hpp"
#include "base/text.hpp"
#include "chess/score.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numbers>
#include <optional>
#include <utility>

namespace adjourn::analysis {

double leaf_cost(int rank, double sigma, int threshold) {
    if (rank >= threshold) {
        return 0;
    }
    if (sigma <= 0 || std::abs(rank) > chess::Score::max_cp) {
        return impossible;
    }
    const double away = (threshold - rank) / sigma;
    const double chance = 0.5 * std::erfc(away / std::numbers::sqrt2);
    return chance > 0 ? -std::log(chance) : impossible;
}

double FlipCosts::of_leaf(const FlipMove& move, chess::Color mover) const {
    const double cost = leaf_cost(mover == side_ ? move.rank : -move.rank, move.sigma, threshold_);
    if (cost == 0 || mover != side_ || !move.hoped) {
        return cost;
    }
    return std::max(std::numbers::ln2, leaf_cost(*move.hoped, move.sigma, threshold_));
}

double FlipCosts::of(std::uint32_t node) const {
    return asked(node).cost;
}

FlipCosts::Local FlipCosts::find(std::uint32_t node) {
    const auto [found, added] = known_.emplace(node, static_cast<Local>(nodes_.size()));
    if (!added) {
        ++nodes_[found->second].entries;
        return found->second;
    }
    Node made;
    made.node = node;
    made.own = game_.turn(node) == side_;
    made.entries = 1;
    const auto settled = [&made](double cost) {
        made.state = State::settled;
        made.cost = cost;
    };
    if (game_.on_line(node)) {
        settled(threshold_ <= 0 ? 0 : impossible);
    } else if (!game_.may_return(node)) {
        const int rank = game_.value(node);
        const int own = made.own ? rank : -rank;
        if (own >= threshold_) {
            settled(0);
        } else if (std::abs(own) <= chess::Score::max_cp &&
                   leaf_cost(own, limits_.sigma, threshold_) > limits_.off) {
            settled(impossible); // a leaf that is worth no more has to change
        }
    }
    nodes_.push_back(std::move(made));
    above_.emplace_back();
    return found->second;
}

void FlipCosts::open(Local at) {
    const chess::Color mover = game_.turn(nodes_[at].node);
    moves_.clear();
    game_.moves(nodes_[at].node, moves_);
    std::vector<Edge> edges;
    edges.reserve(moves_.size());
    double leaves = 0; // that all have to change
    for (const FlipMove& move : moves_) {
        if (move.leaf) {
            edges.push_back({0, true, move.index, of_leaf(move, mover)});
            leaves += edges.back().cost;
        }
    }
    if (!nodes_[at].own && leaves > limits_.most) {
        nodes_[at].state = State::settled; // impossible, whatever is below
        return;
    }
    for (const FlipMove& move : moves_) {
        if (move.leaf) {
            continue;
        }
        const Local child = find(move.target);
        above_[child].emplace_back(at, edges.size());
        edges.push_back({child, false, move.index, 0});
    }
    nodes_[at].edges = std::move(edges);
}

void FlipCosts::settle() {
    for (Local at = 0; at < nodes_.size(); ++at) {
        if (nodes_[at].state != State::open) {
            continue;
        }
        if (nodes_.size() >= limits_.positions) {
            nodes_[at].state = State::settled; // as if it were impossible
            bound_ = true;
            continue;
        }
        open(at);
    }
    find_forced();
    sweep();
    // Where endless play is enough, a leaf may be all that keeps a cycle from being endless.
    bound_ = bound_ || std::ranges::any_of(nodes_, [this](const Node& node) {
                 return node.entries > 1 && node.cost > 0 &&
                        (node.cost < impossible || (threshold_ <= 0 && !node.edges.empty()));
             });
}

// Where endless play is enough, whatever the other side cannot force costs nothing.
void FlipCosts::find_forced() {
    if (threshold_ > 0) {
        for (Node& node : nodes_) {
            node.forced = node.cost > 0;
        }
        return;
    }
    std::vector<Local> found;
    std::vector<std::size_t> left(nodes_.size());
    const auto force = [&](Local at) {
        nodes_[at].forced = true;
        found.push_back(at);
    };
    for (Local at = 0; at < nodes_.size(); ++at) {
        const Node& node = nodes_[at];
        if (node.state == State::settled) {
            if (node.cost > 0) {
                force(at);
            }
            continue;
        }
        const auto short_of = static_cast<std::size_t>(std::ranges::count_if(
            node.edges, [](const Edge& edge) { return edge.leaf && edge.cost > 0; }));
        left[at] = node.edges.size() - short_of;
        if (node.own ? left[at] == 0 : short_of > 0) {
            force(at);
        }
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
        for (const auto& [above, edge] : above_[found[i]]) {
            if (!nodes_[above].forced && (!nodes_[above].own || --left[above] == 0)) {
                force(above);
            }
        }
    }
    for (Node& node : nodes_) {
        if (!node.forced) {
            node.state = State::settled;
            node.cost = 0;
        }
    }
}

bool FlipCosts::costs(const Edge& edge) const {
    return edge.leaf ? edge.cost > 0 : nodes_[edge.child].forced;
}

void FlipCosts::offer(Local at, std::size_t edge, double cost) {
    Node& node = nodes_[at];
    if (cost < node.cost && cost <= limits_.most) {
        node.cost = cost;
        node.best = edge;
        ready_.emplace(cost, at);
    }
}

void FlipCosts::sweep() {
    for (Local at = 0; at < nodes_.size(); ++at) {
        Node& node = nodes_[at];
        if (node.state == State::settled) {
            continue;
        }
        for (std::size_t i = 0; i < node.edges.size(); ++i) {
            const Edge& edge = node.edges[i];
            const double cost = edge.leaf ? edge.cost : costs(edge) ? impossible : 0;
            if (node.own) {
                if (edge.leaf || cost == 0) {
                    offer(at, i, cost);
                }
            } else if (edge.leaf) {
                node.sum += cost;
            } else if (cost > 0 && nodes_[edge.child].state == State::settled) {
                node.sum = impossible; // it was found impossible
            } else {
                node.waiting += cost > 0 ? 1 : 0;
            }
        }
        if (!node.own && node.waiting == 0) {
            offer(at, 0, node.sum);
        }
    }
    while (!ready_.empty()) {
        const auto [cost, at] = ready_.top();
        ready_.pop();
        if (nodes_[at].state == State::settled || cost > nodes_[at].cost) {
            continue;
        }
        nodes_[at].state = State::settled;
        for (const auto& [above, edge] : above_[at]) {
            Node& parent = nodes_[above];
            if (parent.state == State::settled) {
                continue;
            }
            if (parent.own) {
                offer(above, edge, cost);
            } else if (parent.sum += cost; --parent.waiting == 0) {
                offer(above, 0, parent.sum);
            }
        }
    }
}

std::vector<FlipCosts::Leaf> FlipCosts::leaves(std::uint32_t node) const {
    struct Visit {
        Local at;
        std::vector<Step> way;
    };
    std::vector<Leaf> found;
    std::vector<Visit> open{{known_.at(node), {}}};
    std::vector<bool> seen(nodes_.size());
    seen[open.front().at] = true;
    for (std::size_t next = 0; next < open.size(); ++next) {
        const Visit visit = open[next];
        const Node& at = nodes_[visit.at];
        const auto take = [&](const Edge& edge) {
            const Step step{at.node, edge.index};
            if (edge.leaf) {
                if (edge.cost > 0) {
                    found.push_back({step, visit.way});
                }
            } else if (nodes_[edge.child].cost > 0 && !seen[edge.child]) {
                seen[edge.child] = true;
                open.push_back({edge.child, visit.way});
                open.back().way.push_back(step);
            }
        };
        if (at.cost == 0 || at.edges.empty()) {
            continue;
        }
        if (at.own) {
            take(at.edges[at.best]);
        } else {
            std::ranges::for_each(at.edges, take);
        }
    }
    return found;
}

GraphGame::GraphGame(const Graph& graph, std::span<const NodeId> line, const LeafNoise& noise,
                     std::vector<chess::Move> excluded)
    : graph_{graph}, noise_{noise}, asked_{line.back()}, excluded_{std::move(excluded)} {
    for (const NodeId node : line) {
        line_.insert(std::to_underlying(node));
    }
    std::vector<NodeId> open{line.begin(), line.end()};
    while (!open.empty()) {
        const NodeId at = open.back();
        open.pop_back();
        for (const Graph::Parent& parent : graph.parents(at)) {
            const chess::Move move = graph.moves(parent.node)[parent.move].move;
            if (!graph.position(parent.node).is_irreversible(move) &&
                before_.insert(std::to_underlying(parent.node)).second) {
                open.push_back(parent.node);
            }
        }
    }
}

chess::Color GraphGame::turn(std::uint32_t node) const {
    return graph_.position(NodeId{node}).turn();
}

int GraphGame::value(std::uint32_t node) const {
    return graph_.game_value(NodeId{node})->rank();
}

void GraphGame::moves(std::uint32_t number, std::vector<FlipMove>& out) const {
    const NodeId node{number};
    const auto known = graph_.moves(node);
    const std::span<const chess::Move> excluded =
        node == asked_ ? std::span<const chess::Move>{excluded_} : std::span<const chess::Move>{};
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

std::optional<FlipMove> GraphGame::move(NodeId node, std::size_t index) const {
    std::vector<FlipMove> all;
    moves(std::to_underlying(node), all);
    const auto found = std::ranges::find(all, index, &FlipMove::index);
    return found == all.end() ? std::nullopt : std::optional{*found};
}

FlipMove GraphGame::of_move(NodeId node, std::size_t i) const {
    const GraphMove& move = graph_.moves(node)[i];
    if (const auto exact = graph_.exact(move.target)) {
        return {i, 0, true, exact->backed_up().rank(), 0};
    }
    const bool known_below = graph_.expanded(move.target) && !move.trusted;
    if (known_below || line_.contains(std::to_underlying(move.target))) {
        return {i, std::to_underlying(move.target), false, 0, 0};
    }
    return {i, 0, true, move.engine_score.rank(), noise_.of(move.effort)};
}

// No move that was not asked is worth more than the best one, or the position's value would not be
// what it is.
void GraphGame::add_rest(NodeId node, std::span<const chess::Move> excluded, int best,
                         std::vector<FlipMove>& out) const {
    const chess::Position position = graph_.position(node);
    const auto left_out = graph_.excluded_at(position.packed());
    const auto known = graph_.moves(node);
    const auto asked = [&](chess::Move move) {
        return base::contains(left_out, move) || base::contains(excluded, move) ||
               std::ranges::find(known, move, &GraphMove::move) != known.end();
    };
    if (std::ranges::all_of(position.legal_moves(), asked)) {
        return;
    }
    const double effort = std::ranges::max_element(known, {}, &GraphMove::effort)->effort;
    const auto said = graph_.rest_bound(node, 0, excluded);
    const int rank = said ? std::min(said->rank(), best) : best;
    out.push_back({the_rest, 0, true, rank, noise_.of(effort),
                   said && said->rank() > best ? std::optional{said->rank()} : std::nullopt});
}

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
        verdict.lead = lead_;
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
        lead_ = high_ - second;
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
    int low_ = 0, high_ = 0, lead_ = 0;
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
