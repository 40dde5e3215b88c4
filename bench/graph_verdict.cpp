#include "graph_verdict.hpp"

#include "analysis/root_answer.hpp"
#include "analysis/verdict.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace adjourn::bench {

VerdictTimes time_verdict(const analysis::Graph& graph, analysis::NodeId node) {
    using Clock = std::chrono::steady_clock;
    const auto ms_since = [](Clock::time_point start) {
        return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    };
    const std::array line{node};
    const chess::Move best = analysis::alpha_pv(graph, line, 1).front();
    VerdictTimes times;
    const auto start = Clock::now();
    analysis::VerdictSearch search{
        graph,
        {node},
        best,
        analysis::margin_one_hash,
        analysis::leaf_noise(std::nullopt, {analysis::Limit::Kind::depth, 18})};
    times.longest = ms_since(start);
    for (bool more = true; more;) {
        const auto slice = Clock::now();
        more = search.go_on();
        times.longest = std::max(times.longest, ms_since(slice));
        ++times.slices;
    }
    const auto verdict = search.take();
    times.whole = ms_since(start);
    times.carriers = verdict ? verdict->carriers.size() : 0;
    return times;
}

} // namespace adjourn::bench
