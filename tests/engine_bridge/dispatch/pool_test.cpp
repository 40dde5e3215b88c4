// The pool with engines that behave.
#include "pool_run.hpp"

#include "chess/notation.hpp"
#include "test.hpp"

using namespace adjourn::engine_bridge;
using adjourn::TemporaryDirectory;
using ProcessState = ProcessStatus::State;
using Kind = adjourn::chess::Limit::Kind;

TEST_CASE("a pool shakes hands, answers and stops") {
    const std::size_t descriptors = open_descriptors();
    {
        PoolRun run{hash_engine()};
        const Result result = run.ask("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1");
        REQUIRE(result);
        CHECK(result->score == adjourn::chess::Score::mate_in(1));
        CHECK(result->depth == 5);
        CHECK(result->process == 0);
        REQUIRE(run.identities.size() == 1);
        CHECK(run.identities[0].name == "Hash Engine 1");
        CHECK(run.identities[0].options.at("AnswerMs") == "1");
        CHECK(run.problems.empty());
        const auto status = run.pool->status();
        REQUIRE(status.size() == 1);
        CHECK(status[0].jobs_done == 1);
        CHECK(status[0].restarts == 0);
        CHECK(status[0].busy.count() > 0);
        CHECK(alive(status[0].pid));
        CHECK(run.stop());
        CHECK(run.pool->status()[0].state == ProcessState::stopped);
        CHECK(run.pool->status()[0].pid == 0);
        CHECK(no_children());
        CHECK(run.stops == 1);
    }
    CHECK(open_descriptors() == descriptors);
}

TEST_CASE("many jobs on several processes: each is answered once, none idles") {
    PoolRun run{hash_engine(4)};
    for (std::size_t process = 0; process < 4; ++process) {
        CHECK(run.wait_for(ProcessState::idle, process));
    }
    for (int i = 0; i < 400; ++i) {
        run.submit();
    }
    CHECK(run.wait_for_all());
    std::uint64_t done = 0;
    for (const ProcessStatus& status : run.pool->status()) {
        CHECK(status.jobs_done > 0);
        done += status.jobs_done;
    }
    CHECK(done == 400);
    CHECK(std::ranges::all_of(run.results, [](const auto& r) { return r.second.has_value(); }));
    CHECK(run.stop());
    CHECK(no_children());
}

TEST_CASE("pitfall 33: reproducible means ucinewgame before each job") {
    // An engine with a memory, as real ones have: the same question, the same answer, only then.
    const auto scores = [](bool reproducible) {
        Profile warm = hash_engine();
        warm.options["Warm"] = "true";
        warm.reproducible = reproducible;
        PoolRun engine{warm};
        std::set<int> scores;
        for (int i = 0; i < 8; ++i) {
            scores.insert(engine.ask()->score->centipawns());
        }
        return scores.size();
    };
    CHECK(scores(true) == 1);
    CHECK(scores(false) > 1);
}

TEST_CASE("a waiting job is dropped; a running one is shown, stopped, and tells what it has said") {
    TemporaryDirectory directory;
    PoolRun run{fake({"--think=100000", "--log=" + directory.file("log")})};
    CHECK(run.room() == 2); // two jobs for each living process
    const JobId id = run.submit("", {adjourn::chess::Limit::Kind::depth, 5}, {"g1f3", "e2e4"});
    CHECK(run.room() == 1); // at once, before the loop has seen the job
    const JobId waiting = run.submit();
    CHECK(run.room() == 0);
    CHECK(run.run_until([&] { return run.pool->status()[0].line.has_value(); }));
    run.cancel(waiting);
    CHECK(run.result(waiting).error().kind == Failure::Kind::cancelled);
    const ProcessStatus status = run.pool->status()[0];
    CHECK(status.job == id);
    CHECK(status.position == adjourn::chess::Position::initial());
    CHECK(status.searchmoves.size() == 2);
    CHECK(status.line->score == adjourn::chess::Score::cp(23));
    CHECK(status.line->depth == 1);
    CHECK(status.line->pv.front() == status.searchmoves.front());
    run.cancel(id);
    const Result result = run.result(id);
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == Failure::Kind::cancelled);
    REQUIRE(result.error().found);
    CHECK(result.error().found->pv.front() == status.searchmoves.front());
    run.cancel(id); // long answered
    run.cancel(999);
    CHECK(run.wait_for(ProcessState::idle));
    CHECK_FALSE(run.pool->status()[0].line);
    CHECK(run.pool->status()[0].searchmoves.empty());
    CHECK(run.pool->status()[0].restarts == 0);
    CHECK(count_of(lines_of_file(directory.file("log")), "stop") == 1);
    CHECK(run.stop());
    CHECK(run.room() == 0);
}

