#include "core/engines/recorder.hpp"

#include "core/engines/engines.hpp"
#include "core/graphs/line_end.hpp"

#include <algorithm>

namespace adjourn::server {

using engine_bridge::Answer;
using engine_bridge::BestLine;
using engine_bridge::Failure;

engine_bridge::Dispatcher::Done Recorder::expect(Expected expected) const {
    return [self = *this, shared = std::make_shared<const Expected>(std::move(expected))](
               engine_bridge::Result result) { self.answered(shared, std::move(result)); };
}

void Recorder::tell(const base::TaskScope::Poster& core, const Shared& expected, Ending ending) {
    core.post(
        [expected, ending = std::move(ending)]() mutable { expected->ended(std::move(ending)); });
}

void Recorder::answered(const Shared& expected, engine_bridge::Result result) const {
    if (result && (!result->score || result->bound != chess::Bound::exact)) {
        result = std::unexpected(
            Failure{Failure::Kind::no_result, "the engine gave a move without a score", 1});
    }
    const auto trouble = guarded("storing an answer", [&] {
        if (result) {
            record(expected, *result);
        } else {
            record(expected, std::move(result.error()));
        }
    });
    if (trouble) {
        tell(core_, expected, {Dropped{}});
    }
}

void Recorder::record(const Shared& expected, const Answer& answer) const {
    if (expected->reported) {
        BestLine line = answer.changed.value_or(
            BestLine{answer.score, answer.bound, answer.depth, answer.seldepth, answer.pv});
        core_.post(
            [expected, line = std::move(line)]() mutable { expected->reported(std::move(line)); });
    }
    const auto at = moments_->begin();
    const auto fact =
        std::make_shared<analysis::Evaluation>(evaluation_of(answer, expected->question, *at));
    if (fact->machine.empty()) {
        fact->machine = machine_;
    }
    storage::Cost cost{fact->nodes, std::uint64_t{fact->time_ms} * expected->threads};
    if (expected->bill) {
        cost = expected->bill->rest(cost);
    }
    store_->write(
        storage::Answered{*fact, expected->asked_by, cost, false,
                          expected->order ? std::optional{expected->order()} : std::nullopt},
        [core = core_, tables = tables_, expected, fact, cost, at](const storage::Outcome& to) {
            const auto told = [&](Ending ending) {
                ending.moment = at;
                tell(core, expected, std::move(ending));
            };
            if (to) {
                ask_ahead(tables.get(), to->stands ? *to->stands : *fact);
            }
            if (!to) {
                told({Dropped{}, {}, {}, to.error().why, !to.error().broken});
            } else if (to->inserted) {
                fact->id = analysis::EvaluationId{to->id};
                told({Answered{*fact, cost.nodes, cost.engine_ms, true}});
            } else if (to->stands) { // somebody has answered the question before
                told({Answered{*to->stands, cost.nodes, cost.engine_ms, false}});
            } else {
                told({Dropped{}, {}, {}, "its stored answer is damaged"});
            }
        });
}

void Recorder::record(const Shared& expected, Failure failure) const {
    if (failure.kind == Failure::Kind::cancelled || failure.kind == Failure::Kind::unavailable) {
        Ending ending{Dropped{}, std::move(failure.found)};
        if (failure.kind == Failure::Kind::unavailable) {
            ending.engine_problem = std::move(failure.reason);
        }
        tell(core_, expected, std::move(ending));
        return;
    }
    const Unanswered unanswered{failure.reason, std::max(1, failure.attempts), moments_->wall()};
    const storage::FailureRecord row{expected->question, unanswered.reason,
                                     expected->attempts + unanswered.attempts, unanswered.at};
    store_->fail(row, [core = core_, expected, unanswered](const auto& written) {
        tell(core, expected, {written ? Outcome{unanswered} : Outcome{Dropped{}}});
    });
}

namespace {

storage::Cost beyond(const storage::Cost& paid, const storage::Cost& all) {
    return {all.nodes - std::min(all.nodes, paid.nodes),
            all.engine_ms - std::min(all.engine_ms, paid.engine_ms)};
}

} // namespace

storage::Cost Bill::pay(const storage::Cost& so_far) {
    const storage::Cost part = beyond(paid_, so_far);
    paid_ = {paid_.nodes + part.nodes, paid_.engine_ms + part.engine_ms};
    return part;
}

std::optional<storage::Cost> Bill::part(const storage::Cost& so_far) {
    const std::scoped_lock lock{mutex_};
    if (settled_) {
        return std::nullopt;
    }
    const storage::Cost part = pay(so_far);
    parts_ = paid_;
    return part;
}

storage::Cost Bill::rest(const storage::Cost& all) {
    const std::scoped_lock lock{mutex_};
    settled_ = true;
    return pay(all);
}

storage::Cost Bill::unpaid(const storage::Cost& so_far) const {
    const std::scoped_lock lock{mutex_};
    return beyond(paid_, so_far);
}

storage::Cost Bill::parts() const {
    const std::scoped_lock lock{mutex_};
    return parts_;
}

bool Bill::settled() const {
    const std::scoped_lock lock{mutex_};
    return settled_;
}

void Bill::begin_again() {
    const std::scoped_lock lock{mutex_};
    paid_ = {};
    parts_ = {};
}

} // namespace adjourn::server
