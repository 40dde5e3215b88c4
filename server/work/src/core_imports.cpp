// Core, what others bring: analyses, directives, and word of seeds and facts, once they are
// durable.
#include "graphs/take_snapshot.hpp"
#include "records/stored_analysis.hpp"
#include "work/core.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace adjourn::server {

Core::Imported Core::when_imported() {
    return [this, core = scope_.poster()](const Import& import) {
        core.post([this, import] {
            if (!stopping_) {
                const HoldWatch::Hold hold{watch_, "import"};
                attempt("taking in an import", [&] { take_import(import); });
            }
        });
    };
}

void Core::add_run(storage::AnalysisRecord record, std::vector<std::string>& damage) {
    const auto number = std::to_string(static_cast<std::int64_t>(record.id));
    attempt("analysis " + number, [&] {
        auto read = read_analysis(store_, std::move(record), damage);
        if (!read) {
            return;
        }
        auto run = std::make_unique<AnalysisRun>(std::move(read->record), std::move(read->spec),
                                                 read->root.start, read->root.root);
        run->directives = std::move(read->directives);
        run->snapshots = std::move(read->snapshots);
        run->usage = read->usage;
        const auto damaged = [&](const std::string& row) { damage.push_back(row); };
        for (const analysis::EvaluationId fact : store_.asked(run->record.id, damaged)) {
            run->asked.insert(fact);
        }
        run->tree = {rules_text(run->record.limit, run->spec.strategy, run->spec.accept),
                     basis_of(run->record.limit, run->directives).excluded};
        run->reached.emplace(run->tree, recorded_level(*run));
        runs_.push_back(std::move(run));
        if (runs_.back()->record.engine != analysis::EngineId{}) {
            attach(*runs_.back());
        }
    });
}

void Core::attach_again(AnalysisRun& run) {
    detach(run);
    attach(run);
}

void Core::take_import(const Import& import) {
    for (const analysis::EngineId engine : import.engines) {
        for (const auto& [key, slot] : slots_) {
            if (slot->holds(engine)) {
                read_again(slot, engine, {});
            }
        }
        for (auto& [key, loading] : loading_) {
            if (key.holds(engine)) {
                loading.imported.insert(engine);
            }
        }
    }
    if (import.store) {
        take_analyses();
    }
    for (const auto& run : runs_) {
        if (rests_elsewhere(*run)) {
            attach_again(*run); // an engine or a directive that was not in the store before
        } else if (import.store || run->record.id == import.seeded) {
            rebuild_steering(*run);
            rebuild_seeds(*run);
            restart_plan(*run);
        }
    }
    schedule_fill();
}

// Analyses that came with a store, and what was said there about those that are here.
void Core::take_analyses() {
    std::vector<std::string> damage;
    for (storage::AnalysisRecord& record : store_.analyses()) {
        if (AnalysisRun* run = lookup(record.id)) {
            run->directives = read_directives(store_, record.id, run->root, damage);
        } else {
            add_run(std::move(record), damage);
        }
    }
    note(damage);
    sort_runs();
}

} // namespace adjourn::server
