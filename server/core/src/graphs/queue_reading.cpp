// Queue, what the store has of the analyses.
#include "core/graphs/queue.hpp"

#include "core/records/stored_analysis.hpp"

#include <algorithm>
#include <iterator>

namespace adjourn::server {

using analysis::AnalysisId;
using storage::AnalysisState;

Queue::Known Queue::known() const {
    Known known;
    for (const auto& run : runs_) {
        known.emplace(run->record.id, run->made_at);
    }
    return known;
}

Queue::Contents Queue::contents(const storage::Store& store, const Known& known) {
    Contents all;
    const auto damaged = [&](const std::string& row) { all.damage.push_back(row); };
    all.engines = store.engines(damaged); // analyses of one that is damaged fail, and say so
    const auto gone = [&](const std::string& rows) { all.gone.push_back(rows); };
    for (storage::AnalysisRecord& record : store.analyses(gone)) {
        if (const auto root = known.find(record.id); root != known.end()) {
            all.directives.emplace_back(
                record.id, read_directives(store, record.id, root->second, all.damage));
        } else {
            add(all, store, std::move(record));
        }
    }
    return all;
}

// An analysis of which nothing can be worked with is gone.
void Queue::add(Contents& all, const storage::Store& store, storage::AnalysisRecord record) {
    const auto damaged = [&](const std::string& row) { all.damage.push_back(row); };
    const auto id = record.id;
    const std::string name = "analysis " + std::to_string(static_cast<std::int64_t>(id));
    try {
        auto read = read_analysis(store, std::move(record), all.damage);
        if (!read) {
            all.gone.push_back(std::move(all.damage.back()));
            all.damage.pop_back();
            return;
        }
        std::vector<analysis::EvaluationId> asked;
        try {
            asked = store.asked(id, damaged);
        } catch (const storage::StoreError& error) {
            if (!error.damage()) {
                throw;
            }
            damaged(name + ": what it asked for cannot be read: " + error.what());
        }
        all.fresh.push_back({std::move(*read), std::move(asked)});
    } catch (const storage::StoreError&) {
        throw; // all of them wait
    } catch (const std::exception& error) {
        all.gone.push_back(name + " cannot be read: " + error.what());
    }
}

Queue::Contents Queue::contents(const storage::Store& store, AnalysisId id,
                                const chess::Position& root) {
    Contents all;
    all.engines = store.engines();
    all.directives.emplace_back(id, read_directives(store, id, root, all.damage));
    return all;
}

std::vector<AnalysisRun*> Queue::take(Contents contents) {
    std::vector<AnalysisRun*> added;
    for (auto& [id, directives] : contents.directives) {
        if (AnalysisRun* run = find(id)) {
            take(*run, std::move(directives));
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
    for (const std::string& why : contents.gone) {
        health_.found_unreadable(why);
    }
    health_.set_aside(contents.gone);
    health_.set_aside(contents.damage);
    sort();
    return added;
}

// What was said while they were read is not among them.
void Queue::take(AnalysisRun& run, std::vector<Directive> directives) {
    std::int64_t newest = 0;
    for (const Directive& one : directives) {
        newest = std::max(newest, one.id);
        moments_->seen(one.at);
    }
    std::ranges::copy_if(run.directives, std::back_inserter(directives),
                         [&](const Directive& one) { return one.id > newest; });
    run.directives = std::move(directives);
    run.changed = true;
}

AnalysisRun& Queue::add(StoredAnalysis read, const std::vector<analysis::EvaluationId>& asked) {
    auto run = std::make_unique<AnalysisRun>(std::move(read.record), std::move(read.spec),
                                             read.root.start, read.root.root);
    run->directives = std::move(read.directives);
    run->follow_game();
    run->snapshots = std::move(read.snapshots);
    run->usage = read.usage;
    run->lost = std::move(read.lost);
    if (!run->lost.empty() && run->record.state != AnalysisState::paused) {
        run->record.state = AnalysisState::failed;
        run->record.state_reason = "not all that people said of it can be read: " + run->lost;
    }
    moments_->seen(run->record.created_at);
    for (const Directive& directive : run->directives) {
        moments_->seen(directive.at);
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

} // namespace adjourn::server
