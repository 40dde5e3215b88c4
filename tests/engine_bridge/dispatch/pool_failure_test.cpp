// The pool with engines that misbehave, as far as it is more than what the session makes of their
// lines (process/session_*_test.cpp).
#include "pool_run.hpp"
#include "test.hpp"

#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

using namespace adjourn::engine_bridge;
using adjourn::TemporaryDirectory;
using adjourn::chess::Score;
using ProcessState = ProcessStatus::State;
using Kind = adjourn::chess::Limit::Kind;

namespace {

bool holds(const std::string& text, std::string_view part) {
    return text.find(part) != text.npos;
}

} // namespace

TEST_CASE("a missing program: jobs fail as unavailable, and its repair is noticed",
          "[not valgrind]") {
    TemporaryDirectory directory;
    Profile profile = fake({}, 2);
    profile.command = {directory.file("engine")};
    PoolRun run{profile, quick()};
    CHECK(run.ask().error().kind == Failure::Kind::unavailable);
    REQUIRE(run.problems.size() == 1);
    const std::string reason =
        "fake: cannot start " + directory.file("engine") + ": No such file or directory";
    CHECK(run.problems[0] == reason);
    CHECK(run.ask().error().reason == reason);
    CHECK(run.problems.size() == 1); // the same reason is told once
    CHECK(run.room() <= 4);
    CHECK(run.pool->status()[0].problem == reason);
    std::filesystem::create_symlink(std::filesystem::absolute(ADJOURN_FAKE_ENGINE),
                                    directory.file("engine"));
    CHECK(run.run_until([&] { return !run.identities.empty(); }));
    CHECK(run.ask().has_value());
}

TEST_CASE("an engine that dies in the handshake: the reason holds its last words") {
    PoolRun run{fake({"--die-at-start"}), quick()};
    const Result result = run.ask();
    CHECK(result.error().kind == Failure::Kind::unavailable);
    CHECK(result.error().reason ==
          "fake exited with code 3; it said: fake_engine: cannot open my network file");
    CHECK(run.problems.front() == result.error().reason);
    CHECK(run.run_until([&] { return run.pool->status()[0].restarts >= 3; })); // goes on trying
}

TEST_CASE("pitfall 8: a crash is tried three times, then it is the position's failure") {
    PoolRun run{fake({"--crash-on-go"}, 2), quick()};
    const char* const fen = "7k/8/8/8/8/8/8/R6K w - - 0 1";
    const Result result = run.ask(fen);
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == Failure::Kind::crashed);
    CHECK(result.error().attempts == 3);
    CAPTURE(result.error().reason);
    CHECK(holds(result.error().reason, "Fake Engine was killed by signal 11"));
    CHECK(holds(result.error().reason, "it said: fake_engine: about to crash"));
    CHECK(holds(result.error().reason, fen));
    CHECK(run.problems.empty());
    CHECK(run.wait_for(ProcessState::idle)); // the processes are there again
    CHECK(run.wait_for(ProcessState::idle, 1));
}

TEST_CASE("pitfall 5: engines leave by quit or by the end of their stdin, or are made to") {
    const std::size_t descriptors = open_descriptors();
    for (const std::vector<std::string>& ways :
         {std::vector<std::string>{"--ignore-term"},
          {"--ignore-quit", "--ignore-term"},
          {"--ignore-quit", "--ignore-eof"},
          {"--ignore-quit", "--ignore-eof", "--ignore-term", "--spawn-child"}}) {
        CAPTURE(ways);
        const bool stays = std::ranges::find(ways, "--ignore-eof") != ways.end();
        Timeouts timeouts;
        timeouts.quit = stays ? std::chrono::milliseconds{100} : timeouts.quit;
        PoolRun run{fake(ways, 2), timeouts};
        CHECK(run.wait_for(ProcessState::idle, 0));
        CHECK(run.wait_for(ProcessState::idle, 1));
        CHECK(run.stop());
        CHECK(no_children());
    }
    CHECK(open_descriptors() == descriptors);
}

TEST_CASE("an engine that stalls is killed and its job tried elsewhere") {
    PoolRun run{fake({"--stall"}, 2), impatient()};
    const Result result = run.ask();
    CHECK(result.error().kind == Failure::Kind::hung);
    CHECK(result.error().attempts == 3);
    CHECK(holds(result.error().reason, "no bestmove within"));
}

