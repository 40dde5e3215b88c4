// What changed since a moment: the tree as of then, rebuilt from the facts, and the same tree after
// the newer ones. Of what it was then, only values and best moves are kept.
#include "views/view_walks.hpp"

#include "analysis/graph_reader.hpp"
#include "analysis/move_order.hpp"
#include "chess/notation.hpp"
#include "graphs/graph_slot.hpp"
#include "views/view.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <unordered_set>

namespace adjourn::server {

using analysis::Graph;
using analysis::NodeId;
using nlohmann::json;

namespace {

constexpr std::size_t swings_most = 20;
constexpr std::size_t new_lines_most = 20;
constexpr std::size_t new_best_most = 20;

// What the root was worth at some moment.
struct RootThen {
    std::optional<chess::Score> alpha;                       // mover's side, as the others
    json pv = json::array();                                 // in SAN
    std::vector<std::pair<chess::Move, chess::Score>> moves; // best first
};

// The moves of a node, best first.
std::vector<std::size_t> ordered(const Graph& graph, NodeId node) {
    const auto moves = graph.moves(node);
    std::vector<std::size_t> order(moves.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) {
        return analysis::move_order(graph, moves[i], graph.game_value_of(node, i));
    });
    return order;
}

// `repeated`: before the root.
RootThen look_at(const Graph& graph, NodeId node, const chess::Position& root,
                 const std::vector<chess::Position>& repeated) {
    std::vector<NodeId> line;
    for (const chess::Position& position : repeated) {
        if (const auto known = graph.find(position.packed())) {
            line.push_back(*known);
        }
    }
    line.push_back(node);
    RootThen then;
    const analysis::LineValues values{graph, line};
    then.alpha = values.alpha();
    for (const std::size_t i : ordered(graph, node)) {
        then.moves.emplace_back(graph.moves(node)[i].move, values.alpha_of(i).value);
    }
    chess::Position position = root;
    for (const chess::Move move : analysis::alpha_pv(graph, line)) {
        then.pv.push_back(chess::to_san(position, move));
        position.play(move);
    }
    return then;
}

json first_of(const json& pv) {
    return pv.empty() ? json(nullptr) : pv.front();
}

json root_moves(const RootThen& before, const RootThen& after, const chess::Position& root) {
    json out = json::array();
    for (const auto& [move, alpha] : after.moves) {
        json entry = move_json(root, move);
        entry["after"] = score_json(alpha, root.turn());
        entry["before"] = nullptr;
        for (const auto& [old, was] : before.moves) {
            if (old == move) {
                entry["before"] = score_json(was, root.turn());
            }
        }
        if (entry["before"] != entry["after"]) {
            out.push_back(std::move(entry));
        }
    }
    return out;
}

struct Swing {
    std::vector<chess::Move> line;
    chess::Score before; // White's side
    chess::Score after;
    int size() const { return std::abs(after.rank() - before.rank()); }
};

struct NewLine {
    std::vector<chess::Move> line;
    chess::Score alpha; // White's side
};

struct NewBest {
    std::vector<chess::Move> line; // to the position
    chess::Move before;
    chess::Move after;
};

struct Differences {
    std::vector<Swing> swings;
    std::vector<NewBest> best;
    std::vector<NewLine> lines;
};

// Precondition: there is a move.
std::size_t best_of(const Graph& graph, NodeId node) {
    const auto moves = graph.moves(node);
    const auto order = [&](std::size_t i) {
        return analysis::move_order(graph, moves[i], graph.game_value_of(node, i));
    };
    std::size_t best = 0;
    for (std::size_t i = 1; i < moves.size(); ++i) {
        best = order(i) < order(best) ? i : best;
    }
    return best;
}

// Values and best moves at some moment, of a graph that grows on.
class Past {
public:
    explicit Past(const Graph& graph) : places_(graph.node_count()) {
        for (std::uint32_t n = 0; n < places_.size(); ++n) {
            const NodeId node{n};
            places_[n].value = graph.game_value(node);
            if (graph.expanded(node)) {
                places_[n].best = graph.moves(node)[best_of(graph, node)].move;
            }
        }
    }

