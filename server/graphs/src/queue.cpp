// Queue: what the store has, and what the work changes. queue_people.cpp: what people change.
#include "graphs/queue.hpp"

#include "records/stored_analysis.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace adjourn::server {

using analysis::AnalysisId;

// ---- what the store has ----

Queue::Known Queue::known() const {
    Known known;
    for (const auto& run : runs_) {
        known.emplace(run->record.id, run->root);
    }
    return known;
}

Queue::Contents Queue::contents(const storage::Store& store, const Known& known) {
    Contents all;
    const auto damaged = [&](const std::string& row) { all.damage.push_back(row); };
    all.engines = store.engines(damaged); // analyses of one that is damaged fail, and say so
    for (storage::AnalysisRecord& record : store.analyses(damaged)) {
        if (const auto root = known.find(record.id); root != known.end()) {
            all.said.emplace_back(record.id,
                                  read_directives(store, record.id, root->second, all.damage));
        } else {
            add(all, store, std::move(record));
        }
    }
    return all;
}

// Nothing if it is not sound, or cannot be read.
void Queue::add(Contents& all, const storage::Store& store, storage::AnalysisRecord record) {
    const auto number = std::to_string(static_cast<std::int64_t>(record.id));
    auto trouble = guarded("analysis " + number, [&] {
        auto read = read_analysis(store, std::move(record), all.damage);
        if (!read) {
            return;
        }
        const auto damaged = [&](const std::string& row) { all.damage.push_back(row); };
        auto asked = store.asked(read->record.id, damaged);
        all.fresh.push_back({std::move(*read), std::move(asked)});
    });
    if (trouble) {
        all.troubles.push_back(std::move(*trouble));
    }
}

Queue::Contents Queue::contents(const storage::Store& store, AnalysisId id,
                                const chess::Position& root) {
    Contents all;
    all.engines = store.engines();
    all.said.emplace_back(id, read_directives(store, id, root, all.damage));
    return all;
}

std::vector<AnalysisRun*> Queue::take(Contents contents) {
    std::vector<AnalysisRun*> added;
    for (auto& [id, said] : contents.said) {
        if (AnalysisRun* run = find(id)) {
            take(*run, std::move(said));
        }
    }
    for (auto& [read, asked] : contents.fresh) {
        if (AnalysisRun* run = find(read.record.id)) { // it has been made meanwhile
            take(*run, std::move(read.directives));
        } else {
            added.push_back(&add(std::move(read), asked));
        }
    }
    for (const Trouble& trouble : contents.troubles) {
        health_.take(trouble);
    }
    health_.set_aside(contents.damage);
    sort();
    return added;
}

// What was said while they were read is not among them.
void Queue::take(AnalysisRun& run, std::vector<Directive> said) {
    std::int64_t newest = 0;
    for (const Directive& one : said) {
        newest = std::max(newest, one.id);
        moments_->seen(one.at);
    }
    std::ranges::copy_if(run.directives, std::back_inserter(said),
                         [&](const Directive& one) { return one.id > newest; });
    run.directives = std::move(said);
    run.changed = true;
}

AnalysisRun& Queue::add(StoredAnalysis read, const std::vector<analysis::EvaluationId>& asked) {
    auto run = std::make_unique<AnalysisRun>(std::move(read.record), std::move(read.spec),
                                             read.root.start, read.root.root);
    run->directives = std::move(read.directives);
    run->snapshots = std::move(read.snapshots);
    run->usage = read.usage;
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
    } else if (!run.transient && !follows_) {
        store_.update(run.record, [](const auto&) {});
    }
}

void Queue::record(AnalysisRun& run, storage::SnapshotRecord snapshot) {
    if (follows_) {
        return;
    }
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
