// Core, what engines say of themselves, and what the recorder tells: from here into the graph.
#include "store_works.hpp"
#include "work/core.hpp"
#include "work/engine_facts.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace adjourn::server {

void Core::on_identified(EngineSlot& engine,
                         std::expected<engine_bridge::Identity, std::string> who) {
    engine.changed = true;
    if (!who) {
        engine.problem = who.error();
        spdlog::warn("engine {}: {}", engine.profile.name, engine.problem);
        if (on_engine) {
            on_engine(engine);
        }
        schedule_fill();
        return;
    }
    const storage::EngineRecord record = engine_record(*who);
    engine.problem.clear();
    const bool known = attempt("the start of engine " + engine.profile.name,
                               [&] { engine.id = store_.engine(record); });
    if (known) {
        engine.identity = std::move(*who);
        if (options_.graphs_at_once) {
            graph_slot({engine.id});
        }
    } else { // attempt() has kept why
        engine.problem =
            "the store cannot be used: " + (store_problem_.empty() ? unreadable_ : store_problem_);
    }
    for (const auto& run : runs_) {
        if (!known) {
            break;
        }
        if (run->record.profile != engine.profile.name) {
            continue;
        }
        if (run->record.engine != engine.id) {
            if (run->record.engine != analysis::EngineId{}) {
                spdlog::warn("analysis {}: engine '{}' is now {}; its tree is grown anew, the old "
                             "evaluations stay in the store",
                             static_cast<std::int64_t>(run->record.id), engine.profile.name,
                             record.name);
            }
            detach(*run);
            run->record.engine = engine.id;
            attach(*run);
            save(*run);
        }
    }
    if (on_engine) {
        on_engine(engine);
    }
    schedule_fill();
}

void Core::on_died(EngineSlot& engine, std::size_t process, const std::string& reason) {
    engine.changed = true;
    const DeathLog::Line line = engine.deaths.died(std::chrono::steady_clock::now());
    if (line.written && line.left_out > 0) {
        spdlog::warn("engine {}: {} more deaths of its processes are not listed here",
                     engine.profile.name, line.left_out);
    }
    if (line.written) {
        spdlog::warn("engine {}: process {} is gone: {}", engine.profile.name, process, reason);
    }
}

namespace {

// Of the root and all its moves but those that people left out.
bool of_whole_root(const AnalysisRun& run, const Asked& asked) {
    if (asked.node != run.root_node) {
        return false;
    }
    const auto said = run.steering.find(run.root_node);
    auto excluded = said == run.steering.end() ? std::vector<chess::Move>{} : said->second.excluded;
    std::ranges::sort(excluded);
    return asked.excluded == excluded;
}

} // namespace

Recorder::Listener Core::listener() {
    const auto guarded_here = [this](const std::function<void()>& task) {
        const HoldWatch::Hold hold{watch_, "fact"};
        attempt("an answer that came", task);
    };
    return {[this, guarded_here](engine_bridge::JobId job, Recorder::Ending ending) {
                guarded_here([&] { on_ended(job, std::move(ending)); });
            },
            [this, guarded_here](engine_bridge::JobId job, engine_bridge::BestLine line) {
                guarded_here([&] { on_heard(job, std::move(line)); });
            }};
}

// Whoever has to answer before it is stored: a search that ended has its say, too.
void Core::on_heard(engine_bridge::JobId job, engine_bridge::BestLine line) {
    const JobInfo* info = this->job(job);
    AnalysisRun* const run = info == nullptr ? nullptr : lookup(info->analysis);
    if (run == nullptr || !of_whole_root(*run, info->asked)) {
        return;
    }
    run->told = std::move(line);
    if (on_progress) {
        on_progress(*run);
    }
}