    // Nothing where the position had none.
    std::optional<chess::Score> value(NodeId node) const { return at(node).value; }
    std::optional<chess::Move> best(NodeId node) const { return at(node).best; }

private:
    struct Place {
        std::optional<chess::Score> value;
        std::optional<chess::Move> best;
    };
    Place at(NodeId node) const {
        const auto index = static_cast<std::size_t>(node);
        return index < places_.size() ? places_[index] : Place{};
    }

    std::vector<Place> places_; // by node
};

// How many of the facts are of positions that the tree has.
std::size_t count_in_tree(const Graph& graph, NodeId root,
                          const std::vector<analysis::Evaluation>& facts) {
    std::vector<bool> met(graph.node_count());
    std::vector<NodeId> open;
    const auto enter = [&](NodeId node) {
        if (!met[static_cast<std::size_t>(node)]) {
            met[static_cast<std::size_t>(node)] = true;
            open.push_back(node);
        }
    };
    enter(root);
    while (!open.empty()) {
        const NodeId node = open.back();
        open.pop_back();
        for (const analysis::GraphMove& move : graph.moves(node)) {
            if (graph.expanded(move.target)) {
                enter(move.target);
            }
        }
    }
    return static_cast<std::size_t>(
        std::ranges::count_if(facts, [&](const analysis::Evaluation& fact) {
            const auto node = graph.find(fact.question.position);
            return node && met[static_cast<std::size_t>(*node)];
        }));
}

// The best move then and now, where the one of then is worth less than the other now.
std::optional<NewBest> new_best(const Graph& graph, NodeId node, chess::Move was,
                                const std::vector<chess::Move>& line) {
    const auto moves = graph.moves(node);
    const std::size_t best = best_of(graph, node);
    const auto old = std::ranges::find(moves, was, &analysis::GraphMove::move);
    const auto i = static_cast<std::size_t>(old - moves.begin());
    if (graph.game_value_of(node, i) < graph.game_value_of(node, best)) {
        return NewBest{line, was, moves[best].move};
    }
    return std::nullopt;
}

// Breadth first from the root, best moves first; new are positions that were not expanded before
// and whose parent was.
Differences compare(const Past& before, const Graph& graph, NodeId root) {
    struct Open {
        NodeId node;
        std::vector<chess::Move> line;
    };
    Differences found;
    std::unordered_set<NodeId> met{root};
    std::vector<Open> open{{root, {}}};
    const auto white = [](chess::Score score, chess::Color mover) {
        return mover == chess::Color::white ? score : -score;
    };
    const chess::Color at_root = graph.position(root).turn();
    for (std::size_t at = 0; at < open.size() && at < walk_most; ++at) {
        const Open here = open[at];
        const auto was = before.best(here.node);
        if (was) {
            if (auto change = new_best(graph, here.node, *was, here.line)) {
                found.best.push_back(std::move(*change));
            }
        }
        const chess::Color replies = here.line.size() % 2 == 0 ? !at_root : at_root;
        for (const std::size_t i : ordered(graph, here.node)) {
            const analysis::GraphMove& move = graph.moves(here.node)[i];
            if (!graph.expanded(move.target) || !met.insert(move.target).second) {
                continue;
            }
            std::vector<chess::Move> line = here.line;
            line.push_back(move.move);
            const auto now = graph.game_value(move.target);
            const auto old = before.value(move.target);
            if (now && old && *now != *old) {
                found.swings.push_back({line, white(*old, replies), white(*now, replies)});
            } else if (now && !old) {
                if (here.line.empty() || was) {
                    found.lines.push_back({line, white(*now, replies)});
                }
            }
            open.push_back({move.target, std::move(line)});
        }
    }
    std::stable_sort(found.swings.begin(), found.swings.end(),
                     [](const Swing& a, const Swing& b) { return a.size() > b.size(); });
    std::stable_sort(
        found.lines.begin(), found.lines.end(),
        [](const NewLine& a, const NewLine& b) { return a.line.size() < b.line.size(); });
    return found;
}

// Takes the facts in up to `until`: a few one by one, many at once.
void go_on(Graph& graph, const std::vector<analysis::Evaluation>& facts, analysis::UnixMs until) {
    constexpr std::size_t many = 8; // a part of the graph; all at once costs what the graph does
    const bool at_once = facts.size() > graph.move_count() / many;
    if (at_once) {
        graph.begin_bulk();
    }
    for (const analysis::Evaluation& fact : facts) {
        if (fact.at <= until) {
            graph.apply(fact);
        }
    }
    if (at_once) {
        graph.end_bulk();
    }
}

} // namespace

