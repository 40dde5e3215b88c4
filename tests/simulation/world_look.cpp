// What the server does, held against what must be.
#include "world.hpp"

#include "analysis/strategy.hpp"
#include "core/graphs/graph_slot.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::simulation {

void World::look_at_ended() {
    for (const auto& [job, of] : ended) {
        if (!disk_was_bad && !ledger.answers.contains(answer_key(job, *of))) {
            violated("an answer of the engine is not stored: " + job.position.fen());
        }
    }
    ended.clear(); // from now on the ledger tells of them
}

void World::look_when_calm() {
    settle_down();
    constexpr int soon = 20; // until the server has seen that the disk is well
    const auto not_yet = [this] {
        return !life->core->health().store_problem().empty() ||
               !std::ranges::all_of(life->core->engines().all(), [](const auto& engine) {
                   return engine->identity.has_value();
               });
    };
    for (int i = 0; i < soon && (i == 0 || not_yet()); ++i) {
        pass(500);
        settle_down();
    }
    look_at_ended();
    if (!life->core->health().store_problem().empty()) {
        return; // some things it only finds well at its next start
    }
    for (const auto& engine : life->core->engines().all()) {
        if (!engine->identity) {
            violated("engine " + engine->profile.name + " has said who it is, and has no number");
        }
    }
    look_at_costs();
    look_at_seeds();
}

void World::look_at_levels() {
    for (const auto& run : life->core->queue().runs()) {
        int& before = settled[static_cast<std::int64_t>(run->record.id)];
        if (run->plan.settled == std::exchange(before, run->plan.settled) ||
            run->plan.settled == 0 || !run->has_graph()) {
            continue;
        }
        std::vector<analysis::NodeId> line = server::line_to_root(*run);
        line.pop_back();
        const analysis::Plan plan = analysis::make_plan(
            {run->slot->graph(), run->root_node, run->record.limit, run->spec.strategy,
             run->plan.settled, run->node_directives,
             [&](analysis::NodeId node, const analysis::Limit& limit,
                 const std::vector<chess::Move>& excluded) {
                 return life->core->graphs().state(*run->slot, {node, limit, excluded});
             },
             1, run->seeds.get(), std::move(line)});
        if (!plan.settled()) {
            violated("level " + std::to_string(run->plan.settled) + " of " + run->record.name +
                     " has settled, and waits for answers");
        }
    }
}

void World::look_at_costs() {
    for (const storage::AnalysisRecord& record : life->store.analyses()) {
        const auto id = static_cast<std::int64_t>(record.id);
        const std::uint64_t paid = life->store.usage(record.id).nodes;
        if (paid > searched[id] + searched[0]) {
            violated("analysis " + record.name + " has paid for " + std::to_string(paid) +
                     " nodes, of " + std::to_string(searched[id]) + " that were searched");
        }
        const server::AnalysisRun* const run = life->core->queue().find(record.id);
        if (run != nullptr && !disk_was_bad && run->usage.nodes != paid) {
            violated("analysis " + record.name + " counts " + std::to_string(run->usage.nodes) +
                     " nodes, and has paid for " + std::to_string(paid));
        }
    }
}

void World::look_at_seeds() {
    for (const auto& run : life->core->queue().runs()) {
        if (run->transient || !run->has_graph() || !run->seeds_read) {
            continue;
        }
        std::set<std::pair<analysis::NodeId, std::uint16_t>> known;
        for (const auto& [node, moves] : *run->seeds) {
            for (const chess::Move move : moves) {
                known.emplace(node, move.raw());
            }
        }
        for (const storage::SeedRecord& seed : life->store.seeds(run->record.id)) {
            const auto node = run->slot->graph().find(seed.position);
            if (!node || !known.contains({*node, seed.move.raw()})) {
                violated("a move that a game brought is not known to the tree of " +
                         run->record.name);
            }
        }
    }
}

void World::look_at_questions() {
    for (std::size_t i = 0; i < benches.size(); ++i) {
        for (; looked_at[i] < benches[i]->asked.size(); ++looked_at[i]) {
            const engine_bridge::Job job = benches[i]->asked[looked_at[i]]; // more may come
            look_at_question(job, "the engine here", *benches[i]);
            for (const engine_bridge::Job& other : benches[i]->queue) {
                if (other.id != job.id && !benches[i]->cancelled.contains(other.id) &&
                    engine_bridge::question_key("", other) ==
                        engine_bridge::question_key("", job)) {
                    violated("the engine is asked the same twice at once: " + job.position.fen());
                }
            }
        }
    }
}

std::string World::answer_key(const engine_bridge::Job& job, const server::Bench& of) {
    analysis::Question question{job.position.packed(), {}, job.limit, {}};
    if (!job.searchmoves.empty()) {
        for (const chess::Move move : job.position.legal_moves()) {
            if (std::ranges::find(job.searchmoves, move) == job.searchmoves.end()) {
                question.excluded.push_back(move);
            }
        }
        std::ranges::sort(question.excluded);
    }
    auto& number = engines[of.name];
    if (number == 0) {
        const auto stored = life->store.engines();
        const auto engine = std::ranges::find(stored, of.name, &storage::EngineRecord::name);
        number = engine == stored.end() ? 0 : static_cast<std::int64_t>(engine->id);
    }
    return number == 0 ? "" : text_of(question) + " e" + std::to_string(number);
}

void World::look_at_question(const engine_bridge::Job& job, const std::string& who,
                             const server::Bench& of) {
    constexpr analysis::UnixMs on_the_way = 2'000; // until the core has heard of it
    constexpr int most_in_vain = 24;               // were in the queue already
    asked_in_vain = life->store.failed() >= 2 ? asked_in_vain + 1 : 0;
    if (asked_in_vain > most_in_vain) {
        violated("engines are asked while nothing can be stored");
    }
    const auto found = ledger.answers.find(answer_key(job, of));
    if (found == ledger.answers.end()) {
        return;
    }
    const Ledger::Fact& fact = ledger.facts.at(found->second);
    const auto after = std::ranges::lower_bound(moments, fact.known_at + on_the_way, {},
                                                [](const auto& moment) { return moment.first; });
    const bool known = fact.life != lives || (after != moments.end() && job.id > after->second);
    if (!disk_was_bad && known) {
        violated(who + " is asked again what is answered: " + found->first + " at " +
                 job.position.fen());
    }
}

} // namespace adjourn::simulation
