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
Tally examine(const std::vector<std::string>& ways, std::size_t questions, std::size_t count) {
    std::vector<std::string> switches{"--hashed"};
    switches.insert(switches.end(), ways.begin(), ways.end());
    PoolRun run{fake(switches, count), quick()};
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
            CHECK(result.error().attempts == 3);
            ++tally.failed;
        } else if (result->move == truth.move && result->score == Score::cp(truth.centipawns)) {
            ++tally.right;
        } else {
            ++tally.wrong;
        }
    }
    return tally;
}

} // namespace

TEST_CASE("late bestmoves, deaths and bare moves all the time: nothing wrong is told") {
    for (const std::vector<std::string>& ways :
         {std::vector<std::string>{"--late"},
          {"--late-info"},
          {"--late-mid"},
          {"--late-idle"},
          {"--late-info=2", "--think=3"}, // isready comes in mid-search
          {"--bare=2"},
          {"--wrong=2"},
          {"--late=3", "--bare=4", "--none=5", "--late-mid=6", "--crash-on-go=8"}}) {
        CAPTURE(ways);
        const Tally tally = examine(ways, 40, 2);
        CHECK(tally.wrong == 0);
        CHECK(tally.right + tally.failed == 40);
        const bool once = ways[0].ends_with("=2"); // and tried again
        CHECK((!once || tally.right == 40));
    }
    for (const std::string way : {"--bare", "--none", "--wrong", "--crash-on-go"}) {
        CAPTURE(way);
        CHECK(examine({way}, 2, 2).failed == 2); // it never gets one
    }
}
