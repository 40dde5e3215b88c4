#include "graph_reading.hpp"

#include "analysis/graph.hpp"

#include <algorithm>
#include <cstdint>
#include <time.h>
#include <vector>

namespace adjourn::bench {

namespace {

using analysis::Evaluation;
using analysis::Graph;
using analysis::NodeId;

// Seconds of one core that this thread has had.
double thread_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// What a position's moves are from: one evaluation each, without the moves before.
void add_facts(const Graph& graph, NodeId node, std::vector<Evaluation>& facts) {
    std::vector<chess::Move> excluded;
    const chess::PackedPosition position = graph.position(node).packed();
    for (const analysis::GraphMove& move : graph.moves(node)) {
        Evaluation fact;
        fact.id = move.evaluation;
        fact.question = {
            position, analysis::EngineId{1}, {analysis::Limit::Kind::depth, 18}, excluded};
        fact.move = move.move;
        fact.score = move.engine_score;
        fact.pv = {move.move};
        fact.at = move.at;
        excluded.insert(std::ranges::lower_bound(excluded, move.move), move.move);
        facts.push_back(std::move(fact));
    }
}

// What take() needs for all of them, position by position in the order in which they were first
// met, as a store gives them; in seconds of one core.
template <class Take>
double time_facts(const Graph& graph, Take take) {
    constexpr std::size_t at_once = 512;
    double seconds = 0;
    std::vector<Evaluation> facts;
    const auto give = [&] {
        const double start = thread_seconds();
        for (const Evaluation& fact : facts) {
            take(fact);
        }
        seconds += thread_seconds() - start;
        facts.clear();
    };
    for (std::uint32_t n = 0; n < graph.node_count(); ++n) {
        if (graph.expanded(NodeId{n})) {
            add_facts(graph, NodeId{n}, facts);
        }
        if (facts.size() >= at_once) {
            give();
        }
    }
    give();
    return seconds;
}

} // namespace

ReadingTimes time_reading(const Graph& graph, const chess::Position& root) {
    const std::vector<chess::Position> roots{root};
    const std::uint64_t digest = graph.digest();
    ReadingTimes times;
    {
        analysis::GraphReader reader;
        times.together = time_facts(graph, [&](const Evaluation& fact) { reader.take(fact); });
        const double start = thread_seconds();
        const Graph read = reader.finish(roots);
        times.together += thread_seconds() - start;
        times.equal = read.digest() == digest;
    }
    Graph applied;
    applied.begin_bulk();
    times.singly = time_facts(graph, [&](const Evaluation& fact) { applied.apply(fact); });
    const double start = thread_seconds();
    applied.add_root(applied.intern(root));
    applied.end_bulk();
    times.singly += thread_seconds() - start;
    times.equal = times.equal && applied.digest() == digest;
    return times;
}

} // namespace adjourn::bench
