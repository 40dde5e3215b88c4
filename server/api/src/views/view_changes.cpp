// What changed since a moment: the tree as of then, rebuilt from the facts, and the same tree after
// the newer ones. Of what it was then, only values and best moves are kept.
#include "changes.hpp"

#include "analysis/graph.hpp"
#include "api/views/view.hpp"
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

Changes changes_of(const storage::Store& store, const storage::AnalysisRecord& record,
                   const chess::Position& root, const analysis::Basis& basis,
                   analysis::UnixMs since, analysis::UnixMs now,
                   const std::shared_ptr<const analysis::Tables>& tables) {
    analysis::GraphReader reader{tables, basis};
    std::vector<analysis::Evaluation> newer;
    if (record.engine != analysis::EngineId{}) {
        auto engines =
            accepted_engines(store.engines(), parse_spec(record.parameters), record.engine);
        engines.push_back(record.engine);
        for (const analysis::EngineId engine : engines) {
            store.for_each_evaluation(engine, [&](const analysis::Evaluation& fact) {
                if (!analysis::counts(basis, fact) || fact.at > now) {
                    return;
                }
                if (fact.at <= since) {
                    reader.take(fact);
                } else {
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
    go_on(graph, newer);
    const RootThen after = look_at(graph, node, root, repeated);
    Comparison comparison{past, graph, node};
    while (comparison.step()) {
    }
    Changes changes{
        since, now, count_in_tree(graph, node, newer), before, after, comparison.result(), {}};
    changes.find_refutation(graph, node);
    return changes;
}

json changes_json(const storage::Store& store, const storage::AnalysisRecord& record,
                  const chess::Position& root, const analysis::Basis& basis, analysis::UnixMs since,
                  analysis::UnixMs now, const std::shared_ptr<const analysis::Tables>& tables) {
    return changes_told(changes_of(store, record, root, basis, since, now, tables), root);
}

} // namespace adjourn::server