TEST_CASE("pitfall 1: an answer in the last words of a process counts, a torn one does not") {
    CHECK_FALSE(PoolRun{fake({"--half-line"}), quick()}.ask()); // "bestmove a2" is all of it
    PoolRun run{fake({"--last-words"}), quick()};
    CHECK(run.ask().has_value());
    CHECK(run.ask().has_value());
    CHECK(run.run_until([&] { return run.pool->status()[0].restarts >= 1; }));
}

TEST_CASE("an engine that floods a line has crashed") {
    PoolRun flood{fake({"--long-line"}), quick()};
    const Result result = flood.ask();
    CHECK(result.error().kind == Failure::Kind::crashed);
    CHECK(holds(result.error().reason, "sent a line of more than 64 KiB"));
}

TEST_CASE("a process that turns out to be another engine is refused") {
    TemporaryDirectory directory;
    std::ofstream{directory.file("name")} << "Engine A\n";
    PoolRun run{fake({"--crash-on-go=2", "--name-file=" + directory.file("name")}), quick()};
    CHECK(run.ask());
    CHECK(run.identities.at(0).name == "Engine A");
    std::ofstream{directory.file("name")} << "Engine B\n";
    const Result result = run.ask();
    CHECK(result.error().kind == Failure::Kind::unavailable);
    CHECK(holds(result.error().reason, "it was Engine A, now Engine B"));
    CHECK(run.identities.size() == 1);
    std::ofstream{directory.file("name")} << "Engine A\n";
    CHECK(run.wait_for(ProcessState::idle));
    CHECK(run.ask());
}

TEST_CASE("a reserved process searches what is asked of it, and goes when nobody wants it") {
    PoolRun run{fake()};
    CHECK(run.ask());
    const PlaceId place = run.dispatcher->reserve(run.index, {1});
    Job job{++run.last, adjourn::chess::Position::initial(), {Kind::depth, 5}, {}};
    job.place = place;
    run.submit(std::move(job));
    CHECK(run.result(run.last).has_value());
    REQUIRE(run.pool->status().size() == 2);
    CHECK(run.pool->status()[1].reserved);
    CHECK(run.pool->status()[1].jobs_done == 1);
    CHECK(run.pool->status()[0].jobs_done == 1); // the queue's has not had it
    run.dispatcher->release(place, {});
    run.dispatcher->dismiss_idle({}, {});
    CHECK(run.run_until([&] { return run.pool->status().size() == 1; }));
    CHECK(run.stop());
    CHECK(no_children());
}

TEST_CASE("an engine that dies between its answers is told of and waits ever longer") {
    Timeouts timeouts;
    timeouts.backoff_first = std::chrono::milliseconds{20};
    timeouts.backoff_most = std::chrono::seconds{60};
    PoolRun run{fake({"--crash-on-go=2"}), timeouts};
    const auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < 6; ++i) {
        REQUIRE(run.ask()); // the second question of each process kills it
    }
    const auto took = std::chrono::steady_clock::now() - began;
    REQUIRE(run.deaths.size() == 5);
    CHECK(holds(run.deaths.back(), "signal 11"));
    CHECK(holds(run.deaths.back(), "about to crash"));
    CHECK(run.pool->status()[0].deaths_last_minute >= 1);
    CHECK(took >= std::chrono::milliseconds{20 * (1 + 2 + 4 + 8 + 16)});
    CHECK(run.stop());
    CHECK(run.deaths.size() == 5); // one that is sent away has not died
}

TEST_CASE("pitfall 38: it is told once for each kind") {
    std::ostringstream log;
    const auto before = spdlog::default_logger();
    spdlog::set_default_logger(std::make_shared<spdlog::logger>(
        "test", std::make_shared<spdlog::sinks::ostream_sink_mt>(log)));
    {
        Profile profile = fake();
        profile.command = {"/bin/sh", "-c",
                           "odd='nodes -7'; while read -r line; do case $line in "
                           "uci) echo id name Odd; echo uciok;; isready) echo readyok;; "
                           "go*) echo info depth 9 score cp 31 $odd pv e2e4; "
                           "echo bestmove e2e4; odd='nodes -8';; quit) exit;; esac; done"};
        PoolRun run{profile, quick()};
        for (int i = 0; i < 3; ++i) {
            CHECK(run.ask("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
        }
    }
    spdlog::set_default_logger(before);
    const std::string text = log.str();
    CAPTURE(text);
    CHECK(holds(text, "it said nodes -7, which cannot be"));
    CHECK_FALSE(holds(text, "nodes -8"));
}
