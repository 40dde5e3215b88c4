#include "core/schedule/checkpoints.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::server {

namespace {

using engine_bridge::ProcessStatus;

// The limit that a search of this one has reached; nullopt: none that is less than it was asked
// for.
std::optional<analysis::Limit> reached(const analysis::Limit& asked, int depth, std::uint64_t nodes,
                                       analysis::UnixMs ms) {
    const auto amount =
        asked.kind == analysis::Limit::Kind::depth   ? static_cast<std::uint64_t>(depth)
        : asked.kind == analysis::Limit::Kind::nodes ? nodes
                                                     : static_cast<std::uint64_t>(ms);
    return amount > 0 && amount < asked.amount ? std::optional{analysis::Limit{asked.kind, amount}}
                                               : std::nullopt;
}

} // namespace

void Checkpoints::look_after() {
    for (auto& [job, search] : searches_) {
        search.seen = false;
    }
    for (const auto& engine : parts_.engines.all()) {
        if (!engine->profile.reproducible) { // what is kept depends on when somebody looked
            for (const ProcessStatus& process : engine->status()) {
                look_at(*engine, process);
            }
        }
    }
    std::erase_if(searches_, [](const auto& entry) { return !entry.second.seen; });
}

void Checkpoints::look_at(const EngineSlot& engine, const ProcessStatus& process) {
    const bool searching = process.state == ProcessStatus::State::searching && process.job;
    const analysis::Question* asked = searching ? parts_.scheduler.question(*process.job) : nullptr;
    if (asked == nullptr || asked->engine != engine.id) {
        return;
    }
    const JobInfo& job = *parts_.scheduler.job(*process.job);
    const auto [at, added] = searches_.try_emplace(*process.job);
    Trail& trail = at->second;
    if (added || another(trail.process, process)) {
        trail = {parts_.steady(), job.analysis, job.bill};
        AnalysisRun* const run = parts_.queue.find(job.analysis);
        if (job.bill && run != nullptr) {
            run->out.forget_paid(job.bill->parts());
            job.bill->begin_again();
        }
    }
    trail.seen = true;
    trail.process = process;
    if (!process.machine.empty()) {
        return;
    }
    auto fact = is_due(trail, process) ? evaluation(trail, *asked, process) : std::nullopt;
    if (fact) {
        store(trail, std::move(*fact));
    } else {
        pay_if_due(trail, process);
    }
}

Scheduler::Since Checkpoints::since() const {
    Scheduler::Since since;
    for (const auto& [job, search] : searches_) {
        if (search.process.machine.empty()) {
            since.emplace(job, search.since);
        }
    }
    return since;
}

void Checkpoints::keep(engine_bridge::JobId job) {
    Trail& search = searches_.at(job);
    const analysis::Question* asked = parts_.scheduler.question(job);
    auto fact = asked == nullptr ? std::nullopt : evaluation(search, *asked, search.process);
    if (fact) {
        store(search, std::move(*fact));
    } else {
        pay(search, search.process);
    }
}

bool Checkpoints::is_due(const Trail& trail, const ProcessStatus& process) const {
    if (parts_.steady() - trail.since < long_search || !process.line || process.line->pv.empty()) {
        return false;
    }
    const bool grown =
        static_cast<double>(process.nodes) >= growth * static_cast<double>(trail.nodes);
    return grown || trail.move != process.line->pv.front();
}

std::optional<analysis::Evaluation> Checkpoints::evaluation(const Trail& trail,
                                                            const analysis::Question& asked,
                                                            const ProcessStatus& process) const {
    const auto& line = process.line;
    if (!line || !line->score || line->pv.empty() || line->bound != chess::Bound::exact) {
        return std::nullopt;
    }
    const analysis::UnixMs lasted = parts_.steady() - trail.since;
    const auto limit = reached(asked.limit, line->depth, process.nodes, lasted);
    if (!limit) {
        return std::nullopt;
    }
    analysis::Evaluation fact;
    fact.question = asked;
    fact.question.limit = *limit;
    fact.move = line->pv.front();
    fact.score = line->score;
    fact.depth = line->depth;
    fact.seldepth = line->seldepth;
    fact.nodes = process.nodes;
    fact.time_ms = static_cast<std::uint32_t>(std::clamp<analysis::UnixMs>(lasted, 0, 0xffff'ffff));
    fact.pv = line->pv;
    fact.wdl = line->wdl;
    fact.machine = parts_.machine;
    fact.at = parts_.moments->next();
    return fact;
}

storage::Cost Checkpoints::cost(const Trail& trail, std::uint64_t nodes) const {
    const auto lasted = std::max<analysis::UnixMs>(0, parts_.steady() - trail.since);
    return {nodes, static_cast<std::uint64_t>(lasted) * trail.threads};
}

// What is paid now; it counts at once. Nothing: there is nobody who pays, or the answer has come.
std::optional<storage::Cost> Checkpoints::charge(Trail& trail, std::uint64_t nodes) const {
    AnalysisRun* const run = trail.payer ? parts_.queue.find(*trail.payer) : nullptr;
    const auto part =
        trail.bill && run != nullptr ? trail.bill->part(cost(trail, nodes)) : std::nullopt;
    if (part) {
        trail.paid_at = parts_.steady();
        run->pay(*part);
        if (trail.planned) {
            run->out.paid.nodes += part->nodes;
            run->out.paid.engine_ms += part->engine_ms;
        }
    }
    return part;
}

// What could not be stored counts for nothing.
storage::Done Checkpoints::paid(const Trail& trail, const std::optional<storage::Cost>& part,
                                std::function<void(const storage::Written&)> then) const {
    return [core = parts_.core, &queue = parts_.queue, payer = trail.payer, part,
            then = std::move(then)](const std::expected<storage::Written, std::string>& written) {
        if (written) {
            then(*written);
        } else if (part) {
            core.post([&queue, payer, part] {
                if (AnalysisRun* const run = queue.find(*payer)) {
                    run->take_back(*part);
                }
            });
        }
    };
}

void Checkpoints::store(Trail& trail, analysis::Evaluation fact, bool ends) const {
    if (trail.bill && trail.bill->settled()) {
        return;
    }
    trail.nodes = fact.nodes;
    trail.move = fact.move;
    const auto part = charge(trail, fact.nodes);
    const auto asked_by = ends ? trail.payer : std::nullopt;
    const auto shared = std::make_shared<analysis::Evaluation>(std::move(fact));
    auto done = paid(trail, part,
                     [core = parts_.core, stored = parts_.stored, shared,
                      asked_by](const storage::Written& written) {
                         if (written.inserted) {
                             shared->id = analysis::EvaluationId{written.id};
                             core.post([stored, shared, asked_by] { stored(*shared, asked_by); });
                         }
                     });
    parts_.store.write(storage::Answered{*shared, part ? trail.payer : std::nullopt,
                                         part.value_or(storage::Cost{}), !ends},
                       std::move(done));
}

void Checkpoints::pay(Trail& trail, const ProcessStatus& process) const {
    if (const auto part = charge(trail, process.nodes)) {
        parts_.store.write(storage::Spent{*trail.payer, *part},
                           paid(trail, part, [](const storage::Written&) {}));
    }
}

void Checkpoints::pay_if_due(Trail& trail, const ProcessStatus& process) const {
    if (parts_.steady() - std::max(trail.since, trail.paid_at) >= long_search) {
        pay(trail, process);
    }
}

} // namespace adjourn::server
