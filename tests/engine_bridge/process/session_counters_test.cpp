// What the session makes of numbers that cannot be, and of scores that lack something.
#include "talk.hpp"
#include "test.hpp"

using namespace adjourn::engine_bridge;
using adjourn::chess::Score;
using Kind = adjourn::chess::Limit::Kind;

TEST_CASE("pitfall 38: a counter that cannot be is set aside, and the answer is taken") {
    Talk talk;
    talk.shake_hands();
    for (const std::string counter :
         {"nodes -1294967296", "nodes 18446744073709551615", "nodes 99999999999999999999999",
          "seldepth -1", "seldepth 2147483648", "time -5", "time 99999999999", "nps -1",
          "nps 18446744073709551615", "hashfull -1", "hashfull 70000", "tbhits -1",
          "tbhits 18446744073709551615"}) {
        CAPTURE(counter);
        const bool nodes = counter.starts_with("nodes");
        const std::string known = nodes ? "" : " nodes 90";
        // In the line of the score, and in one of statistics behind it.
        for (const bool behind : {false, true}) {
            const std::string odd = " " + counter;
            talk.go(start_fen, {Kind::nodes, 5'000'000'000})
                .say({"info depth 8 seldepth 9 score cp 29 nodes 80 pv e2e4",
                      "info depth 9 score cp 31" + known + (behind ? "" : odd) + " pv e2e4 e7e5",
                      behind ? "info" + odd : "info string", "bestmove e2e4"});
            const Answer answer = talk.answer();
            CHECK(answer.score == Score::cp(31));
            CHECK(answer.depth == 9);
            CHECK(answer.nodes == (nodes ? 80 : 90)); // at least
            CHECK(answer.seldepth == 0);              // that line told none that can be
            CHECK(uci_text(answer.pv) == "e2e4 e7e5");
            CHECK(answer.set_aside == counter);
        }
    }
    // The next search has nothing of it.
    talk.go(start_fen).say({"info depth 9 score cp 32 nodes 91 pv e2e4", "bestmove e2e4"});
    CHECK(talk.answer().set_aside.empty());
    // Nobody knows how many nodes that were: it is not said to have ignored its limit.
    talk.go(start_fen, {Kind::nodes, 1'000'000})
        .say({"info depth 1 score cp 33 nodes -7 pv e2e4", "bestmove e2e4"});
    CHECK(talk.answer().nodes == 0);
    // A bound stays a bound, and a depth that cannot be voids the line.
    talk.go(start_fen).say(
        {"info depth 9 score cp 31 lowerbound nodes -7 pv e2e4", "bestmove e2e4"});
    CHECK(talk.failure().reason.ends_with("ended with a bound only, not with a score"));
    talk.go(start_fen).say({"info depth -9 score cp 31 nodes -7 pv e2e4", "bestmove e2e4"});
    CHECK(talk.failure().reason == "Talker 1 said depth -9, which is out of range");
}

TEST_CASE("pitfall 38: table hits that cannot be leave no score whose meaning they decide") {
    Talk talk;
    talk.shake_hands();
    for (const std::string score : {"cp 19990", "cp -19990", "cp 31995"}) {
        CAPTURE(score);
        talk.go(start_fen).say(
            {"info depth 9 score " + score + " tbhits -4 pv e2e4", "bestmove e2e4"});
        CHECK(talk.failure().reason == "Talker 1 said " + score + ", which is out of range");
    }
}

TEST_CASE("pitfall 39: what a score lacks is named") {
    Talk talk;
    talk.shake_hands();
    const auto reason = [&](const std::string& line) {
        talk.go(start_fen).say({line, "bestmove e2e4"});
        const Failure failure = talk.failure();
        CHECK(failure.kind == Failure::Kind::no_result);
        return failure.reason;
    };
    CHECK(reason("info depth 9 score cp 31 nodes 5") == "Talker 1 gave a score without pv");
    CHECK(reason("info depth 9 score 31 nodes 5 pv e2e4") ==
          "Talker 1 gave a score without cp or mate");
    CHECK(reason("info depth 9 score lowerbound pv e2e4") ==
          "Talker 1 gave a score without cp or mate");
    CHECK(reason("info depth 9 score cp 31 pv e7e5") ==
          "Talker 1 gave a score that is not about this position");
    CHECK(reason("info depth 9 nodes 5 pv e2e4") == "Talker 1 gave a move without a score");
}
