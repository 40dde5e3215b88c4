// What changed since a moment: the graph as it is, and a copy of it that has gone back.
#include "analysis/graph.hpp"
#include "analysis/move_order.hpp"
#include "analysis/root_answer.hpp"
#include "api/views/changes.hpp"
#include "api/views/graph_views.hpp"
#include "base/free_memory.hpp"
#include "chess/notation.hpp"
#include "core/graphs/graph_slot.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <ranges>
#include <span>
#include <unordered_set>

namespace adjourn::server {

using analysis::Graph;
using analysis::GraphMove;
using analysis::NodeId;
using nlohmann::json;

namespace {

constexpr std::size_t most_of_each = 20; // list

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

// A position with what decides there; null: nothing does.
struct Judged {
    const Graph& graph;
    NodeId node;
    const analysis::JointSearch* court = nullptr;

    chess::Score value(std::size_t i) const {
        return after_court(graph, graph.moves(node)[i], graph.game_value_of(node, i), court);
    }
    std::vector<std::size_t> ordered() const { // its moves, best first
        const auto moves = graph.moves(node);
        std::vector<std::size_t> order(moves.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::sort(order, {}, [&](std::size_t i) {
            return analysis::move_order(graph, moves[i], value(i));
        });
        return order;
    }
};

// `line`: what occurred twice before the root, and the root.
RootThen look_at(const Judged& judged, const std::vector<NodeId>& line,
                 const chess::Position& root) {
    const Graph& graph = judged.graph;
    RootThen then;
    const analysis::LineValues values{graph, line, judged.court};
    then.alpha = values.alpha();
    for (const std::size_t i : judged.ordered()) {
        then.moves.emplace_back(graph.moves(line.back())[i].move, values.alpha_of(i).value);
    }
    chess::Position position = root;
    for (const chess::Move move :
         analysis::alpha_pv(graph, line, analysis::longest_pv, judged.court)) {
        then.pv.push_back(chess::to_san(position, move));
        position.play(move);
    }
    return then;
}

// Breadth first from the root, best moves first; new are positions that were not expanded before
// and whose parent was. `before` has the first nodes of `graph`, which may grow meanwhile.
Differences compare(const Judged& then, const Judged& now, chess::Color at_root,
                    const GraphReading& reading) {
    const Graph& before = then.graph;
    const Graph& graph = now.graph;
    const NodeId root = now.node;
    struct Open {
        NodeId node;
        std::vector<chess::Move> line;
    };
    std::vector<Open> open{{root, {}}};
    std::unordered_set<NodeId> met{root};
    const auto was = [&](NodeId node) {
        return static_cast<std::size_t>(node) < before.node_count();
    };
    Differences found;
    for (std::size_t next = 0; next < open.size() && next < most_positions_seen; ++next) {
        reading.breathe();
        const auto [node, line] = std::move(open[next]);
        const Judged here = node == root ? now : Judged{graph, node};
        const std::vector<std::size_t> order = here.ordered();
        const bool known = was(node) && before.expanded(node);
        if (known) {
            // The best move then and now, where the one of then is worth less than the other now.
            const auto moves = graph.moves(node);
            const Judged there = node == root ? then : Judged{before, node};
            const chess::Move old = before.moves(node)[there.ordered().front()].move;
            const auto at = std::ranges::find(moves, old, &GraphMove::move) - moves.begin();
            if (here.value(static_cast<std::size_t>(at)) < here.value(order.front())) {
                found.best.push_back({line, old, moves[order.front()].move});
            }
        }
        for (const std::size_t i : order) {
            const GraphMove move = graph.moves(node)[i];
            if (!graph.expanded(move.target) || !met.insert(move.target).second) {
                continue;
            }
            std::vector<chess::Move> longer = line;
            longer.push_back(move.move);
            const bool white_moves =
                (longer.size() % 2 == 0 ? at_root : !at_root) == chess::Color::white;
            const auto white = [&](chess::Score score) { return white_moves ? score : -score; };
            const chess::Score is = *graph.game_value(move.target);
            const auto old = was(move.target) ? before.game_value(move.target) : std::nullopt;
            if (old && is != *old) {
                found.swings.push_back({longer, white(*old), white(is)});
            } else if (!old && (line.empty() || known)) {
                found.lines.push_back({longer, white(is)});
            }
            open.push_back({move.target, std::move(longer)});
        }
    }
    std::ranges::stable_sort(found.swings, std::greater{}, &Swing::size);
    std::ranges::stable_sort(found.lines, {}, [](const NewLine& line) { return line.line.size(); });
    return found;
}

// The positions of the newer facts, each as often as it has one; and what was known before of the
// positions whose moves have newer scores.
struct Newer {
    std::vector<NodeId> places;
    std::vector<analysis::Evaluation> older;
};

// Only facts that the graph does not tell enough of are more than seen.
Newer read_newer(const storage::Store& store, const GraphKey& key, const Graph& graph,
                 analysis::UnixMs since, const std::stop_token& stop) {
    Newer found;
    std::vector<analysis::EvaluationId> in_force; // the newer ones
    for (std::uint32_t n = 0; n < graph.node_count(); ++n) {
        for (const GraphMove& move : graph.moves(NodeId{n})) {
            if (move.at > since) {
                in_force.push_back(move.evaluation);
                found.places.push_back(NodeId{n});
            }
        }
    }
    std::ranges::sort(in_force);
    const auto take = [&](const analysis::Evaluation& fact) {
        if (!analysis::counts(key.basis, fact)) {
            return;
        }
        if (fact.at <= since) {
            const bool renewed = key.renews(fact.question.engine);
            found.older.push_back(renewed ? analysis::provisional(fact, key.basis) : fact);
            found.older.back().pv = {};
        } else if (const auto node = graph.find(fact.question.position)) {
            found.places.push_back(*node);
        }
    };
    for (const analysis::EngineId engine : key.engines()) {
        auto next = in_force.begin(); // facts come in the order of their ids, as these are
        const auto wanted = [&](const storage::EvaluationMark& mark) {
            next = std::find_if(next, in_force.end(), [&](auto id) { return id >= mark.id; });
            const auto beside = [&](analysis::EvaluationId id) {
                return storage::position_of(id) == storage::position_of(mark.id);
            };
            return !stop.stop_requested() &&
                   (mark.at > since ? next == in_force.end() || *next != mark.id
                                    : (next != in_force.end() && beside(*next)) ||
                                          (next != in_force.begin() && beside(*(next - 1))));
        };
        store.for_each_evaluation(engine, take, {}, wanted);
    }
    return found;
}

// How many of the newer facts are of positions that the tree has.
std::size_t count_in_tree(const Graph& graph, NodeId root, const std::vector<NodeId>& newer) {
    std::vector<bool> met(graph.node_count());
    met[static_cast<std::size_t>(root)] = true;
    std::vector<NodeId> open;
    for (std::uint32_t n = 0; n < met.size(); ++n) { // in the order of memory, as far as it goes
        if (met[n]) {
            open.push_back(NodeId{n});
        }
        while (!open.empty()) {
            const NodeId node = open.back();
            open.pop_back();
            for (const GraphMove& move : graph.moves(node)) {
                const auto target = static_cast<std::size_t>(move.target);
                if (!met[target] && target < n) {
                    open.push_back(move.target);
                }
                met[target] = true;
            }
        }
    }
    // Of a position where nothing but an answer without score is known, none counts.
    return static_cast<std::size_t>(std::ranges::count_if(newer, [&](NodeId node) {
        return met[static_cast<std::size_t>(node)] && graph.expanded(node);
    }));
}

} // namespace

json changes_told(const Changes& changes, const chess::Position& root) {
    const RootThen& before = changes.before;
    const RootThen& after = changes.after;
    const Differences& found = changes.found;
    json swings = json::array();
    for (const Swing& swing : found.swings | std::views::take(most_of_each)) {
        swings.push_back({{"line", line_json(root, swing.line)},
                          {"before", score_json(swing.before)},
                          {"after", score_json(swing.after)},
                          {"delta", chart_value(swing.after) - chart_value(swing.before)}});
    }
    json lines = json::array();
    for (const NewLine& line : found.lines | std::views::take(most_of_each)) {
        lines.push_back({{"line", line_json(root, line.line)}, {"alpha", score_json(line.alpha)}});
    }
    json best = json::array();
    for (const NewBest& change : found.best | std::views::take(most_of_each)) {
        const chess::Position position = root.after(change.line);
        best.push_back({{"line", line_json(root, change.line)},
                        {"before", move_json(position, change.before)},
                        {"after", move_json(position, change.after)}});
    }
    return {{"since", changes.since},
            {"now", changes.now},
            {"evaluations", changes.evaluations},
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

Graph read_graph(const storage::Store& store, const GraphKey& key, const chess::Position& root,
                 const std::shared_ptr<const analysis::Tables>& tables,
                 const std::stop_token& stop) {
    analysis::GraphReader reader{tables, key.basis};
    for (const analysis::EngineId engine : key.engines()) {
        const bool renewed = key.renews(engine);
        const auto take = [&](const analysis::Evaluation& fact) {
            reader.take(renewed ? analysis::provisional(fact, key.basis) : fact);
        };
        store.for_each_evaluation(engine, take, {}, [&](const storage::EvaluationMark&) {
            return !stop.stop_requested();
        });
    }
    return reader.finish(std::span{&root, 1});
}

std::vector<Changes> changes_of(const storage::Store& store, const GraphKey& key,
                                const Graph& graph, const GraphReading& reading,
                                std::span<const ChangesAsked> asked, analysis::UnixMs since,
                                analysis::UnixMs now, const std::stop_token& stop) {
    std::vector<std::vector<NodeId>> lines; // to the roots
    for (const ChangesAsked& each : asked) {
        auto& line = lines.emplace_back();
        for (const chess::Position& position : each.repeated) {
            if (const auto known = graph.find(position.packed())) {
                line.push_back(*known);
            }
        }
        line.push_back(*graph.find(each.root.packed()));
    }
    Graph before = graph.copy_in_bulk();
    std::vector<std::size_t> evaluations;
    reading.without_graph([&] {
        const Newer newer = read_newer(store, key, before, since, stop);
        for (const auto& line : lines) {
            evaluations.push_back(count_in_tree(before, line.back(), newer.places));
        }
        before.go_back(since, newer.places, newer.older);
        if (!stop.stop_requested()) {
            before.end_bulk();
        }
    });
    std::vector<Changes> all;
    for (std::size_t i = 0; i < asked.size() && !stop.stop_requested(); ++i) {
        const NodeId node = lines[i].back();
        const auto judged = [&](const Graph& of) {
            return Judged{of, node, asked[i].court ? analysis::court_of(of, lines[i]) : nullptr};
        };
        Changes& changes = all.emplace_back(
            Changes{since,
                    now,
                    evaluations[i],
                    look_at(judged(before), lines[i], asked[i].root),
                    look_at(judged(graph), lines[i], asked[i].root),
                    compare(judged(before), judged(graph), asked[i].root.turn(), reading),
                    {}});
        if (const NewBest* best = changes.new_best()) {
            changes.refuted = analysis::refutation(graph, node, best->before, best->after, since);
        }
    }
    return all;
}

json changes_json(const storage::Store& store, const GraphKey& key, const Graph& graph,
                  const GraphReading& reading, const chess::Position& root,
                  const std::vector<chess::Position>& repeated, analysis::UnixMs since,
                  analysis::UnixMs now, const std::stop_token& stop, bool court) {
    const ChangesAsked asked{root, repeated, court};
    const auto all = changes_of(store, key, graph, reading, std::span{&asked, 1}, since, now, stop);
    base::give_back_free_memory(); // a tree was there
    return all.empty() ? json{} : changes_told(all.front(), root);
}

} // namespace adjourn::server
