// What changed since a moment: the tree as of then and as of now, both rebuilt from the facts.
#include "views/view_walks.hpp"

#include "analysis/move_order.hpp"
#include "chess/notation.hpp"
#include "graphs/graph_slot.hpp"
#include "views/view.hpp"

#include <algorithm>
#include <unordered_set>

namespace adjourn::server {

using analysis::Graph;
using analysis::NodeId;
using nlohmann::json;

namespace {

constexpr std::size_t swings_most = 20;
constexpr std::size_t new_lines_most = 20;
constexpr std::size_t new_best_most = 20;

struct Then {
    Graph graph;
    NodeId root;
    std::vector<NodeId> before; // what was repeated before the root

    std::vector<NodeId> line() const {
        std::vector<NodeId> line = before;
        line.push_back(root);
        return line;
    }
    std::optional<chess::Score> alpha() const {
        return analysis::LineValues{graph, line()}.alpha();
    }
};

Then rebuild(const std::vector<analysis::Evaluation>& facts, const chess::Position& root,
             const std::vector<chess::Position>& repeated, analysis::UnixMs until,
             const analysis::Basis& basis, const std::shared_ptr<const analysis::Tables>& tables) {
    Then then{Graph{tables, basis}, NodeId{}, {}};
    then.graph.begin_bulk();
    for (const analysis::Evaluation& fact : facts) {
        if (fact.at <= until) {
            then.graph.apply(fact);
        }
    }
    then.root = then.graph.intern(root);
    then.graph.add_root(then.root);
    then.graph.end_bulk();
    for (const chess::Position& position : repeated) {
        if (const auto node = then.graph.find(position.packed())) {
            then.before.push_back(*node);
        }
    }
    return then;
}

json san_pv(const Then& then, const chess::Position& root) {
    json out = json::array();
    chess::Position position = root;
    for (const chess::Move move : analysis::alpha_pv(then.graph, then.line())) {
        out.push_back(chess::to_san(position, move));
        position.play(move);
    }
    return out;
}

json first_of(const json& pv) {
    return pv.empty() ? json(nullptr) : pv.front();
}

json root_moves(const Then& before, const Then& after, const chess::Position& root) {
    json out = json::array();
    const analysis::LineValues now{after.graph, after.line()};
    const analysis::LineValues old{before.graph, before.line()};
    const auto old_moves = before.graph.moves(before.root);
    const auto new_moves = after.graph.moves(after.root);
    for (std::size_t i = 0; i < new_moves.size(); ++i) {
        json entry = move_json(root, new_moves[i].move);
        entry["after"] = score_json(now.alpha_of(i).value, root.turn());
        entry["before"] = nullptr;
        for (std::size_t k = 0; k < old_moves.size(); ++k) {
            if (old_moves[k].move == new_moves[i].move) {
                entry["before"] = score_json(old.alpha_of(k).value, root.turn());
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

std::optional<std::size_t> best_of(const Graph& graph, NodeId node) {
    const auto moves = graph.moves(node);
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (!best ||
            analysis::move_order(graph, moves[i], graph.game_value_of(node, i)) <
                analysis::move_order(graph, moves[*best], graph.game_value_of(node, *best))) {
            best = i;
        }
    }
    return best;
}

// How many of the facts are newer, of positions that the tree has.
std::size_t count_newer(const Then& tree, const std::vector<analysis::Evaluation>& facts,
                        analysis::UnixMs since) {
    std::unordered_set<NodeId> met{tree.root};
    std::vector<NodeId> open{tree.root};
    for (std::size_t at = 0; at < open.size(); ++at) {
        for (const analysis::GraphMove& move : tree.graph.moves(open[at])) {
            if (tree.graph.expanded(move.target) && met.insert(move.target).second) {
                open.push_back(move.target);
            }
        }
    }
    return static_cast<std::size_t>(
        std::ranges::count_if(facts, [&](const analysis::Evaluation& fact) {
            if (fact.at <= since) {
                return false;
            }
            const auto node = tree.graph.find(fact.question.position);
            return node && met.contains(*node);
        }));
}

// The best move then and now, where the one of then is worth less than the other now.
std::optional<NewBest> new_best(const Then& before, const Then& after, NodeId then, NodeId now,
                                const std::vector<chess::Move>& line) {
    const auto was = best_of(before.graph, then);
    const auto is = best_of(after.graph, now);
    if (!was || !is) {
        return std::nullopt;
    }
    const chess::Move old = before.graph.moves(then)[*was].move;
    const auto moves = after.graph.moves(now);
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (moves[i].move == old &&
            after.graph.game_value_of(now, i) < after.graph.game_value_of(now, *is)) {
            return NewBest{line, old, moves[*is].move};
        }
    }
    return std::nullopt;
}

// Both trees walked together, breadth first; new are positions that were not expanded before and
// whose parent was.
Differences compare(const Then& before, const Then& after) {
    struct Open {
        NodeId node;
        std::vector<chess::Move> line;
    };
    Differences found;
    std::unordered_set<NodeId> met{after.root};
    std::vector<Open> open{{after.root, {}}};
    const auto white = [](chess::Score score, chess::Color mover) {
        return mover == chess::Color::white ? score : -score;
    };
    for (std::size_t at = 0; at < open.size() && at < walk_most; ++at) {
        const Open here = open[at];
        const chess::Position position = after.graph.position(here.node);
        const auto then = before.graph.find(position.packed());
        const bool known = then && before.graph.expanded(*then);
        if (known) {
            if (auto change = new_best(before, after, *then, here.node, here.line)) {
                found.best.push_back(std::move(*change));
            }
        }
        for (const analysis::GraphMove& move : after.graph.moves(here.node)) {
            if (!after.graph.expanded(move.target) || !met.insert(move.target).second) {
                continue;
            }
            std::vector<chess::Move> line = here.line;
            line.push_back(move.move);
            const chess::Position target = after.graph.position(move.target);
            const auto now = after.graph.game_value(move.target);
            const auto old_node = before.graph.find(target.packed());
            const auto old = old_node ? before.graph.game_value(*old_node) : std::nullopt;
            if (now && old && *now != *old) {
                found.swings.push_back(
                    {line, white(*old, target.turn()), white(*now, target.turn())});
            } else if (now && !old) {
                if (here.line.empty() || known) {
                    found.lines.push_back({line, white(*now, target.turn())});
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

} // namespace

json changes_json(const storage::Store& store, const storage::AnalysisRecord& record,
                  const chess::Position& root, const analysis::Basis& basis, analysis::UnixMs since,
                  analysis::UnixMs now, const std::shared_ptr<const analysis::Tables>& tables) {
    std::vector<analysis::Evaluation> facts;
    if (record.engine != analysis::EngineId{}) {
        auto engines = accepted_engines(store, parse_spec(record.parameters), record.engine);
        engines.push_back(record.engine);
        for (const analysis::EngineId engine : engines) {
            store.for_each_evaluation(engine, [&](const analysis::Evaluation& fact) {
                if (usable(fact)) {
                    facts.push_back(fact);
                }
            });
        }
    }
    const auto start = chess::Position::from_fen(record.root_fen);
    const auto repeated = start ? analysis::repeated_before(*start, record.root_moves)
                                : std::vector<chess::Position>{};
    const Then before = rebuild(facts, root, repeated, since, basis, tables);
    const Then after = rebuild(facts, root, repeated, now, basis, tables);
    const Differences found = compare(before, after);
    const json pv_before = san_pv(before, root);
    const json pv_after = san_pv(after, root);
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
            {"evaluations", count_newer(after, facts, since)},
            {"best", {{"before", first_of(pv_before)}, {"after", first_of(pv_after)}}},
            {"alpha",
             {{"before", score_json(before.alpha(), root.turn())},
              {"after", score_json(after.alpha(), root.turn())}}},
            {"pv", {{"before", pv_before}, {"after", pv_after}}},
            {"moves", root_moves(before, after, root)},
            {"new_best", std::move(best)},
            {"swings", std::move(swings)},
            {"new_lines", std::move(lines)}};
}

} // namespace adjourn::server
