// AnalysisOut: what of an analysis is out, and when its next turn is.
// Written by Scheduler. On the core's thread.
#pragma once

#include "engine_bridge/process/job.hpp"

#include "storage/store.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace adjourn::server {

struct AnalysisOut {
    std::size_t in_flight = 0;
    std::uint64_t nodes = 0; // sum of their limits, where these are in nodes
    static std::uint64_t nodes_of(const analysis::Limit& limit) {
        return limit.kind == analysis::Limit::Kind::nodes ? limit.amount : 0;
    }
    void goes_out(const analysis::Limit& limit) {
        ++in_flight;
        nodes += nodes_of(limit);
    }
    void comes_back(const analysis::Limit& limit) {
        --in_flight;
        nodes -= nodes_of(limit);
    }
    // Of what is out, so much is in the usage already (Bill).
    storage::Cost paid;
    void forget_paid(const storage::Cost& parts) {
        paid.nodes -= std::min(paid.nodes, parts.nodes);
        paid.engine_ms -= std::min(paid.engine_ms, parts.engine_ms);
    }
    std::uint64_t nodes_to_pay() const { return nodes - std::min(nodes, paid.nodes); }
    std::uint64_t served = 0;       // jobs given
    analysis::UnixMs served_at = 0; // when the last one was, by the steady clock
    double turn = 0;                // when the next one is due, see Scheduler::due
    std::size_t place = 1; // 1 + those at work with its engine and priority that were put ahead
    bool spent = false;    // the rest of the budget is too small for the next question
    // When the present hours (AnalysisSpec::window) end, if a question is too long for their rest.
    std::optional<analysis::UnixMs> put_off;
    // The best line of the last search of the root when it ended or was stopped by Core::hurry,
    // before it is stored. Transient analyses only: a GUI may not have time to wait for the disk.
    std::optional<engine_bridge::BestLine> last_report;
    // What the search of the root that stands beside the tree has cost, and is not paid yet.
    // Written by StandingSearches; nothing: there is none.
    std::optional<storage::Cost> long_search;
};

} // namespace adjourn::server
