// What changed since a moment: the tree as of then, rebuilt from the facts, and the same tree after
// the newer ones. Of what it was then, only values and best moves are kept.
#include "api/views/changes.hpp"

#include "analysis/graph.hpp"
#include "api/views/view.hpp"
#include "base/free_memory.hpp"
#include "core/graphs/graph_slot.hpp"

#include <algorithm>
#include <span>

namespace adjourn::server {

using analysis::Graph;
using analysis::NodeId;
using nlohmann::json;

namespace {

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

// How many of the newer facts are of positions that the tree has.
std::size_t count_in_tree(const Graph& graph, NodeId root, const std::vector<NodeId>& newer) {
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
    return static_cast<std::size_t>(std::ranges::count_if(
        newer, [&](NodeId node) { return met[static_cast<std::size_t>(node)]; }));
}

// Takes the facts in: a few one by one, many at once.
void go_on(Graph& graph, const std::vector<analysis::Evaluation>& facts) {
    constexpr std::size_t many = 8; // a part of the graph; all at once costs what the graph does
    const bool at_once = facts.size() > graph.move_count() / many;
    if (at_once) {
        graph.begin_bulk();
    }
    for (const analysis::Evaluation& fact : facts) {
        graph.apply(fact);
    }
    if (at_once) {
        graph.end_bulk();
    }
}

} // namespace

std::vector<Changes> changes_of(const storage::Store& store, const GraphKey& key,
                                std::span<const ChangesAsked> asked, analysis::UnixMs since,
                                analysis::UnixMs now,
                                const std::shared_ptr<const analysis::Tables>& tables,
                                const std::stop_token& stop) {
    analysis::GraphReader reader{tables, key.basis};
    std::vector<analysis::Evaluation> newer;
    std::vector<analysis::EngineId> engines = key.accepted;
    if (key.engine != analysis::EngineId{}) {
        engines.push_back(key.engine);
    }
    for (const analysis::EngineId engine : engines) {
        const auto take = [&](const analysis::Evaluation& fact) {
            if (!analysis::counts(key.basis, fact)) {
                return;
            }
            if (fact.at <= since) {
                reader.take(fact);
            } else {
                newer.push_back(fact);
                newer.back().pv = {};
            }
        };
        const auto wanted = [&](const storage::EvaluationMark& mark) {
            return mark.at <= now && !stop.stop_requested();
        };
        store.for_each_evaluation(engine, take, {}, wanted);
    }
    std::vector<chess::Position> roots;
    for (const ChangesAsked& each : asked) {
        roots.push_back(each.root);
    }
    Graph graph = reader.finish(roots);
    std::vector<RootThen> before;
    for (const ChangesAsked& each : asked) {
        before.push_back(look_at(graph, graph.intern(each.root), each.root, each.repeated));
    }
    const Past past{graph};
    go_on(graph, newer);
    std::vector<NodeId> places; // of the newer facts
    for (const analysis::Evaluation& fact : newer) {
        if (const auto node = graph.find(fact.question.position)) {
            places.push_back(*node);
        }
    }
    std::vector<Changes> all;
    for (std::size_t i = 0; i < asked.size() && !stop.stop_requested(); ++i) {
        const NodeId node = graph.intern(asked[i].root);
        Comparison comparison{past, graph, node};
        while (comparison.step()) {
        }
        all.push_back({since,
                       now,
                       count_in_tree(graph, node, places),
                       std::move(before[i]),
                       look_at(graph, node, asked[i].root, asked[i].repeated),
                       comparison.result(),
                       {}});
        all.back().find_refutation(graph, node);
    }
    return all;
}

json changes_json(const storage::Store& store, const GraphKey& key, const chess::Position& root,
                  const std::vector<chess::Position>& repeated, analysis::UnixMs since,
                  analysis::UnixMs now, const std::shared_ptr<const analysis::Tables>& tables,
                  const std::stop_token& stop) {
    const ChangesAsked asked{root, repeated};
    const auto all = changes_of(store, key, std::span{&asked, 1}, since, now, tables, stop);
    base::give_back_free_memory(); // a tree was there
    return all.empty() ? json{} : changes_told(all.front(), root);
}

} // namespace adjourn::server
