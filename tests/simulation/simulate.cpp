#include "simulate.hpp"

#include "machines.hpp"
#include "people.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <functional>

namespace adjourn::simulation {

namespace {

void stop_cancelled(World& world) {
    for (server::Bench* each : world.benches) {
        for (const engine_bridge::JobId job : each->cancelled) {
            each->told.erase(job); // whoever searches it again begins anew
        }
        each->stop_cancelled();
        for (const auto& beside : each->looking) {
            beside->stop_cancelled();
        }
    }
}

// One thing that happens.
void step(World& world, People& people, Machines& machines) {
    Chance& chance = world.chance;
    if (!world.life) {
        people.hung_up();
        world.pass(chance.between(100, 3'000));
        if (world.start()) {
            if (chance.one_in(4)) {
                world.begin_fault();
            }
            people.act_at_once();
        }
        return;
    }
    if (world.killed_at != 0 && world.clock >= world.killed_at) {
        world.end_life(false);
        return;
    }
    const int what = chance.between(0, 99);
    if (what < 35) {
        for (int i = chance.between(1, 12); i > 0 && world.work(); --i) {
        }
    } else if (what < 58) {
        people.act(chance.below(people.count()));
    } else if (what < 73) {
        if (chance.one_in(8)) {
            stop_cancelled(world);
        }
        if (chance.one_in(3)) {
            world.tell_part();
        }
        if (world.search()) {
            world.pass(chance.between(1, 300));
        }
    } else if (what < 88) {
        if (machines.count() > 0) {
            machines.act(chance.below(machines.count()));
        }
        world.pass(chance.between(0, 50));
    } else if (what < 97) {
        const bool long_time = chance.one_in(10);
        if (long_time && !world.may_fail()) {
            world.settle_down(); // else a call would be given up for this jump alone
        }
        world.pass(chance.between(20, long_time ? 30'000 : 800));
    } else if (what == 97) {
        people.look_when_calm();
    } else if (!chance.one_in(4)) {
        world.begin_fault();
    }
    world.look_at_questions();
}

// Until nothing happens any more; the engine answers, time passes.
void to_rest(World& world, People& people, const std::string& why) {
    constexpr int most_rounds = 6'000;
    int quiet = 0;
    for (int round = 0; round < most_rounds; ++round) {
        world.settle_down();
        bool did = false;
        for (std::size_t who = 0; who < people.count(); ++who) {
            did = people.act(who, false) || did;
        }
        world.settle_down();
        stop_cancelled(world);
        if (world.chance.one_in(4)) {
            people.read_for_long();
        }
        did = world.search() || did;
        world.settle_down();
        quiet = did ? 0 : quiet + 1;
        world.pass(quiet > 3 ? 60'000 * quiet : 300); // pauses of questions that failed
        if (quiet > 5 && world.life->core->scheduler().all_back() && people.not_at_rest().empty()) {
            return;
        }
    }
    world.violated("it does not come to rest " + why + ": " + people.not_at_rest() +
                   (world.life->core->scheduler().all_back() ? "" : "; questions are out") +
                   (people.busy() ? "; a call is not answered" : "") + "; quiet for " +
                   std::to_string(quiet));
}

// Every score is the engine's.
void look_at_scores(World& world) {
    for (const storage::EngineRecord& engine : world.life->store.engines()) {
        world.life->store.for_each_evaluation(engine.id, [&](const analysis::Evaluation& fact) {
            const auto position = chess::Position::unpack(fact.question.position);
            engine_bridge::Job job{1, *position, fact.question.limit, {}};
            for (const chess::Move move : position->legal_moves()) {
                if (!fact.question.excluded.empty() &&
                    std::ranges::find(fact.question.excluded, move) ==
                        fact.question.excluded.end()) {
                    job.searchmoves.push_back(move);
                }
            }
            const auto opinion = world.bench_of(engine.name).answer(job);
            if (fact.move != opinion.move || fact.score != opinion.score) {
                world.violated("a score is not the engine's: " + position->fen());
            }
        });
    }
}

void judge(World& world) {
    if (world.life->core->engines().dispatcher()->reserved(true) > 0) {
        world.violated("a process is reserved, and nobody looks");
    }
    if (const std::string missing = world.ledger.missing_in(world.life->store); !missing.empty()) {
        world.violated("at the end: " + missing);
    }
    world.look_when_calm();
    const auto findings = world.life->store.check();
    if (!findings.empty()) {
        world.violated("check finds: " + findings.front());
    }
    look_at_scores(world);
}

// A bit of an answer flips on the disk: it is found, and not shown.
void find_a_flipped_bit(World& world, People& people) {
    world.end_life(false);
    people.hung_up();
    const std::int64_t flipped = flip_a_bit(world.directory.path(), world.chance.next());
    world.ledger.forget(flipped);
    world.start();
    for (const storage::EngineRecord& engine : world.life->store.engines()) {
        world.life->store.for_each_evaluation(engine.id, [&](const analysis::Evaluation& fact) {
            if (static_cast<std::int64_t>(fact.id) == flipped) {
                world.violated("an evaluation with a flipped bit is shown");
            }
        });
    }
    if (flipped != 0 && world.life->store.check().empty()) {
        world.violated("check does not find the flipped bit of an evaluation");
    }
}

void live(World& world, const Plan& plan) {
    People people{world, plan.people};
    Machines machines{world, plan.machines, plan.faulty_machines};
    world.start();
    if (world.chance.one_in(3)) {
        world.begin_fault();
    }
    for (std::size_t i = 0; i < plan.steps; ++i) {
        step(world, people, machines);
    }
    world.log("the faults end");
    world.heal();
    // Some lives go on; others end here, and all is found again.
    if (!world.life || !world.chance.one_in(2)) {
        if (world.life) {
            world.end_life(false);
        }
        people.hung_up();
        world.start();
        people.act_at_once();
    }
    machines.finish();
    people.look_at_held();
    to_rest(world, people, "after the faults");
    people.look_at_held();
    people.resume_all();
    people.look_at_everything();
    to_rest(world, people, "when all may go on");
    people.look_for_failures();
    judge(world);
    people.look_at_everything();
    const std::string before = people.trees();
    world.end_life(false);
    people.hung_up();
    world.start();
    to_rest(world, people, "after another start");
    if (const std::string after = people.trees(); after != before) {
        const auto [a, b] = std::ranges::mismatch(before, after);
        const auto at = static_cast<std::size_t>(a - before.begin());
        world.violated("the trees are others after a start: …" +
                       before.substr(at - std::min<std::size_t>(at, 200), 400) + "… and …" +
                       after.substr(at - std::min<std::size_t>(at, 200), 400) + "…");
    }
    if (world.chance.one_in(4)) {
        people.look_at_priority();
    }
    find_a_flipped_bit(world, people);
}

} // namespace

std::string Plan::text() const {
    std::string text = "--seed " + std::to_string(seed) + " --steps " + std::to_string(steps) +
                       " --people " + std::to_string(people) + " --machines " +
                       std::to_string(machines) + (faulty_machines ? "" : " --honest") +
                       " --faults ";
    for (const FaultKind kind : faults) {
        text += (kind == *faults.begin() ? "" : ",") +
                std::string{fault_names[static_cast<std::size_t>(kind)]};
    }
    return faults.empty() ? text + "none" : text;
}

Run run(const Plan& plan) {
    spdlog::set_level(spdlog::level::off); // all that goes wrong is meant
    World world{plan.seed, plan.faults, plan.as_is};
    Run result;
    const analysis::UnixMs begun = world.clock;
    try {
        live(world, plan);
    } catch (const std::exception& error) { // also what the product throws
        result.violation = error.what();
    }
    result.last.assign(world.last.begin(), world.last.end());
    result.trace = world.trace;
    result.simulated = world.clock - begun;
    result.facts = world.ledger.facts.size();
    return result;
}

Plan smaller(Plan plan) {
    plan.as_is = false;
    const auto still = [](const Plan& tried) { return !run(tried).violation.empty(); };
    for (bool found = true; found;) {
        found = false;
        const auto attempt = [&](const std::function<void(Plan&)>& change) {
            Plan tried = plan;
            change(tried);
            if (tried.text() != plan.text() && still(tried)) {
                plan = tried;
                found = true;
            }
        };
        for (const FaultKind kind : std::set<FaultKind>{plan.faults}) {
            attempt([&](Plan& tried) { tried.faults.erase(kind); });
        }
        attempt([](Plan& tried) { tried.machines = 0; });
        attempt([](Plan& tried) { tried.faulty_machines = false; });
        attempt([](Plan& tried) { tried.people = std::max<std::size_t>(1, tried.people - 1); });
        attempt([](Plan& tried) { tried.steps = tried.steps / 2; });
        attempt([](Plan& tried) { tried.steps = tried.steps * 4 / 5; });
    }
    return plan;
}

std::string report(const Plan& plan, const Run& first) {
    const Plan small = smaller(plan);
    const Run again = run(small);
    std::string text = "adjourn-simulate " + plan.text() + "\n  " + first.violation +
                       "\nsmaller: adjourn-simulate " + small.text() + "\n  " + again.violation +
                       "\n";
    for (const std::string& line : again.last) {
        text += "    " + line + "\n";
    }
    return text;
}

} // namespace adjourn::simulation
