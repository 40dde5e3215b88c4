// Queue, what the store has of the analyses.
#include "graphs/queue.hpp"

#include "records/stored_analysis.hpp"

#include <algorithm>

namespace adjourn::server {

using storage::AnalysisState;

std::vector<AnalysisRun*> Queue::read() {
    std::vector<AnalysisRun*> added;
    std::vector<std::string> damage;
    const auto damaged = [&](const std::string& row) { damage.push_back(row); };
    (void)store_.engines(damaged); // analyses of one that is damaged fail, and say so
    const auto gone = [&](const std::string& rows) { set_aside(rows, damage); };
    try {
        for (storage::AnalysisRecord& record : store_.analyses(gone)) {
            if (AnalysisRun* run = find(record.id)) {
                run->directives = read_directives(store_, record.id, run->root, damage);
            } else if (AnalysisRun* fresh = add(std::move(record), damage)) {
                added.push_back(fresh);
            }
        }
    } catch (...) { // they are read again with the others
        std::ranges::for_each(added, [&](AnalysisRun* run) { erase(*run); });
        throw;
    }
    health_.set_aside(damage);
    sort();
    return added;
}

void Queue::reread(AnalysisRun& run) {
    std::vector<std::string> damage;
    run.directives = read_directives(store_, run.record.id, run.root, damage);
    for (const Directive& said : run.directives) {
        moments_->seen(said.at);
    }
    run.changed = true;
    health_.set_aside(damage);
}

// An analysis that is not here.
AnalysisRun* Queue::set_aside(const std::string& why, std::vector<std::string>& damage) {
    damage.push_back(why);
    health_.found_unreadable(why);
    return nullptr;
}

// Null if it is not sound, or cannot be read.
AnalysisRun* Queue::add(storage::AnalysisRecord record, std::vector<std::string>& damage) {
    const auto damaged = [&](const std::string& row) { damage.push_back(row); };
    const auto id = record.id;
    const std::string name = "analysis " + std::to_string(static_cast<std::int64_t>(id));
    try {
        auto read = read_analysis(store_, std::move(record), damage);
        if (!read) {
            const std::string why = damage.back();
            damage.pop_back();
            return set_aside(why, damage);
        }
        std::vector<analysis::EvaluationId> asked;
        try {
            asked = store_.asked(id, damaged);
        } catch (const storage::StoreError& error) {
            if (!error.damage()) {
                throw;
            }
            damaged(name + ": what it asked for cannot be read: " + error.what());
        }
        return &add(std::move(*read), asked);
    } catch (const storage::StoreError&) {
        throw; // all of them wait
    } catch (const std::exception& error) {
        return set_aside(name + " cannot be read: " + error.what(), damage);
    }
}

AnalysisRun& Queue::add(StoredAnalysis read, const std::vector<analysis::EvaluationId>& asked) {
    auto run = std::make_unique<AnalysisRun>(std::move(read.record), std::move(read.spec),
                                             read.root.start, read.root.root);
    run->directives = std::move(read.directives);
    run->snapshots = std::move(read.snapshots);
    run->usage = read.usage;
    run->lost = std::move(read.lost);
    if (!run->lost.empty() && run->record.state != AnalysisState::paused) {
        run->record.state = AnalysisState::failed;
        run->record.state_reason = "not all that people said of it can be read: " + run->lost;
    }
    moments_->seen(run->record.created_at);
    for (const Directive& said : run->directives) {
        moments_->seen(said.at);
    }
    for (const storage::SnapshotRecord& snapshot : run->snapshots) {
        moments_->seen(snapshot.at);
    }
    for (const analysis::EvaluationId fact : asked) {
        run->asked.insert(fact);
    }
    run->restart();
    return *runs_.emplace_back(std::move(run));
}

Queue::Followed Queue::follow(FollowedAnalysis now) {
    AnalysisRun* run = find(now.id);
    const bool fresh = run == nullptr;
    bool tree = fresh;
    if (fresh) {
        run = &add(std::move(*now.stored), now.asked);
    } else {
        StoredAnalysis& stored = *now.stored;
        tree = stored.record.limit != run->record.limit ||
               !(stored.spec.strategy == run->spec.strategy) ||
               !(stored.spec.stop == run->spec.stop) ||
               stored.directives.size() != run->directives.size();
        run->record = std::move(stored.record);
        run->spec = std::move(stored.spec);
        run->directives = std::move(stored.directives);
        run->snapshots = std::move(stored.snapshots);
        run->usage = stored.usage;
        for (const analysis::EvaluationId fact : now.asked) {
            run->asked.insert(fact);
        }
        run->changed = true;
    }
    sort();
    return {run, tree};
}

} // namespace adjourn::server