TEST_CASE("stop answers every job, also those that come later") {
    PoolRun run{fake({"--think=100000"}, 2)};
    for (int i = 0; i < 6; ++i) {
        run.submit();
    }
    CHECK(run.wait_for(ProcessState::searching, 1));
    CHECK(run.stop());
    run.submit();
    CHECK(run.wait_for_all());
    for (const auto& [id, result] : run.results) {
        CHECK(result.error().kind == Failure::Kind::cancelled);
    }
    run.pool->stop([&] { ++run.stops; });
    CHECK(run.run_until([&] { return run.stops == 2; }));
    CHECK(no_children());
}

TEST_CASE("a pool can be stopped while its processes start, and before") {
    {
        PoolRun run{fake({"--never-uciok"}, 2)};
        CHECK(run.wait_for(ProcessState::starting, 1));
        CHECK(run.stop());
        CHECK(no_children());
    }
    PoolRun never{fake()};
    never.submit();
    CHECK(never.stop());
    CHECK(never.result(1).error().kind == Failure::Kind::cancelled);
    CHECK(no_children());
}

TEST_CASE("destroying a pool kills its processes and calls nobody") {
    const std::size_t descriptors = open_descriptors();
    {
        PoolRun run{fake({"--stall", "--ignore-term", "--ignore-eof"}, 3)};
        run.submit();
        run.submit();
        run.submit();
        CHECK(run.wait_for(ProcessState::searching));
        run.pool.reset();
        CHECK(run.results.empty());
        run.context.restart();
        run.context.run(); // returns: nothing is left to wait for
        CHECK(run.results.empty());
        CHECK(no_children());
    }
    {
        PoolRun unrun{fake({"--stall"}, 2)};
        unrun.context.poll();
    } // the loop never runs again
    CHECK(no_children());
    CHECK(open_descriptors() == descriptors);
}

TEST_CASE("live depth and nodes are told, but not more than five times a second") {
    PoolRun run{fake({"--ignore-nodes"})};
    CHECK(run.wait_for(ProcessState::idle));
    const std::size_t before = run.changes;
    const auto start = std::chrono::steady_clock::now();
    run.submit("", {Kind::nodes, 1'000'000});
    CHECK(run.run_until([&] { return run.pool->status()[0].depth >= 5; }));
    CHECK(run.pool->status()[0].nodes >= 500'000);
    CHECK(run.wait_for_all());
    for (int i = 0; i < 50; ++i) {
        run.submit("", {Kind::depth, 3});
    }
    CHECK(run.wait_for_all());
    const auto intervals =
        (std::chrono::steady_clock::now() - start) / std::chrono::milliseconds{200};
    CHECK(run.changes - before <= static_cast<std::size_t>(intervals) + 2);
    // What was held back is told in the end.
    const std::size_t held = run.changes;
    CHECK(run.run_until([&] { return run.changes > held; }));
}

TEST_CASE("a pool may be used from any thread, on a loop that several run") {
    boost::asio::io_context context;
    std::atomic<int> done = 0;
    std::atomic<int> changed = 0;
    std::atomic<bool> stopped = false;
    std::optional<Pool> pool;
    const auto dispatcher = std::make_shared<Dispatcher>();
    const ProfileId index = dispatcher->add("hash");
    pool.emplace(context, dispatcher, index, hash_engine(4), Timeouts{},
                 Pool::Callbacks{.changed = [&](std::size_t) { ++changed; }});
    pool->start();
    auto guard = boost::asio::make_work_guard(context);
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) {
        threads.emplace_back([&] { context.run(); });
    }
    for (int i = 0; i < 3; ++i) {
        threads.emplace_back([&, i] {
            for (JobId id = 0; id < 100; ++id) {
                dispatcher->submit(index,
                                   {static_cast<JobId>(i) * 100 + id,
                                    adjourn::chess::Position::initial(),
                                    {Kind::depth, 3},
                                    {},
                                    id % 7,
                                    id % 5 == 0},
                                   [&](const Result& result) { done += result ? 1 : 1000; });
                [[maybe_unused]] const auto room = dispatcher->room(index);
                [[maybe_unused]] const auto status = pool->status();
            }
        });
    }
    const auto wait = [](auto condition) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{60};
        while (!condition() && std::chrono::steady_clock::now() < deadline) {
            std::this_thread::yield();
        }
        return condition();
    };
    CHECK(wait([&] { return done >= 300; }));
    CHECK(done == 300);
    pool->stop([&] { stopped = true; });
    CHECK(wait([&] { return stopped.load(); }));
    guard.reset();
    for (std::thread& thread : threads) {
        thread.join();
    }
    pool.reset();
    CHECK(changed > 0);
    CHECK(no_children());
}