json changes_json(const storage::Store& store, const storage::AnalysisRecord& record,
                  const chess::Position& root, const analysis::Basis& basis, analysis::UnixMs since,
                  analysis::UnixMs now, const std::shared_ptr<const analysis::Tables>& tables) {
    analysis::GraphReader reader{tables, basis};
    std::vector<analysis::Evaluation> newer;
    if (record.engine != analysis::EngineId{}) {
        auto engines = accepted_engines(store, parse_spec(record.parameters), record.engine);
        engines.push_back(record.engine);
        for (const analysis::EngineId engine : engines) {
            store.for_each_evaluation(engine, [&](const analysis::Evaluation& fact) {
                if (usable(fact) && fact.at <= since) {
                    reader.take(fact);
                } else if (usable(fact)) {
                    newer.push_back(fact);
                    newer.back().pv = {};
                }
            });
        }
    }
    const auto start = chess::Position::from_fen(record.root_fen);
    const auto repeated = start ? analysis::repeated_before(*start, record.root_moves)
                                : std::vector<chess::Position>{};
    Graph graph = reader.finish(std::span{&root, 1});
    const NodeId node = graph.intern(root);
    const RootThen before = look_at(graph, node, root, repeated);
    const Past past{graph};
    go_on(graph, newer, now);
    const RootThen after = look_at(graph, node, root, repeated);
    const Differences found = compare(past, graph, node);
    json swings = json::array();
    for (const Swing& swing : found.swings) {
        if (swings.size() == swings_most) {
            break;
        }
        swings.push_back({{"line", line_json(root, swing.line)},
                          {"before", score_json(swing.before)},
                          {"after", score_json(swing.after)},
                          {"delta", chart_value(swing.after) - chart_value(swing.before)}});
    }
    json lines = json::array();
    for (const NewLine& line : found.lines) {
        if (lines.size() == new_lines_most) {
            break;
        }
        lines.push_back({{"line", line_json(root, line.line)}, {"alpha", score_json(line.alpha)}});
    }
    json best = json::array();
    for (const NewBest& change : found.best) {
        if (best.size() == new_best_most) {
            break;
        }
        chess::Position position = root;
        for (const chess::Move move : change.line) {
            position.play(move);
        }
        best.push_back({{"line", line_json(root, change.line)},
                        {"before", move_json(position, change.before)},
                        {"after", move_json(position, change.after)}});
    }
    return {{"since", since},
            {"now", now},
            {"evaluations", count_in_tree(graph, node, newer)},
            {"best", {{"before", first_of(before.pv)}, {"after", first_of(after.pv)}}},
            {"alpha",
             {{"before", score_json(before.alpha, root.turn())},
              {"after", score_json(after.alpha, root.turn())}}},
            {"pv", {{"before", before.pv}, {"after", after.pv}}},
            {"moves", root_moves(before, after, root)},
            {"new_best", std::move(best)},
            {"swings", std::move(swings)},
            {"new_lines", std::move(lines)}};
}

} // namespace adjourn::server
