#include "storage_rows/writes.hpp"

#include <algorithm>
#include <limits>

namespace adjourn::storage {

namespace {

// What does not fit into a row; "" of most.
std::string usage_trouble(const UsageRecord& usage) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return std::max({usage.evaluations_new, usage.nodes, usage.engine_ms}) > most
               ? "a number beyond 2^63"
               : "";
}

} // namespace

Outcome Writes::write(const NewAnalysis& added) {
    if (const std::string trouble = limit_trouble(added.record.limit); !trouble.empty()) {
        return refuse("analysis", trouble);
    }
    AnalysisRecord analysis = added.record;
    analysis.id = AnalysisId{next_id(tables::analyses)};
    if (added.usage) {
        if (const std::string trouble = usage_trouble(*added.usage); !trouble.empty()) {
            return refuse("usage", trouble);
        }
    }
    put(tables::analyses, row_of(analysis, fingerprint_of(analysis)));
    for (SnapshotRecord snapshot : added.snapshots) {
        snapshot.analysis = analysis.id;
        snapshot.id = next_id(tables::snapshots);
        put(tables::snapshots, row_of(snapshot));
    }
    if (UsageRecord usage = added.usage.value_or(UsageRecord{}); added.usage) {
        usage.analysis = analysis.id;
        put(tables::usage, row_of(usage));
    }
    return Written{row(analysis.id), true};
}

Outcome Writes::write(const ChangedAnalysis& change) {
    const AnalysisRecord& analysis = change.record;
    if (const std::string trouble = limit_trouble(analysis.limit); !trouble.empty()) {
        return refuse("analysis", trouble);
    }
    if (!has_analysis(analysis.id)) {
        return refuse("change", no_such("analysis", analysis.id));
    }
    put(tables::analyses, row_of(analysis, fingerprint_of(analysis)));
    return Written{row(analysis.id), true};
}

Outcome Writes::write(const UsageRecord& usage) {
    if (!has_analysis(usage.analysis)) {
        return refuse("usage", no_such("analysis", usage.analysis));
    }
    if (const std::string trouble = usage_trouble(usage); !trouble.empty()) {
        return refuse("usage", trouble);
    }
    spent_.erase(usage.analysis); // what was spent before is in it
    put(tables::usage, row_of(usage));
    return Written{row(usage.analysis), true};
}

Outcome Writes::write(const Spent& spent) {
    if (!has_analysis(spent.analysis)) {
        return refuse("cost", no_such("analysis", spent.analysis));
    }
    spend(spent.analysis, spent.cost);
    return Written{row(spent.analysis), true};
}

} // namespace adjourn::storage
