// Queue, what the work changes. queue_reading.cpp: what the store has; queue_people.cpp: what
// people change.
#include "core/graphs/queue.hpp"

#include <algorithm>
#include <tuple>

namespace adjourn::server {

using analysis::AnalysisId;

AnalysisRun* Queue::find(AnalysisId id) const {
    const auto found =
        std::ranges::find_if(runs_, [&](const auto& run) { return run->record.id == id; });
    return found == runs_.end() ? nullptr : found->get();
}

void Queue::sort() {
    std::stable_sort(runs_.begin(), runs_.end(), [](const auto& a, const auto& b) {
        return std::tuple{-a->record.priority, a->record.rank, a->record.id} <
               std::tuple{-b->record.priority, b->record.rank, b->record.id};
    });
}

bool Queue::store_works() {
    const std::string broken = store_.writing().broken;
    if (!broken.empty()) {
        health_.take({Trouble::Kind::store, "storing", broken});
    }
    return broken.empty();
}

WorkError Queue::store_error(const std::string& problem) {
    return {WorkError::Kind::store_failed, "the store cannot write: " + problem};
}

void Queue::erase(AnalysisRun& run) {
    std::erase_if(runs_, [&](const auto& other) { return other.get() == &run; });
}

// ---- what the work changes ----

void Queue::save(AnalysisRun& run) {
    run.changed = true;
    if (run.record.id == changing_) {
        save_after_ = true;
    } else if (!run.transient && run.lost.empty()) {
        store_.update(run.record, [](const auto&) {});
    }
}

void Queue::record(AnalysisRun& run, storage::SnapshotRecord snapshot) {
    run.snapshots.push_back(snapshot);
    if (!run.transient) {
        store_snapshot(snapshot);
    }
}

void Queue::store_snapshot(const storage::SnapshotRecord& snapshot) {
    store_.append(snapshot, [refused = refused_, snapshot](const auto& written) {
        if (!written) {
            const std::lock_guard lock{refused->mutex};
            refused->snapshots.push_back(snapshot);
        }
    });
}

void Queue::record_again() {
    const auto any = [&] {
        const std::lock_guard lock{refused_->mutex};
        return !refused_->snapshots.empty();
    };
    if (!any() || !health_.store_problem().empty() || !store_works()) {
        return;
    }
    std::vector<storage::SnapshotRecord> snapshots;
    {
        const std::lock_guard lock{refused_->mutex};
        snapshots.swap(refused_->snapshots);
    }
    for (const storage::SnapshotRecord& snapshot : snapshots) {
        if (find(snapshot.analysis) != nullptr) {
            store_snapshot(snapshot);
        }
    }
}

} // namespace adjourn::server