void Core::on_ended(engine_bridge::JobId job, Recorder::Ending ending) {
    auto node = out_.extract(job);
    if (!node.empty()) {
        Out& out = node.mapped();
        EngineSlot& engine = *out.engine;
        AnalysisRun* run = lookup(out.info.analysis);
        engine.changed = true;
        if (!ending.engine_problem.empty()) {
            engine.problem = std::move(ending.engine_problem);
        } else if (std::holds_alternative<Answered>(ending.outcome)) {
            engine.problem.clear();
        }
        if (ending.found && run != nullptr && out.info.asked.node == run->root_node &&
            run->slot == out.slot) {
            run->told = std::move(ending.found);
        }
        // To ask again what was refused would be refused again.
        if (!ending.not_stored.empty() && still_works(*this)) {
            ending.outcome = Unanswered{std::move(ending.not_stored), 1, now()};
        }
        if (const auto* failed = std::get_if<Unanswered>(&ending.outcome)) {
            spdlog::warn("engine {}: no answer for {} after {} attempts: {}", engine.profile.name,
                         out.slot->graph().position(out.info.asked.node).fen(), failed->attempts,
                         failed->reason);
        }
        if (out.urgent) {
            --engine.urgent_out;
            for (const auto& other : runs_) { // the next question about the position may be due
                other->now_due = other->now_due || waits_for_now(*other);
            }
        }
        const auto take_effect = [&] {
            if (run != nullptr && run->slot == out.slot && engine.profile.reproducible &&
                out.sequence >= run->next_outcome) {
                deliver(*run, out.sequence, out.info.asked, std::move(ending.outcome));
            } else {
                if (run != nullptr) {
                    run->comes_back(out.info.asked.limit);
                }
                apply(*out.slot, run, out.info.asked, ending.outcome);
            }
        };
        attempt("an answer that came", take_effect, run);
    }
    if (stopping_) {
        finish_stop();
    } else {
        schedule_fill();
    }
}

// Reproducible mode: outcomes take effect in the order in which the questions went out, and the
// next question goes out only after each, so that the tree does not depend on who answers when.
void Core::deliver(AnalysisRun& run, std::uint64_t sequence, const Asked& asked, Outcome outcome) {
    run.waiting.emplace(sequence, std::pair{asked, std::move(outcome)});
    while (!run.waiting.empty() && run.waiting.begin()->first == run.next_outcome) {
        const auto entry = run.waiting.extract(run.waiting.begin());
        ++run.next_outcome;
        run.comes_back(entry.mapped().first.limit);
        apply(*run.slot, &run, entry.mapped().first, entry.mapped().second);
        if (EngineSlot* engine = const_cast<EngineSlot*>(engine_of(run));
            engine != nullptr && !stopping_) {
            run.stale = true;
            while (next_task(*engine, run)) {
            }
        }
    }
}

void Core::apply(GraphSlot& slot, AnalysisRun* run, const Asked& asked, const Outcome& outcome) {
    slot.unmark_pending(asked);
    if (const auto* failed = std::get_if<Unanswered>(&outcome)) {
        slot.mark_failed(asked, failed->reason, failed->attempts, failed->at);
    }
    if (const auto* answered = std::get_if<Answered>(&outcome)) {
        const analysis::Evaluation* fact = &answered->fact;
        for (const auto& [key, other] : slots_) {
            if (other.get() != &slot && other->holds(fact->question.engine)) {
                facts_arrived(*other, other->apply(*fact));
            }
        }
        for (auto& [key, loading] : loading_) {
            if (key.holds(fact->question.engine)) {
                loading.arrived.push_back(*fact);
            }
        }
        if (run != nullptr) {
            run->usage.evaluations_new += answered->fresh ? 1 : 0;
            run->usage.nodes += answered->nodes;
            run->usage.engine_ms += answered->engine_ms;
            run->recount = true;
            if (answered->fresh) {
                run->asked.insert(fact->id);
            }
        }
        facts_arrived(slot, slot.apply(*fact));
        return;
    }
    facts_arrived(slot, {});
}

// What a graph's change means for whoever looks at it or works on it.
void Core::facts_arrived(GraphSlot& slot, const std::vector<analysis::NodeId>& changed) {
    constexpr std::size_t most_kept = 1'000; // so many are told as "many"
    auto& nodes = changed_nodes_[&slot];
    if (nodes.size() > most_kept) {
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    }
    if (nodes.size() <= most_kept) {
        nodes.insert(nodes.end(), changed.begin(), changed.end());
    }
    for (const auto& run : runs_) {
        if (run->slot == &slot) {
            run->stale = true;
            ++run->answers_since_plan;
            run->changed = true;
            if (run->finished) {
                run->finished = false; // facts shared with others may have moved it
                run->ready.clear();
            }
        }
    }
}

} // namespace adjourn::server
