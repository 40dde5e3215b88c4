// Core, what comes back: workers → store → graph → events.
#include "server/core.hpp"
#include "server/engine_facts.hpp"
#include "write_through.hpp"

#include <boost/asio/post.hpp>
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
    engine.id = store_.engine(record);
    engine.identity = std::move(*who);
    engine.problem.clear();
    engine.slot = graph_slot(engine.id, {});
    for (const auto& run : runs_) {
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

void Core::on_done(EngineSlot& engine, engine_bridge::JobId job, engine_bridge::Result result) {
    engine.changed = true;
    const auto found = out_.find(job);
    if (found == out_.end()) {
        return;
    }
    const Out& out = found->second;
    analysis::Question question{out.slot->graph().position(out.info.asked.node).packed(),
                                out.slot->engine().id, out.info.asked.limit,
                                out.info.asked.excluded};
    const auto hand_on = [this, alive = alive_, job](Outcome outcome) {
        // Called on the store's writer thread.
        boost::asio::post(context_, [this, alive, job, outcome = std::move(outcome)] {
            if (*alive) {
                on_stored(job, outcome);
            }
        });
    };
    if (result) {
        engine.problem.clear();
        ++storing_;
        analysis::Evaluation fact = evaluation_of(*result, std::move(question), now());
        store_.append(fact, [this, hand_on,
                             fact](const std::expected<storage::Written, std::string>& written) {
            if (!written) {
                boost::asio::post(context_, [this, alive = alive_, problem = written.error()] {
                    if (*alive) {
                        store_problem_ = problem;
                    }
                });
                hand_on(Dropped{});
                return;
            }
            analysis::Evaluation stored = fact;
            stored.id = analysis::EvaluationId{written->id};
            if (written->inserted) {
                hand_on(std::move(stored));
            } else { // somebody had answered it before: the first answer stands
                auto answer = store_.answer(stored.question);
                hand_on(answer ? Outcome{std::move(*answer)} : Outcome{Dropped{}});
            }
        });
        return;
    }
    const engine_bridge::Failure& failure = result.error();
    using Kind = engine_bridge::Failure::Kind;
    if (failure.kind == Kind::cancelled || failure.kind == Kind::unavailable) {
        if (failure.kind == Kind::unavailable) {
            engine.problem = failure.reason;
        }
        ++storing_;
        on_stored(job, Dropped{});
        return;
    }
    spdlog::warn("engine {}: no answer for {} after {} attempts: {}", engine.profile.name,
                 out.slot->graph().position(out.info.asked.node).fen(), failure.attempts,
                 failure.reason);
    ++storing_;
    const storage::FailureRecord record{std::move(question), failure.reason, failure.attempts,
                                        now()};
    store_.fail(record, [hand_on, reason = failure.reason](const auto& written) {
        hand_on(written ? Outcome{Dead{reason}} : Outcome{Dropped{}});
    });
}

void Core::on_stored(engine_bridge::JobId job, Outcome outcome) {
    --storing_;
    auto node = out_.extract(job);
    if (!node.empty()) {
        Out& out = node.mapped();
        AnalysisRun* run = lookup(out.info.analysis);
        if (run != nullptr && run->slot == out.slot && out.engine->profile.reproducible) {
            deliver(*run, out.sequence, out.info.asked, std::move(outcome));
        } else {
            if (run != nullptr) {
                --run->in_flight;
            }
            apply(*out.slot, run, out.info.asked, outcome);
        }
    }
    if (stopping_) {
        if (storing_ == 0 && workers_running_ == 0 && stopped_) {
            auto stopped = std::move(stopped_);
            stopped_ = nullptr;
            stopped();
        }
        return;
    }
    schedule_fill();
}

// Reproducible mode: outcomes take effect in the order in which the questions went out, and the
// next question goes out only after each, so that the tree does not depend on who answers when.
void Core::deliver(AnalysisRun& run, std::uint64_t sequence, const Asked& asked, Outcome outcome) {
    run.waiting.emplace(sequence, std::pair{asked, std::move(outcome)});
    while (!run.waiting.empty() && run.waiting.begin()->first == run.next_outcome) {
        const auto entry = run.waiting.extract(run.waiting.begin());
        ++run.next_outcome;
        --run.in_flight;
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
    if (const auto* dead = std::get_if<Dead>(&outcome)) {
        slot.mark_dead(asked, dead->reason);
    }
    if (const auto* fact = std::get_if<analysis::Evaluation>(&outcome)) {
        for (const auto& [key, other] : slots_) {
            if (other.get() != &slot && other->holds(fact->question.engine)) {
                facts_arrived(*other, other->apply(*fact));
            }
        }
        if (run != nullptr) {
            ++run->usage.evaluations_new;
            run->usage.nodes += fact->nodes;
            run->usage.engine_ms += fact->time_ms;
            run->unproven.push_back(asked.node);
        }
        facts_arrived(slot, slot.apply(*fact));
        return;
    }
    facts_arrived(slot, {});
}

// What a graph's change means for whoever looks at it or works on it.
void Core::facts_arrived(GraphSlot& slot, const std::vector<analysis::NodeId>& changed) {
    auto& nodes = changed_nodes_[&slot];
    nodes.insert(nodes.end(), changed.begin(), changed.end());
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
