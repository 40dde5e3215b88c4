// The pool with engines whose lines come late: every answer is compared with the truth.
#include "engines/fake_engine/truth.hpp"
#include "pool_run.hpp"
#include "test.hpp"

using namespace adjourn::engine_bridge;
namespace chess = adjourn::chess;
using adjourn::chess::Score;

namespace {

struct Tally {
    std::size_t right = 0;
    std::size_t wrong = 0;
    std::size_t failed = 0;
};

// Questions as a growing tree asks them: the same position again without its best moves, then the
// next one.
Tally examine(const std::vector<std::string>& ways, std::size_t questions, std::size_t count = 1,
              Timeouts timeouts = quick()) {
    std::vector<std::string> switches{"--hashed"};
    switches.insert(switches.end(), ways.begin(), ways.end());
    PoolRun run{fake(switches, count), timeouts};
    std::minstd_rand random{7};
    chess::Position position = chess::Position::initial();
    std::map<JobId, Job> asked;
    while (asked.size() < questions) {
        std::vector<chess::Move> left;
        for (const chess::Move move : position.legal_moves()) {
            left.push_back(move);
        }
        if (left.empty()) {
            position = chess::Position::initial();
            continue;
        }
        const chess::Move next = left[random() % left.size()];
        for (int i = 0; i < 3 && !left.empty() && asked.size() < questions; ++i) {
            Job job{run.last + 1, position, {adjourn::chess::Limit::Kind::depth, 6}, {}, 0, false};
            if (i > 0) {
                job.searchmoves = left;
            }
            asked.emplace(++run.last, job);
            run.submit(job);
            std::erase(left, fake_engine::truth(position, left, 6).move);
        }
        position.play(next);
    }
    REQUIRE(run.wait_for_all());
    Tally tally;
    for (const auto& [id, result] : run.results) {
        const Job& job = asked.at(id);
        const auto truth = fake_engine::truth(job.position, job.searchmoves, 6);
        if (!result) {
            CAPTURE(result.error().reason);
            CHECK(result.error().attempts == (count == 1 ? 2 : 3));
            ++tally.failed;
        } else if (result->move == truth.move && result->score == Score::cp(truth.centipawns)) {
            ++tally.right;
        } else {
            ++tally.wrong;
        }
    }
    return tally;
}

// A late line is there by then, however busy the machine is.
Timeouts patient() {
    Timeouts timeouts = quick();
    timeouts.clearing = std::chrono::seconds{1};
    return timeouts;
}

} // namespace

TEST_CASE("a late bestmove, once: every question gets its own answer") {
    for (const char* const way : {"--late=", "--late-info=", "--late-mid=", "--late-idle="}) {
        for (const int at : {1, 2, 3, 7}) { // each of the three of a position, and a later one
            CAPTURE(way, at);
            const Tally tally = examine({way + std::to_string(at)}, 10, 1, patient());
            CHECK(tally.right == 10);
            CHECK(tally.wrong == 0);
        }
    }
}

TEST_CASE("a late bestmove, once, from an engine that answers isready in mid-search") {
    for (const char* const way : {"--late=", "--late-info=", "--late-mid="}) {
        for (const int at : {1, 2, 5}) {
            CAPTURE(way, at);
            const Tally tally = examine({way + std::to_string(at), "--think=3"}, 8, 1, patient());
            CHECK(tally.wrong == 0);
            CHECK(tally.right == 8);
        }
    }
}

TEST_CASE("late bestmoves all the time: nothing wrong is told, whatever fails") {
    for (const char* const way : {"--late", "--late-info", "--late-mid", "--late-idle"}) {
        CAPTURE(way);
        const Tally tally = examine({way}, 40, 2);
        CHECK(tally.wrong == 0);
        CHECK(tally.right + tally.failed == 40);
    }
}

TEST_CASE("a search without an answer is tried again, whatever it lacks") {
    for (const char* const way : {"--bare=", "--none=", "--wrong=", "--crash-on-go="}) {
        for (const int at : {1, 2, 7}) {
            CAPTURE(way, at);
            // A crash comes again in each new process, at its seventh search.
            const Tally tally = examine({way + std::to_string(at)}, at == 1 ? 1 : 12);
            const bool hopeless = at == 1 && std::string_view{way} == "--crash-on-go=";
            CHECK(tally.right == (hopeless ? 0 : at == 1 ? 1 : 12));
        }
    }
}

TEST_CASE("what never gets an answer fails after three attempts of whichever kind") {
    for (const char* const way : {"--bare", "--none", "--wrong", "--crash-on-go"}) {
        CAPTURE(way);
        const Tally tally = examine({way}, 2);
        CHECK(tally.failed == 2);
    }
}
