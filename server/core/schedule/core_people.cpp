// Core, changes by people: what the queue has made durable takes effect on graphs and work.
#include "core/graphs/node_directives.hpp"

#include "core/schedule/answer.hpp"
#include "core/schedule/core.hpp"
#include "core/schedule/renewal.hpp"

#include <algorithm>
#include <memory>

namespace adjourn::server {

using analysis::AnalysisId;

namespace {

// Whether nothing that is searched changes by it: neither by a remark nor by taking one back.
bool is_remark(const AnalysisRun& run, const Directive& said) {
    const auto* retract = std::get_if<Retract>(&said.action);
    if (retract == nullptr) {
        return is_remark(said.action);
    }
    const auto notes = notes_of(run.directives);
    return std::ranges::any_of(notes, [&](const Directive* note) {
        return note->position == said.position && note->at == retract->given;
    });
}

} // namespace

Pending<AnalysisId> Core::create(NewAnalysis wanted) {
    const EngineSlot* engine = !wanted.engine.empty()   ? engines_.named(wanted.engine)
                               : engines_.all().empty() ? nullptr
                                                        : engines_.all().front().get();
    return queue_
        .create(std::move(wanted), engine == nullptr ? "" : engine->profile.name,
                engine == nullptr ? analysis::EngineId{} : engine->id)
        .map([this](AnalysisRun* run) {
            const EngineSlot* now = engines_.of(*run); // it may have said who it is meanwhile
            if (run->record.engine == analysis::EngineId{} && now != nullptr &&
                now->id != analysis::EngineId{}) {
                run->record.engine = now->id;
                queue_.save(*run);
            }
            if (run->record.engine != analysis::EngineId{}) {
                graphs_.join(*run);
            }
            scheduler_.fill_soon();
            return run->record.id;
        });
}

Pending<AnalysisId> Core::change(AnalysisId id, AnalysisPatch patch) {
    const bool goes_on = patch.hold == false; // a person says: try again
    return queue_.change(id, std::move(patch)).map([this, goes_on](Queue::Changed changed) {
        return take_change(changed, goes_on);
    });
}

Pending<AnalysisId> Core::extend(AnalysisId id, Extension more) {
    const auto patch = [this, more](const AnalysisRun& run) {
        return planner_.extended(run, more);
    };
    return queue_.make_change(id, patch).map(
        [this](Queue::Changed changed) { return take_change(changed, false); });
}

Pending<AnalysisId> Core::renew(AnalysisId id, const std::string& engine,
                                std::optional<analysis::UnixMs> until) {
    using Patch = std::expected<AnalysisPatch, WorkError>;
    const auto patch = [this, engine, until](const AnalysisRun& run) -> Patch {
        const auto refused = [](std::string why) {
            return std::unexpected(WorkError{WorkError::Kind::futile_more, std::move(why)});
        };
        const EngineSlot* next = engines_.named(engine);
        if (next == nullptr) {
            return std::unexpected(WorkError{WorkError::Kind::no_engine,
                                             "no engine is named '" + engine + "' in the config"});
        }
        if (!next->identity && !next->problem.empty()) {
            return refused("the engine does not work: " + next->problem);
        }
        if (run.record.profile == engine || next->id == run.record.engine) {
            return refused("it is the engine of the analysis");
        }
        if (!run.has_graph()) {
            return refused("its evaluations are still being read");
        }
        AnalysisPatch made;
        made.engine = engine;
        made.renewal = renewal_of(run, options_.clock());
        made.budget = Budget{{}, {}, until}; // what was used up was the other engine's
        made.hold = false;
        return made;
    };
    return queue_.make_change(id, patch).map([this](Queue::Changed changed) {
        AnalysisRun& run = *changed.run;
        scheduler_.cancel(run.record.id);
        if (const EngineSlot* now = engines_.of(run); now != nullptr && now->identity) {
            run.record.engine = now->id; // else when it says who it is
            queue_.save(run);
        }
        return take_change(changed, true);
    });
}

AnalysisId Core::take_change(Queue::Changed changed, bool goes_on) {
    AnalysisRun& run = *changed.run;
    if (goes_on && run.slot != nullptr) {
        run.slot->retry_failed();
        queue_.clear_failures(run.slot->engine().id);
    }
    const bool elsewhere = graphs_.rests_elsewhere(run);
    if (elsewhere || changed.tree) {
        look_again(run);
    }
    if (elsewhere || (goes_on && run.unreadable)) {
        change_graph(run);
    } else if (changed.tree) {
        begin_again(run);
    } else if (goes_on) {
        run.restart();
    }
    scheduler_.fill_soon();
    return run.record.id;
}

// How an analysis ended was said of the tree that it had: it is said again when this one was looked
// at.
void Core::look_again(AnalysisRun& run) {
    using storage::AnalysisState;
    const AnalysisState state = run.record.state;
    if (state == AnalysisState::settled || (state == AnalysisState::failed && !run.unreadable)) {
        run.record.state = AnalysisState::queued;
        run.record.state_reason = "";
        queue_.save(run);
    }
}

Pending<AnalysisId> Core::remove(AnalysisId id) {
    return queue_.remove(id).map([this, id](AnalysisRun* run) {
        forget(*run);
        scheduler_.fill_soon();
        return id;
    });
}

void Core::forget(AnalysisRun& run) {
    const AnalysisId id = run.record.id;
    const bool told = !run.transient && options_.observer;
    scheduler_.cancel(id);
    long_searches_.forget(id);
    leave_graph(run);
    queue_.erase(run);
    tell_links();
    graphs_.let_go();
    if (told) {
        options_.observer->analysis_removed(id);
    }
}

void Core::hurry(AnalysisId id) {
    if (AnalysisRun* run = queue_.find(id)) {
        scheduler_.stop_root_search(*run);
    }
}

Pending<Core::Given> Core::direct(AnalysisId id, std::vector<chess::Move> line, std::string action,
                                  std::string text, std::size_t back) {
    const auto remark = std::make_shared<bool>(false); // as things were before it
    const auto futile = [this, remark](AnalysisRun& run, const Directive& meant) {
        *remark = is_remark(run, meant);
        return scheduler_.futile(run, meant);
    };
    return queue_.give(id, std::move(line), std::move(action), std::move(text), back, futile)
        .map([this, remark](Queue::CheckedDirective checked) {
            AnalysisRun& run = *checked.run;
            const Given given{checked.directive.id, checked.directive.at};
            if (*remark) {
                run.changed = true;
                return given;
            }
            plan_anew(run);
            if (std::holds_alternative<Now>(checked.directive.action)) {
                scheduler_.hurry(run, checked.position);
            }
            scheduler_.fill_soon();
            return given;
        });
}

// Its directives have changed.
void Core::plan_anew(AnalysisRun& run) {
    if (run.record.state == storage::AnalysisState::settled) {
        look_again(run);
    }
    if (graphs_.rests_elsewhere(run)) { // a move is excluded, or no longer
        change_graph(run);
    } else {
        begin_again(run);
    }
}

Pending<Core::AllGiven> Core::direct_all(AnalysisId id,
                                         const std::vector<std::vector<chess::Move>>& lines,
                                         const std::string& action) {
    const auto futile = [this](AnalysisRun& run, const Directive& meant) {
        return scheduler_.futile(run, meant);
    };
    std::vector<Pending<Queue::CheckedDirective>> given;
    given.reserve(lines.size());
    for (const auto& line : lines) {
        given.push_back(queue_.give(id, line, action, "", 0, futile));
    }
    using Checked = std::vector<Pending<Queue::CheckedDirective>::Result>;
    return all_of(given).map([this, id](const Checked& all) {
        AllGiven results;
        AnalysisRun* run = queue_.find(id); // null: it was deleted since the last of them
        bool changed = false;
        for (const auto& checked : all) {
            changed = changed || checked;
            results.push_back(
                checked ? AllGiven::value_type{Given{checked->directive.id, checked->directive.at}}
                        : std::unexpected(checked.error()));
        }
        if (run == nullptr || !changed) {
            return results;
        }
        plan_anew(*run);
        for (const auto& checked : all) {
            if (checked && std::holds_alternative<Now>(checked->directive.action)) {
                scheduler_.hurry(*run, checked->position);
            }
        }
        scheduler_.fill_soon();
        return results;
    });
}

Pending<AnalysisId> Core::advance(AnalysisId id, std::size_t back, std::vector<chess::Move> moves) {
    return queue_.advance(id, back, std::move(moves)).map([this](Queue::CheckedDirective checked) {
        AnalysisRun& run = *checked.run;
        if (follow_game(run)) {
            look_again(run);
        }
        scheduler_.fill_soon();
        return run.record.id;
    });
}

Pending<Core::Given> Core::share(AnalysisId id, Share link) {
    return queue_.share(id, std::move(link)).map([this](const Queue::CheckedDirective& said) {
        tell_links();
        return Given{said.directive.id, said.directive.at};
    });
}

Pending<AnalysisId> Core::revoke(AnalysisId id, std::int64_t link) {
    return queue_.revoke(id, link).map([this, id](const Queue::CheckedDirective&) {
        tell_links();
        return id;
    });
}

Pending<Core::Given> Core::verify(AnalysisId id, std::vector<chess::Move> line,
                                  const Verify& work) {
    return verifier_.give(id, std::move(line), work).map([](const Queue::CheckedDirective& said) {
        return Given{said.directive.id, said.directive.at};
    });
}

// Core, what an import has brought: it takes effect as if it had happened here.

// What is read there is read on the thread that has imported: nothing of it waits for the core's,
// nor holds it.
Core::Imported Core::when_imported() {
    return [this, core = scope_.poster(), &store = store_,
            known = queue_.known()](const Import& import) {
        Queue::Contents contents;
        const auto trouble = guarded("reading what was imported", [&] {
            const auto seeded = import.seeded ? known.find(*import.seeded) : known.end();
            if (seeded != known.end()) {
                contents = Queue::contents(store, seeded->first, seeded->second);
            } else {
                contents.engines = store.engines();
            }
        });
        if (trouble) {
            contents.troubles.push_back(*trouble);
        }
        core.post([this, import, contents = std::move(contents)]() mutable {
            if (!stopping_) {
                const HoldWatch::Hold hold{watch(), "import"};
                attempt("taking in an import", [&] { take_import(import, std::move(contents)); });
            }
        });
    };
}

void Core::take_import(const Import& import, Queue::Contents contents) {
    take_analyses(std::move(contents));
    for (const analysis::EngineId engine : import.engines) {
        graphs_.reread(engine);
    }
    for (const auto& run : queue_.runs()) {
        if (follow_game(*run)) {
            continue;
        }
        if (graphs_.rests_elsewhere(*run)) {
            change_graph(*run); // an engine or a directive that was not in the store before
        } else if (run->record.id == import.seeded) {
            graphs_.reread_seeds(*run);
            begin_again(*run);
        }
    }
    scheduler_.fill_soon();
}

} // namespace adjourn::server
