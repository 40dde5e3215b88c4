// Core, what comes back: workers → store → graph → events.
#include "records/write_through.hpp"
#include "store_works.hpp"
#include "work/core.hpp"
#include "work/engine_facts.hpp"

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
    if (result && (!result->score || result->bound != chess::Bound::exact)) {
        result = std::unexpected(engine_bridge::Failure{
            engine_bridge::Failure::Kind::no_result, "the engine gave a move without a score", 1});
    }
    if (result) {
        engine.problem.clear();
        // Whoever has to answer before it is stored: a search that ended has its say, too.
        if (AnalysisRun* const run = lookup(out.info.analysis);
            run != nullptr && run->transient && of_whole_root(*run, out.info.asked)) {
            run->told = result->changed.value_or(engine_bridge::BestLine{
                result->score, result->bound, result->depth, result->seldepth, result->pv});
            if (on_progress) {
                on_progress(*run);
            }
        }
        ++storing_;
        analysis::Evaluation fact = evaluation_of(*result, std::move(question), now());
        // What a transient analysis has spent dies with it.
        const bool kept = static_cast<std::int64_t>(out.info.analysis) > 0;
        // The writer's thread only hands the message on.
        store_.append(fact, kept ? std::optional{out.info.analysis} : std::nullopt,
                      [this, &context = context_, alive = alive_, job,
                       fact](const std::expected<storage::Written, std::string>& written) {
                          boost::asio::post(context, [this, alive, job, fact, written] {
                              if (*alive) {
                                  on_written(job, fact, written);
                              }
                          });
                      });
        return;
    }
    const engine_bridge::Failure& failure = result.error();
    using Kind = engine_bridge::Failure::Kind;
    if (failure.kind == Kind::cancelled || failure.kind == Kind::unavailable) {
        if (failure.kind == Kind::unavailable) {
            engine.problem = failure.reason;
        }
        AnalysisRun* const run = failure.found ? lookup(out.info.analysis) : nullptr;
        if (run != nullptr && out.info.asked.node == run->root_node && run->slot == out.slot) {
            run->told = failure.found;
        }
        ++storing_;
        on_stored(job, Dropped{});
        return;
    }
    spdlog::warn("engine {}: no answer for {} after {} attempts: {}", engine.profile.name,
                 out.slot->graph().position(out.info.asked.node).fen(), failure.attempts,
                 failure.reason);
    ++storing_;
    const Unanswered unanswered{failure.reason, std::max(1, failure.attempts), now()};
    const storage::FailureRecord record{std::move(question), unanswered.reason,
                                        out.slot->attempts(out.info.asked) + unanswered.attempts,
                                        unanswered.at};
    store_.fail(record, [this, &context = context_, alive = alive_, job,
                         unanswered](const auto& written) {
        boost::asio::post(context, [this, alive, job, unanswered, stored = written.has_value()] {
            if (*alive) {
                on_stored(job, stored ? Outcome{unanswered} : Outcome{Dropped{}});
            }
        });
    });
}

void Core::on_written(engine_bridge::JobId job, analysis::Evaluation fact,
                      const std::expected<storage::Written, std::string>& written) {
    const HoldWatch::Hold hold{watch_, "fact"};
    Outcome outcome = Dropped{};
    attempt("storing an answer", [&] {
        if (!written) {
            if (still_works(*this)) { // to ask again would be refused again
                outcome = Unanswered{written.error(), 1, fact.at};
            }
            return;
        }
        Answered answered{fact, fact.nodes, fact.time_ms, written->inserted};
        answered.fact.id = analysis::EvaluationId{written->id};
        if (!written->inserted) { // it was answered before: the first answer stands
            auto stored = store_.answer(fact.question);
            if (!stored) {
                return;
            }
            if (!usable(*stored)) {
                outcome =
                    Unanswered{"an answer without exact score is kept in the store", 1, fact.at};
                return;
            }
            answered.fact = std::move(*stored);
        }
        outcome = std::move(answered);
    });
    on_stored(job, std::move(outcome));
}

void Core::on_stored(engine_bridge::JobId job, Outcome outcome) {
    --storing_;
    auto node = out_.extract(job);
    if (!node.empty()) {
        Out& out = node.mapped();
        AnalysisRun* run = lookup(out.info.analysis);
        if (out.urgent) {
            --out.engine->urgent_out;
            for (const auto& other : runs_) { // the next question about the position may be due
                other->now_due = other->now_due || waits_for_now(*other);
            }
        }
        const auto take_effect = [&] {
            if (run != nullptr && run->slot == out.slot && out.engine->profile.reproducible &&
                out.sequence >= run->next_outcome) {
                deliver(*run, out.sequence, out.info.asked, std::move(outcome));
            } else {
                if (run != nullptr) {
                    run->comes_back(out.info.asked.limit);
                }
                apply(*out.slot, run, out.info.asked, outcome);
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
