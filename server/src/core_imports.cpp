// Core, what others bring: seeds and imported facts, once they are durable.
#include "server/core.hpp"

#include <boost/asio/post.hpp>
#include <spdlog/spdlog.h>

namespace adjourn::server {

void Core::rebuild_seeds(AnalysisRun& run) {
    run.seeds.clear();
    if (run.slot == nullptr) {
        return;
    }
    analysis::Graph& graph = run.slot->graph();
    for (const storage::SeedRecord& seed : store_.seeds(run.record.id)) {
        const auto position = chess::Position::unpack(seed.position);
        if (position && position->is_legal(seed.move)) {
            run.seeds[graph.intern(*position)].push_back(seed.move);
        }
    }
}

Core::Imported Core::when_imported() {
    return [this, &context = context_, alive = alive_](const Import& import) {
        boost::asio::post(context, [this, alive, import] {
            if (*alive && !stopping_) {
                take_import(import);
            }
        });
    };
}

void Core::add_run(storage::AnalysisRecord record) {
    auto start = chess::Position::from_fen(record.root_fen);
    if (!start) {
        spdlog::error("analysis {}: the stored root is unreadable: {}",
                      static_cast<std::int64_t>(record.id), start.error().message);
        return;
    }
    chess::Position root = *start;
    for (const chess::Move move : record.root_moves) {
        root.play(move);
    }
    AnalysisSpec spec = parse_spec(record.parameters);
    auto run = std::make_unique<AnalysisRun>(std::move(record), std::move(spec), *start, root);
    run->directives = store_.directives(run->record.id);
    run->snapshots = store_.snapshots(run->record.id);
    run->usage = store_.usage(run->record.id);
    run->usage.analysis = run->record.id;
    if (run->record.engine != analysis::EngineId{}) {
        attach(*run);
    }
    runs_.push_back(std::move(run));
}

void Core::attach_again(AnalysisRun& run) {
    detach(run);
    attach(run);
}

void Core::take_import(const Import& import) {
    for (const auto& [key, slot] : slots_) {
        for (const analysis::EngineId engine : import.engines) {
            if (slot->holds(engine)) {
                facts_arrived(*slot, slot->refresh(store_, engine));
            }
        }
    }
    if (import.store) {
        take_analyses();
    }
    for (const auto& run : runs_) {
        const bool accepts_more =
            run->slot != nullptr &&
            run->slot->accepted() != accepted_engines(store_, run->spec, run->record.engine);
        if (accepts_more) {
            attach_again(*run); // an engine that was not in the store before
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
    for (storage::AnalysisRecord& record : store_.analyses()) {
        if (AnalysisRun* run = lookup(record.id)) {
            run->directives = store_.directives(record.id);
        } else {
            add_run(std::move(record));
        }
    }
    sort_runs();
}

} // namespace adjourn::server
