// A core on a store in a temporary directory, driven by hand.
#pragma once

#include "analysis/strategy.hpp"
#include "chess/notation.hpp"
#include "core/schedule/core.hpp"
#include "simulated_workers.hpp"
#include "storage/open.hpp"
#include "temporary_directory.hpp"
#include "test.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <nlohmann/json.hpp>

namespace adjourn::server {

inline constexpr const char* ruy_lopez = "1. e4 e5 2. Nf3 Nc6 3. Bb5";

// What the core has told.
struct TestObserver : Observer {
    void analysis_changed(const Core&, const AnalysisRun& run) override {
        analyses.push_back(run.record.id);
    }
    void nodes_changed(const AnalysisRun& run,
                       const std::vector<analysis::NodeId>& changed) override {
        nodes.emplace_back(run.record.id, changed);
    }
    void board_search_changed(const Core&, const BoardSearch& board) override {
        boards.push_back(board);
    }
    void engine_changed(const Core&, const EngineSlot& engine) override {
        engines.push_back(engine.profile.name);
    }
    void analysis_removed(analysis::AnalysisId id) override { removed.push_back(id); }

    void forget() { *this = TestObserver{}; }

    std::vector<analysis::AnalysisId> analyses;
    std::vector<std::pair<analysis::AnalysisId, std::vector<analysis::NodeId>>> nodes;
    std::vector<std::string> engines;
    std::vector<analysis::AnalysisId> removed;
    std::vector<BoardSearch> boards;
};

inline engine_bridge::Profile profile_of(const std::string& name, const std::string& command) {
    engine_bridge::Profile profile;
    profile.name = name;
    profile.command = {command};
    profile.count = 2;
    return profile;
}

// By halving, to depth 8.
inline NewAnalysis wanted_at(const chess::Position& start, const std::string& moves, int refine) {
    NewAnalysis wanted{moves, start, *chess::parse_line(start, moves), "", {}, {}, 0, false};
    wanted.spec.strategy = analysis::default_parameters("halving");
    wanted.spec.strategy.refine = refine;
    wanted.limit = {analysis::Limit::Kind::depth, 8};
    return wanted;
}

inline Budget of_positions(std::uint64_t most) {
    Budget budget;
    budget.positions = most;
    return budget;
}
inline Budget of_nodes(std::uint64_t most) {
    Budget budget;
    budget.nodes = most;
    return budget;
}
// An hour from then, for an hour.
inline TimeWindow an_hour_after(analysis::UnixMs now) {
    const int minute = local_minute_of_day(now);
    return {(minute + 60) % 1440, (minute + 120) % 1440};
}

struct CoreFixture {
    explicit CoreFixture(const std::filesystem::path& directory, Bench& bench_,
                         bool reproducible = false,
                         std::shared_ptr<const analysis::Tables> tables = nullptr,
                         bool reads_by_hand = false,
                         Dispatcher::Rules rules = {.tries_at_a_place = 3})
        : bench{bench_}, store{storage::open_store(directory, storage::OpenMode::owner)} {
        engine_bridge::Profile profile;
        profile.name = "simulated";
        profile.command = {"none"};
        profile.count = bench.processes;
        profile.reproducible = reproducible;
        CoreOptions options;
        options.engines = {profile};
        options.dispatch = rules;
        options.tables = std::move(tables);
        options.steady = [this] {
            return clock + (passes_with_work ? static_cast<analysis::UnixMs>(bench.clock) : 0);
        };
        options.clock = [this, steady = options.steady] { return steady() + set_by; };
        if (reads_by_hand) {
            options.facts_at_once = 50;
            options.elsewhere = [this](std::function<void()> task) {
                reading.push_back(std::move(task));
            };
        }
        options.observer = told;
        options.ticking = false;
        options.collections = directory / "collections";
        options.store_rules.least_free = bench.least_free;
        core = std::make_unique<Core>(
            context, *store, std::move(options),
            [this](std::shared_ptr<Dispatcher> dispatcher, engine_bridge::ProfileId id,
                   const engine_bridge::Profile& of, engine_bridge::Processes::Callbacks calls) {
                made.push_back(of);
                const auto other = others.find(of.command.front());
                return std::make_unique<SimulatedProcesses>(
                    std::move(dispatcher), id, other == others.end() ? bench : *other->second,
                    std::move(calls));
            });
        core->start();
        settle_down();
    }
    // As if the process were: nobody stops anything, and what engines search is lost.
    void kill() {
        bench.queue.clear();
        core.reset();
    }
    ~CoreFixture() {
        if (core == nullptr) {
            flush();
            return;
        }
        bool gone = false;
        core->stop([&] { gone = true; });
        while (!gone) { // what the store has still to say comes from its own thread
            flush();
            context.restart();
            context.poll();
        }
        core.reset();
        flush();
        if (at_end) {
            at_end();
        }
    }

    // A store that a test has broken says so at each call.
    void flush() const noexcept {
        try {
            store->flush();
        } catch (const storage::StoreError&) {
            return;
        }
    }

    // Runs what is due on the core's thread, and what the store still has to say.
    void settle_down() {
        do {
            flush();
        } while (context.poll() > 0);
    }

    // Lets the workers answer until `done`, at most `most` answers. Returns the number of answers.
    std::size_t work_until(const std::function<bool()>& done, std::size_t most = 20'000) {
        std::size_t answers = 0;
        settle_down();
        while (!done() && answers < most) {
            if (!bench.step()) {
                break;
            }
            ++answers;
            settle_down();
        }
        return answers;
    }

