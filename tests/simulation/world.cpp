#include "world.hpp"

#include "core/graphs/graph_slot.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <utility>

namespace adjourn::simulation {

using namespace std::chrono_literals;
using server::Core;
using storage::test::Fault;

namespace {

constexpr analysis::UnixMs look_every = 250;
constexpr std::size_t most_lines = 60;

server::CoreOptions options_of(World& world, Life& life) {
    server::CoreOptions options;
    engine_bridge::Profile profile;
    profile.name = "simulated";
    profile.command = {"none"};
    profile.count = world.bench.processes;
    options.engines = {profile, profile};
    options.engines.back().name = "second";
    options.engines.back().count = world.second.processes;
    options.steady = [&world] { return world.clock; };
    options.clock = [&world] { return world.clock + world.set_by; };
    options.elsewhere = life.elsewhere.executor();
    options.beside = life.beside.executor();
    options.reads = life.reading.executor();
    options.facts_at_once = 50;
    options.dispatch = {.life = 10s,
                        .tries_at_a_place = 3,
                        .first = engine_bridge::Fleet::first_lease(world.clock)};
    options.store_rules.least_free = 0;
    options.ticking = false;
    return options;
}

} // namespace

Life::Life(World& world, int number_)
    : number{number_}, store{world.directory.path(), world.ledger, number_,
                             [&world] { return world.clock; }, writing.executor()} {
    store.meanwhile = [&world] { world.meanwhile(); };
    core = std::make_unique<Core>(
        context, store, options_of(world, *this),
        [&world](std::shared_ptr<engine_bridge::Dispatcher> dispatcher, engine_bridge::ProfileId id,
                 const engine_bridge::Profile& profile, engine_bridge::Processes::Callbacks calls) {
            return std::make_unique<server::SimulatedProcesses>(
                std::move(dispatcher), id, profile.name == "second" ? world.second : world.bench,
                std::move(calls));
        });
    engine_bridge::Fleet::Options options;
    options.clock = [&world] {
        return engine_bridge::Fleet::Time{std::chrono::milliseconds{world.clock}};
    };
    options.wall = [&world] { return world.clock + world.set_by; };
    options.life = 10s;
    options.repeat_one_in = 0;
    options.sigma = [](const std::string&) { return 1.0; };
    options.ticking = false;
    options.new_id = [&world] { return "machine" + std::to_string(++world.ids); };
    fleet = std::make_unique<engine_bridge::Fleet>(context, core->engines().dispatcher(),
                                                   std::move(options));
    api = std::make_unique<server::Api>(*core, fleet.get());
    core->on_links = [this](const Core::Links& now) { links = now; };
    links = core->links();
    core->start();
}

// As a process ends: nobody is told anything.
Life::~Life() {
    api.reset();
    fleet.reset();
    core.reset();
}

World::World(std::uint64_t seed, std::set<FaultKind> faults_, bool as_is_)
    : chance{seed}, faults{std::move(faults_)}, as_is{as_is_} {
    for (server::Bench* each : benches) {
        each->shuffle = true;
        each->random.seed(seed);
        each->processes = 2;
        each->takes = 2 * each->processes;
    }
    second.seed = 2; // its answers are others
    second.name = "Simulated 2.0";
}

World::~World() {
    disk.fail_at(1, Fault::error_onward);
    bench.queue.clear();
    second.queue.clear();
    life.reset();
}

void World::log(const std::string& line) {
    ++lines;
    const std::string told = std::to_string((clock - 1'700'000'000'000)) + " " + line;
    for (const char c : told) {
        trace = (trace ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    }
    if (as_is) {
        std::cout << told << "\n";
    }
    last.push_back(told);
    if (last.size() > most_lines) {
        last.pop_front();
    }
}

void World::violated(const std::string& what) {
    wrong = wrong.empty() ? what : wrong;
    throw Violation{wrong};
}

void World::pass(analysis::UnixMs ms) {
    clock += ms;
    if (broken_until != 0 && clock >= broken_until) {
        log("the disk works again");
        disk.fail_at(0, Fault::none);
        broken_until = 0;
    }
    if (hangs_until != 0 && clock >= hangs_until) {
        log("the disk answers again");
        hangs_until = 0;
        if (life) {
            life->store.hang(false);
        }
    }
    if (engine_until != 0 && clock >= engine_until) {
        log("the engine is well again");
        engine_until = 0;
        bench.poison.clear();
        second.poison.clear();
    }
    if (life) {
        moments.emplace_back(clock, life->core->engines().dispatcher()->next_id());
    }
    if (life && clock >= next_look) {
        next_look = clock + look_every;
        forget_parts();
        life->core->look_after();
        life->fleet->look_after();
    }
}

bool World::start() {
    disk_was_bad = may_fail();
    if (!healed && chance.one_in(4)) { // another engine under the same profile
        second.name = "Simulated 2." + std::to_string(lives);
    }
    try {
        life = std::make_unique<Life>(*this, ++lives);
    } catch (const storage::StoreError& error) {
        log(std::string{"cannot start: "} + (may_fail() ? "its disk" : error.what()));
        bench.queue.clear();
        second.queue.clear();
        life.reset();
        if (!may_fail()) {
            violated(std::string{"the server cannot start on a disk that is well: "} +
                     error.what());
        }
        return false;
    }
    log("start " + std::to_string(lives));
    moments.clear();
    ended.clear();
    ended_keys.clear();
    settled.clear();
    engines.clear();
    if (const std::string missing = life->store.environment().missing; !missing.empty()) {
        violated("what was never acknowledged is missed: " + missing);
    }
    if (!may_fail()) {
        if (const std::string missing = ledger.missing_in(life->store); !missing.empty()) {
            violated("after a start: " + missing);
        }
    }
    return true;
}

void World::end_life(bool power) {
    if (!may_fail() && chance.one_in(2)) {
        look_when_calm();
    }
    look_at_questions();
    log(power ? "power fails" : "killed");
    killed_at = 0;
    disk.fail_at(1, Fault::error_onward); // what it would do at its end is not done
    for (server::Bench* each : benches) {
        each->queue.clear();
        each->leases.clear();
        each->told.clear();
    }
    const std::filesystem::path mark = directory.path() / "acknowledged";
    std::ostringstream marked; // nor is what is noted at an end
    marked << std::ifstream{mark}.rdbuf();
    life.reset();
    if (std::filesystem::exists(mark)) {
        std::ofstream{mark} << marked.str();
    }
    if (power) {
        disk.lose_unsynced(chance.next());
    }
    disk.fail_at(0, Fault::none);
    broken_until = 0;
    hangs_until = 0;
}

bool World::work_of_core() {
    if (life->core_at_work) {
        return false;
    }
    life->core_at_work = true;
    const bool before = life->store.on_a_thread_of_its_own(false);
    const bool did = life->context.poll_one() > 0;
    life->store.on_a_thread_of_its_own(before);
    life->core_at_work = false;
    if (did) {
        look_at_levels();
    }
    return did;
}

bool World::work() {
    if (!life) {
        return false;
    }
    const bool late = chance.one_in(8); // the core's thread may be slow
    if (!late && work_of_core()) {
        return true;
    }
    std::array<Tasks*, 6> could{};
    std::size_t count = 0;
    const bool hangs = life->store.hangs();
    for (Tasks* tasks : {&life->writing, &life->beside, &life->elsewhere, &life->reading,
                         &life->slow_reading, &life->slow}) {
        if (!hangs && tasks->may_begin()) {
            could[count++] = tasks;
        }
    }
    if (count == 0) {
        return late && work_of_core();
    }
    Tasks& tasks = *could[chance.below(count)];
    const bool before = life->store.on_a_thread_of_its_own(&tasks != &life->writing);
    tasks.run(chance);
    life->store.on_a_thread_of_its_own(before);
    if (!wrong.empty()) {
        throw Violation{wrong};
    }
    if (!ledger.wrong.empty()) {
        violated(ledger.wrong);
    }
    look_at_questions();
    return true;
}

void World::meanwhile() {
    for (int i = chance.one_in(3) ? chance.between(1, 8) : 0; i > 0 && work(); --i) {
    }
}

bool World::search() {
    std::vector<server::Bench*> busy;
    for (server::Bench* each : benches) {
        if (!each->queue.empty()) {
            busy.push_back(each);
        }
        for (const auto& beside : each->looking) {
            if (!beside->queue.empty()) {
                busy.push_back(beside.get());
            }
        }
    }
    if (busy.empty()) {
        return false;
    }
    server::Bench& one = *chance.pick(busy);
    const std::size_t before = one.answered.size();
    one.step();
    if (one.answered.size() > before) {
        const engine_bridge::Job& job = one.answered.back();
        ended.emplace_back(job, &bench_of(one.name));
        const std::uint64_t paid = one.told.erase(job.id) > 0 ? one.told_nodes : 0;
        add_searched(job.id, one.answer(job).nodes - paid);
        const bool at_once = &one != &bench && &one != &second; // somebody who looks waits not
        if (!at_once && !ended_keys.insert(engine_bridge::question_key(one.name, job)).second &&
            !disk_was_bad) {
            violated("the engine has searched the same twice: " + job.position.fen());
        }
    }
    look_at_questions();
    return true;
}

void World::add_searched(engine_bridge::JobId job, std::uint64_t nodes) {
    const server::JobInfo* asked = std::as_const(*life->core).scheduler().job(job);
    searched[asked == nullptr ? 0 : static_cast<std::int64_t>(asked->search.payer)] += nodes;
}

void World::tell_part() {
    for (server::Bench* each : benches) {
        const std::size_t running = std::min(each->processes, each->queue.size());
        if (running == 0) {
            continue;
        }
        const engine_bridge::Job& job = each->queue[chance.below(running)];
        engine_bridge::Job part = job;
        part.limit.amount -= static_cast<std::uint64_t>(chance.between(1, 3));
        const engine_bridge::Answer found = each->answer(part);
        each->told_nodes = 400;
        if (each->told
                .insert_or_assign(job.id,
                                  engine_bridge::BestLine{found.score, found.bound, found.depth,
                                                          found.seldepth, found.pv})
                .second) {
            add_searched(job.id, each->told_nodes);
        }
    }
}

// Of searches that are over.
void World::forget_parts() {
    for (server::Bench* each : benches) {
        std::erase_if(each->told, [&](const auto& part) {
            return std::ranges::find(each->queue, part.first, &engine_bridge::Job::id) ==
                   each->queue.end();
        });
    }
}

void World::settle_down() {
    while (work()) {
    }
}

void World::read_for_long(const server::GraphSlot& slot) {
    settle_down();
    const auto held = slot.shared_from_this();
    held->lock().enter();
    for (int i = chance.between(1, 6); i > 0 && search(); --i) {
        while (work_of_core() || (!life->writing.queue.empty() && !life->store.hangs())) {
            if (!life->writing.queue.empty() && !life->store.hangs()) {
                life->writing.run(chance);
            }
        }
    }
    held->lock().leave();
}

void World::begin_fault() {
    std::vector<FaultKind> some{faults.begin(), faults.end()};
    if (some.empty()) {
        return;
    }
    switch (chance.pick(some)) {
    case FaultKind::kill:
        if (life) {
            end_life(false);
        }
        break;
    case FaultKind::power:
        if (life) {
            end_life(true);
        }
        break;
    case FaultKind::disk: {
        if (broken_until != 0) {
            break;
        }
        constexpr std::array kinds{Fault::error_once, Fault::error_onward, Fault::full_onward,
                                   Fault::torn_onward};
        constexpr std::array on{storage::test::On::changes, storage::test::On::syncs,
                                storage::test::On::writes};
        const Fault fault = chance.pick(kinds);
        const auto at = static_cast<std::uint64_t>(chance.between(1, 12));
        const auto which = chance.pick(on);
        broken_until = clock + chance.between(200, 20'000);
        log("the disk fails: kind " + std::to_string(static_cast<int>(fault)) + " at " +
            std::to_string(at) + " of " + std::to_string(static_cast<int>(which)));
        disk.fail_at(at, fault, which);
        disk_was_bad = true;
        if (chance.one_in(3)) {
            killed_at = clock + chance.between(100, 3'000);
        }
        break;
    }
    case FaultKind::hang:
        if (life && hangs_until == 0) {
            hangs_until = clock + chance.between(300, 15'000);
            life->store.hang(true);
            disk_was_bad = true;
            log("the disk does not answer");
        }
        break;
    case FaultKind::engine:
        if (engine_until == 0 && bench.queue.size() + second.queue.size() > 0) {
            engine_until = clock + chance.between(1'000, 60'000);
            for (server::Bench* each : benches) {
                for (const auto& job : each->queue) {
                    if (chance.one_in(2)) {
                        each->poison.insert(job.position.engine_fen());
                    }
                }
            }
            log("the engines die of " + std::to_string(bench.poison.size() + second.poison.size()) +
                " positions");
        }
        break;
    case FaultKind::clock:
        set_by += chance.between(-7'200'000, 7'200'000);
        ahead = std::max(ahead, set_by);
        log("the clock is set");
        break;
    }
}

void World::heal() {
    healed = true;
    set_by = ahead; // else a night that ends by the clock may last for hours more
    disk.fail_at(0, Fault::none);
    broken_until = 0;
    hangs_until = 0;
    engine_until = 0;
    killed_at = 0;
    bench.poison.clear();
    second.poison.clear();
    if (life) {
        life->store.hang(false);
    }
}

} // namespace adjourn::simulation
