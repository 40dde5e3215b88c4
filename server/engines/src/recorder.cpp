#include "engines/recorder.hpp"

#include "engines/engine_facts.hpp"
#include "health/guard.hpp"

#include <algorithm>

namespace adjourn::server {

using engine_bridge::Answer;
using engine_bridge::BestLine;
using engine_bridge::Failure;
using engine_bridge::JobId;

Recorder::Recorder(storage::Store& store, std::shared_ptr<Moments> moments, TaskScope::Poster core,
                   Listener listener)
    : store_{store}, moments_{std::move(moments)}, tell_{std::move(core),
                                                         std::make_shared<const Listener>(
                                                             std::move(listener))} {}

void Recorder::Tell::ended(JobId job, Ending ending) const {
    core.post([listener = listener, job, ending = std::move(ending)]() mutable {
        listener->ended(job, std::move(ending));
    });
}

void Recorder::expect(JobId job, Expected expected) {
    const std::lock_guard lock{mutex_};
    expected_.emplace(job, std::move(expected));
}

void Recorder::answered(JobId job, engine_bridge::Result result) {
    std::unordered_map<JobId, Expected>::node_type found;
    {
        const std::lock_guard lock{mutex_};
        found = expected_.extract(job);
    }
    if (found.empty()) {
        return;
    }
    if (result && (!result->score || result->bound != chess::Bound::exact)) {
        result = std::unexpected(
            Failure{Failure::Kind::no_result, "the engine gave a move without a score", 1});
    }
    const auto trouble = guarded("storing an answer", [&] {
        if (result) {
            record(job, std::move(found.mapped()), *result);
        } else {
            record(job, std::move(found.mapped()), std::move(result.error()));
        }
    });
    if (trouble) {
        tell_.ended(job, {Dropped{}});
    }
}

void Recorder::record(JobId job, Expected expected, const Answer& answer) {
    if (expected.heard) {
        BestLine line = answer.changed.value_or(
            BestLine{answer.score, answer.bound, answer.depth, answer.seldepth, answer.pv});
        tell_.core.post([listener = tell_.listener, job, line = std::move(line)]() mutable {
            listener->heard(job, std::move(line));
        });
    }
    const auto fact = std::make_shared<analysis::Evaluation>(
        evaluation_of(answer, std::move(expected.question), moments_->next()));
    store_.append(
        *fact, expected.asked_by,
        [tell = tell_, job, fact](const std::expected<storage::Written, std::string>& to) {
            if (!to) {
                tell.ended(job, {Dropped{}, {}, {}, to.error()});
            } else if (to->inserted) {
                fact->id = analysis::EvaluationId{to->id};
                tell.ended(job, {Answered{*fact, fact->nodes, fact->time_ms, true}});
            } else if (to->stands) { // somebody has answered the question before
                tell.ended(job, {Answered{*to->stands, fact->nodes, fact->time_ms, false}});
            } else {
                tell.ended(job, {Dropped{}, {}, {}, "its stored answer is damaged"});
            }
        });
}

void Recorder::record(JobId job, Expected expected, Failure failure) {
    if (failure.kind == Failure::Kind::cancelled || failure.kind == Failure::Kind::unavailable) {
        Ending ending{Dropped{}, std::move(failure.found)};
        if (failure.kind == Failure::Kind::unavailable) {
            ending.engine_problem = std::move(failure.reason);
        }
        tell_.ended(job, std::move(ending));
        return;
    }
    const Unanswered unanswered{failure.reason, std::max(1, failure.attempts), moments_->wall()};
    const storage::FailureRecord row{std::move(expected.question), unanswered.reason,
                                     expected.attempts + unanswered.attempts, unanswered.at};
    store_.fail(row, [tell = tell_, job, unanswered](const auto& written) {
        tell.ended(job, {written ? Outcome{unanswered} : Outcome{Dropped{}}});
    });
}

} // namespace adjourn::server