    // Time passes: windows and budgets are looked at again, and the observer is told.
    void pass(analysis::UnixMs milliseconds) {
        clock += milliseconds;
        core->look_after();
        settle_down();
    }

    // Does what was to be read elsewhere, on another thread, until nothing is left of it.
    void read() {
        settle_down();
        while (!reading.empty()) {
            std::thread{std::exchange(reading.front(), nullptr)}.join();
            reading.pop_front();
            settle_down();
        }
    }

    analysis::AnalysisId create(NewAnalysis wanted) const {
        const auto id = core->create(std::move(wanted)).wait();
        REQUIRE(id);
        return *id;
    }
    analysis::AnalysisId create(const std::string& moves, int refine, int distance = 20,
                                int priority = 0) const {
        NewAnalysis wanted = wanted_at(chess::Position::initial(), moves, refine);
        wanted.spec.strategy.move_distance = distance;
        wanted.priority = priority;
        return create(std::move(wanted));
    }
    // Works it to its end.
    void settle(analysis::AnalysisId id) {
        work_until([&] { return settled(id); });
        REQUIRE(settled(id));
    }
    analysis::AnalysisId create_settled(NewAnalysis wanted) {
        const auto id = create(std::move(wanted));
        settle(id);
        return id;
    }

    void change(analysis::AnalysisId id, const AnalysisPatch& patch) const {
        REQUIRE(core->change(id, patch).wait());
    }
    void hold(analysis::AnalysisId id, bool on = true) const {
        AnalysisPatch patch;
        patch.hold = on;
        change(id, patch);
    }
    void set_budget(analysis::AnalysisId id, const Budget& budget) const {
        AnalysisPatch patch;
        patch.budget = budget;
        change(id, patch);
    }
    void set_limit(analysis::AnalysisId id, const analysis::Limit& limit) const {
        AnalysisPatch patch;
        patch.limit = limit;
        change(id, patch);
    }
    void direct(analysis::AnalysisId id, const std::vector<chess::Move>& line, const char* action,
                const char* text = "") const {
        REQUIRE(core->direct(id, line, action, text).wait());
    }
    // Another engine, "second", on that bench.
    void add_second(Bench& second) {
        others.insert_or_assign("second", &second);
        core->set_engines({profile_of("simulated", "none"), profile_of("second", "second")});
        settle_down();
    }

    const AnalysisRun& run(analysis::AnalysisId id) const {
        const AnalysisRun* found = core->queue().find(id);
        REQUIRE(found != nullptr);
        return *found;
    }
    bool settled(analysis::AnalysisId id) const {
        return run(id).record.state == storage::AnalysisState::settled;
    }

    Bench& bench;
    std::map<std::string, Bench*> others; // those of profiles with another command, by it
    std::vector<engine_bridge::Profile> made;
    std::function<void()> at_end; // while the context is there still
    boost::asio::io_context context;
    // Without a timer it may have nothing to do for a while; it is not to stop then.
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> open{
        context.get_executor()};
    std::unique_ptr<storage::Store> store;
    analysis::UnixMs clock = 1'700'000'000'000;
    analysis::UnixMs set_by = 0;   // somebody has set the wall clock by so much
    bool passes_with_work = false; // time, besides: as much as the engines' answers take
    std::shared_ptr<TestObserver> told = std::make_shared<TestObserver>();
    std::deque<std::function<void()>> reading; // if by hand
    std::unique_ptr<Core> core;
};

// From its root, in SAN or UCI.
inline std::vector<chess::Move> line_of(const AnalysisRun& run, const std::string& text) {
    return *chess::parse_line(run.root, text);
}

struct OwnPlace {
    explicit OwnPlace(std::size_t processes) { own.processes = processes; }
    TemporaryDirectory directory;
    Bench own;
};
// The only one on its store.
struct CoreAlone : OwnPlace, CoreFixture {
    explicit CoreAlone(std::size_t processes = 2, bool reproducible = false)
        : OwnPlace{processes}, CoreFixture{directory.path(), own, reproducible} {}
};

// One that is killed, and opened again on its store.
// Who adds benches resets the fixture before they go.
struct KilledCore {
    void open() { fixture = std::make_unique<CoreFixture>(directory.path(), bench); }
    void kill() {
        fixture->kill();
        fixture.reset();
        bench.looking.clear();
    }
    const AnalysisRun& run() const { return fixture->run(id); }

    TemporaryDirectory directory;
    Bench bench;
    std::unique_ptr<CoreFixture> fixture;
    analysis::AnalysisId id{};
};

// Everything that the store holds of evaluations, without ids, times and order.
inline std::vector<std::string> facts_of(const storage::Store& store, analysis::EngineId engine) {
    std::vector<std::string> facts;
    store.for_each_evaluation(engine, [&](const analysis::Evaluation& fact) {
        std::string text;
        for (const auto byte : fact.question.position.bytes) {
            text += std::to_string(byte) + ",";
        }
        for (const chess::Move move : fact.question.excluded) {
            text += " x" + std::to_string(move.raw());
        }
        text += " " + std::to_string(fact.move->raw()) + "=" + std::to_string(fact.score->encode());
        facts.push_back(text);
    });
    std::sort(facts.begin(), facts.end());
    return facts;
}

} // namespace adjourn::server

// For who includes this.
using namespace adjourn::server;
using nlohmann::json;
