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
        if (!engine->profile.reproducible) { // there all is done again in the same order
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
    const auto [at, added] =
        searches_.try_emplace(*process.job, Trail{parts_.clock(), 0, {}, true});
    Trail& trail = at->second;
    trail.seen = true;
    if (!is_due(trail, process)) {
        return;
    }
    if (auto fact = evaluation(trail, *asked, process)) { // the search pays when it has ended
        store(trail, std::move(*fact));
    }
}

bool Checkpoints::is_due(const Trail& trail, const ProcessStatus& process) const {
    if (parts_.clock() - trail.since < long_search || !process.line || process.line->pv.empty()) {
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
    const analysis::UnixMs lasted = parts_.clock() - trail.since;
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

void Checkpoints::store(Trail& trail, analysis::Evaluation fact,
                        std::optional<analysis::AnalysisId> payer, std::uint32_t threads) const {
    trail.nodes = fact.nodes;
    trail.move = fact.move;
    const auto shared = std::make_shared<analysis::Evaluation>(std::move(fact));
    parts_.store.write(storage::Answered{*shared, payer, threads},
                       [core = parts_.core, stored = parts_.stored, shared,
                        payer](const std::expected<storage::Written, std::string>& written) {
                           if (written && written->inserted) {
                               shared->id = analysis::EvaluationId{written->id};
                               core.post([stored, shared, payer] { stored(*shared, payer); });
                           }
                       });
}

} // namespace adjourn::server
