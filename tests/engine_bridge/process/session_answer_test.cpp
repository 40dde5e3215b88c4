// What the session makes of info lines and bestmove.
#include "talk.hpp"
#include "test.hpp"

using namespace adjourn::engine_bridge;
using adjourn::chess::Score;
using Kind = adjourn::chess::Limit::Kind;
using Lines = Talk::Lines;

TEST_CASE("an answer is made of the last exact line") {
    Talk talk;
    talk.shake_hands().go(start_fen, {Kind::depth, 7}).wait(Talk::Seconds{0.75});
    talk.say({"info depth 6 seldepth 7 multipv 1 score cp 34 nodes 1303 nps 651500 hashfull 0 "
              "tbhits 0 time 2 pv e2e4 c7c5 g1f3",
              "info depth 7 seldepth 9 multipv 1 score cp 29 nodes 3126 nps 625200 hashfull 1 "
              "tbhits 0 time 5 pv d2d4 g8f6 e2e3",
              "info depth 7 currmove a2a3 currmovenumber 9", "info nodes 4000 nps 625201"});
    CHECK(talk.session.progress().depth == 7);
    CHECK(talk.session.progress().nodes == 4000);
    CHECK(talk.session.progress().nps == 625201);
    talk.say("bestmove d2d4 ponder g8f6");
    const Answer answer = talk.answer();
    CHECK(uci_text({answer.move}) == "d2d4");
    CHECK(answer.score == Score::cp(29));
    CHECK(answer.bound == adjourn::chess::Bound::exact);
    CHECK(answer.depth == 7);
    CHECK(answer.seldepth == 9);
    CHECK(answer.nodes == 4000);
    CHECK(answer.time_ms == 750);
    CHECK(uci_text(answer.pv) == "d2d4 g8f6 e2e3");
}

TEST_CASE("the chances of an answer are those of its line, and none where the line has none") {
    Talk talk;
    talk.shake_hands().go(start_fen, {Kind::depth, 7});
    talk.say({"info depth 6 score cp 34 wdl 90 880 30 nodes 10 pv e2e4",
              "info depth 7 score cp 29 wdl 84 886 30 nodes 20 pv d2d4",
              "info depth 7 score cp 60 lowerbound wdl 200 790 10 nodes 25 pv d2d4"});
    CHECK(talk.session.best_line()->wdl == adjourn::chess::WinDrawLoss{84, 886, 30});
    talk.say("bestmove d2d4");
    CHECK(talk.answer().wdl == adjourn::chess::WinDrawLoss{84, 886, 30});
    talk.go(start_fen, {Kind::depth, 7});
    talk.say({"info depth 6 score cp 34 wdl 90 880 30 nodes 11 pv e2e4",
              "info depth 7 score cp 29 nodes 21 pv d2d4", "bestmove d2d4"});
    CHECK_FALSE(talk.answer().wdl);
}

TEST_CASE("a running search tells its best line, and so does one that was cancelled") {
    Talk talk;
    CHECK_FALSE(talk.shake_hands().session.best_line());
    talk.go(start_fen, {Kind::nodes, 1'000'000});
    CHECK_FALSE(talk.session.best_line());
    talk.say("info depth 5 score cp -110 upperbound pv e2e4");
    CHECK(talk.session.best_line()->bound == adjourn::chess::Bound::upper);
    talk.say({"info depth 6 seldepth 9 score cp 58 nodes 174 pv d2d4 a7a6 h2h8",
              "info depth 7 score cp 120 lowerbound nodes 1010 pv e2e4",
              "info depth 6 multipv 2 score cp 90 pv c2c4"});
    const auto line = talk.session.best_line();
    REQUIRE(line);
    CHECK(line->score == Score::cp(58));
    CHECK(line->bound == adjourn::chess::Bound::exact);
    CHECK(line->depth == 6);
    CHECK(line->seldepth == 9);
    CHECK(uci_text(line->pv) == "d2d4 a7a6"); // as far as it is legal
    talk.session.cancel({});
    talk.say("bestmove d2d4");
    const Failure failure = talk.failure();
    CHECK(failure.kind == Failure::Kind::cancelled);
    REQUIRE(failure.found);
    CHECK(failure.found->score == Score::cp(58));
    CHECK_FALSE(talk.session.best_line());
    // The next search has nothing of it; a bestmove alone is a move without a score.
    talk.go(start_fen);
    CHECK_FALSE(talk.session.best_line());
    talk.session.cancel({});
    talk.say("bestmove g1f3");
    const Failure bare = talk.failure();
    REQUIRE(bare.found);
    CHECK_FALSE(bare.found->score);
    CHECK(uci_text(bare.found->pv) == "g1f3");
    talk.go(start_fen);
    talk.session.cancel({});
    talk.say("bestmove (none)");
    CHECK_FALSE(talk.failure().found);
}

TEST_CASE("pitfall 26: a bound never takes the place of an exact score") {
    Talk talk;
    talk.shake_hands().go(start_fen, {Kind::nodes, 1000});
    talk.say({"info depth 5 score cp 58 nodes 174 pv d2d4 a7a6",
              "info depth 6 score cp -110 upperbound nodes 1000 pv e2e4",
              "info depth 6 score cp 120 lowerbound nodes 1010 pv e2e4", "bestmove e2e4"});
    const Answer exact = talk.answer();
    CHECK(exact.score == Score::cp(58));
    CHECK(exact.bound == adjourn::chess::Bound::exact);
    CHECK(exact.depth == 5);
    CHECK(uci_text(exact.pv) == "d2d4 a7a6"); // move, score and PV from one line
    CHECK(uci_text({exact.move}) == "d2d4");
    REQUIRE(exact.changed); // what it preferred in the end is told apart
    CHECK(uci_text(exact.changed->pv) == "e2e4");
    CHECK(exact.changed->score == Score::cp(120));
    CHECK(exact.changed->bound == adjourn::chess::Bound::lower);
    CHECK(exact.changed->depth == 6);

    talk.go(start_fen);
    talk.say({"info depth 5 score cp 58 nodes 1000 pv d2d4 a7a6",
              "info depth 6 score cp 20 upperbound nodes 1000 pv d2d4", "bestmove d2d4"});
    CHECK_FALSE(talk.answer().changed); // it stayed with it

    talk.go(start_fen);
    talk.say({"info depth 6 score cp -110 upperbound nodes 1000 pv e2e4 e7e5",
              "info depth 7 score cp 20 lowerbound nodes 1000 pv d2d4", "bestmove d2d4"});
    const Failure bound = talk.failure();
    CHECK(bound.kind == Failure::Kind::no_result);
    CHECK(bound.reason == "Talker 1's search ended with a bound only, not with a score");
}

TEST_CASE("pitfall 36: a score of another move than the bestmove is not taken") {
    Talk talk;
    talk.shake_hands();
    const auto refused = [&](std::initializer_list<std::string_view> lines) {
        talk.go(start_fen).say(lines);
        const Failure failure = talk.failure();
        CHECK(failure.kind == Failure::Kind::no_result);
        return failure.reason;
    };
    const std::string contradiction =
        "Talker 1 contradicts itself: its best move is e2e4, and its last score is of d2d4";
    // The lines of the question before, whose move is legal here, too.
    CHECK(refused({"info depth 9 score cp 71 nodes 90 pv d2d4 d7d5", "bestmove e2e4"}) ==
          contradiction);
    CHECK(refused({"info depth 1 score cp 7 nodes 9 pv g1f3",
                   "info depth 9 score cp 71 nodes 90 pv d2d4 d7d5",
                   "info depth 9 multipv 2 score cp 60 pv c2c4", "bestmove e2e4"}) ==
          contradiction);
    // The bound came before the exact score, which has decided against it.
    CHECK(refused({"info depth 9 score cp 80 lowerbound pv e2e4",
                   "info depth 9 score cp 71 pv d2d4", "bestmove e2e4"}) == contradiction);
    // A line about another position says nothing of this bestmove.
    CHECK(refused({"info depth 9 score cp 71 pv d2d4", "info depth 10 score cp 20 pv e7e5",
                   "bestmove e2e4"}) == contradiction);

    const auto taken = [&](std::initializer_list<std::string_view> lines) {
        talk.go(start_fen).say(lines);
        return talk.answer();
    };
    // What it has said of the bestmove counts, and nothing else.
    const Answer earlier = taken({"info depth 8 score cp 30 pv e2e4 e7e5",
                                  "info depth 9 score cp 71 pv d2d4 d7d5", "bestmove e2e4"});
    CHECK(uci_text(earlier.pv) == "e2e4 e7e5");
    CHECK(earlier.score == Score::cp(30));
    CHECK(earlier.depth == 8);
    CHECK_FALSE(earlier.changed);
    const Answer second = taken({"info depth 9 multipv 1 score cp 71 pv d2d4",
                                 "info depth 9 multipv 2 score cp 60 pv e2e4", "bestmove e2e4"});
    CHECK(uci_text({second.move}) == "e2e4"); // as Stockfish with a Skill Level has it
    CHECK(second.score == Score::cp(60));
    // A last bound of another move contradicts nothing.
    const Answer bound = taken({"info depth 9 score cp 30 pv e2e4 e7e5",
                                "info depth 10 score cp -20 upperbound pv d2d4", "bestmove e2e4"});
    CHECK(bound.score == Score::cp(30));
    CHECK_FALSE(bound.changed);
    // Castling is one move, however it is written.
    const char* const fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    talk.go(fen).say({"info depth 5 score cp 30 pv e1g1 e8a8", "bestmove e1h1"});
    CHECK(uci_text(talk.answer().pv, fen) == "e1g1 e8c8");
    // Where nobody wants the answer any more, the move alone is told.
    talk.go(start_fen).session.cancel({});
    talk.say({"info depth 9 score cp 71 pv d2d4", "bestmove e2e4"});
    const Failure cancelled = talk.failure();
    REQUIRE(cancelled.found);
    CHECK_FALSE(cancelled.found->score);
    CHECK(uci_text(cancelled.found->pv) == "e2e4");
}

TEST_CASE("pitfall 35: an answer with a number out of range is not taken") {
    Talk talk;
    talk.shake_hands();
    for (const std::string_view number :
         {"score mate 2147483647", "score cp 2147483647", "score cp 31000",
          "score cp 30 depth 9999", "score cp 30 depth -1"}) {
        CAPTURE(number);
        const std::string line = "info depth 9 " + std::string{number} + " pv e2e4";
        talk.go(start_fen).say(
            {"info depth 8 score cp 29 nodes 80 pv e2e4", line, "bestmove e2e4"});
        const Failure failure = talk.failure();
        CHECK(failure.kind == Failure::Kind::no_result);
        CHECK(failure.reason.starts_with("Talker 1 said "));
        CHECK(failure.reason.ends_with(", which is out of range"));
        CHECK(talk.session.progress().nodes == 80);
        // A later line that is right stands for itself.
        talk.go(start_fen).say(
            {line, "info depth 9 score cp 31 nodes 90 pv e2e4", "bestmove e2e4"});
        CHECK(talk.answer().score == Score::cp(31));
    }
    // In the summary behind the scores, too.
    talk.go(start_fen).say(
        {"info depth 9 score cp 31 pv e2e4", "info depth 99999 nps 5", "bestmove e2e4"});
    CHECK(talk.failure().reason == "Talker 1 said depth 99999, which is out of range");
    talk.go(start_fen).say(
        {"info depth 9 score cp -31994 pv e2e4", "bestmove e2e4"}); // a mate, written otherwise
    CHECK(talk.answer().score == Score::mated_in(6));
}

TEST_CASE("pitfall 27: only the first PV counts, and lines without multipv are the first") {
    Talk talk;
    talk.shake_hands().go(start_fen);
    talk.say({"info depth 5 multipv 1 score cp 40 pv e2e4",
              "info depth 5 multipv 2 score cp 90 pv d2d4",
              "info multipv 3 depth 4 score cp 80 pv a2a3", "bestmove e2e4"});
    CHECK(talk.answer().score == Score::cp(40));
    talk.go(start_fen);
    talk.say({"info depth 5 score cp 41 pv e2e4", "bestmove e2e4"});
    CHECK(talk.answer().score == Score::cp(41));
}

TEST_CASE("pitfall 28: bestmove without info is no answer, not 0") {
    Talk talk;
    talk.shake_hands().go(start_fen);
    talk.say({"info string nothing to report", "info depth 1", "bestmove a2a3"});
    const Failure failure = talk.failure();
    CHECK(failure.kind == Failure::Kind::no_result);
    CHECK(failure.reason == "Talker 1 gave a move without a score");
    // Nothing is left over from one search to the next.
    talk.go(start_fen).say({"info depth 5 score cp 41 nodes 9 pv e2e4", "bestmove e2e4"});
    talk.answer();
    talk.go(start_fen).say("bestmove e2e4");
    CHECK(talk.failure().kind == Failure::Kind::no_result);
    CHECK(talk.session.progress().nodes == 0);
}

TEST_CASE("pitfall 29: no move, or one that is not legal, is no result") {
    for (const char* const line :
         {"bestmove (none)", "bestmove 0000", "bestmove a1a1", "bestmove NULL", "bestmove e2e5",
          "bestmove e7e5", "bestmove garbage", "bestmove Q@f8", "bestmove"}) {
        CAPTURE(line);
        Talk talk;
        talk.shake_hands().go(start_fen).say({"info depth 3 score cp 5 pv e2e4", line});
        CHECK(talk.failure().kind == Failure::Kind::no_result);
    }
    Talk talk;
    talk.shake_hands();
    const char* const promotion = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
    talk.go(promotion).say(
        {"info depth 3 score cp 900 pv a7a8Q h7g6", "bestmove a7a8Q ponder zzz"});
    CHECK(uci_text(talk.answer().pv, promotion) == "a7a8q h7g6");
}

TEST_CASE("pitfall 30: mates from the side to move; mate 0 where there are moves is no score") {
    Talk talk;
    talk.shake_hands().go(start_fen);
    talk.say({"info depth 9 score mate 3 pv e2e4", "bestmove e2e4"});
    CHECK(talk.answer().score == Score::mate_in(5));
    talk.go(start_fen).say({"info depth 9 score mate -2 pv e2e4", "bestmove e2e4"});
    CHECK(talk.answer().score == Score::mated_in(4));
    talk.go(start_fen).say({"info depth 12 score cp -11 pv e2e4",
                            "info depth 13 score mate 0 pv e2e4", "bestmove e2e4"});
    CHECK(talk.answer().score == Score::cp(-11));
    talk.go(start_fen).say({"info depth 0 score mate 0", "bestmove e2e4"});
    CHECK(talk.failure().kind == Failure::Kind::no_result);
}

TEST_CASE("pitfall 31: table wins are told from large evaluations by the table hits") {
    Talk talk;
    talk.shake_hands().go(start_fen);
    talk.say({"info depth 9 score cp 19990 tbhits 12 pv e2e4", "bestmove e2e4"});
    CHECK(talk.answer().score == Score::tablebase(adjourn::chess::Wdl::win, 10));
    talk.go(start_fen).say({"info depth 9 score cp 19990 tbhits 0 pv e2e4", "bestmove e2e4"});
    CHECK(talk.answer().score == Score::cp(19'990));
}

TEST_CASE("pitfall 32: the PV is cut at the first illegal move") {
    Talk talk;
    talk.shake_hands().go(start_fen);
    talk.say({"info depth 9 score cp 30 pv e2e4 e7e5 e4e5 g1f3", "bestmove e2e4"});
    CHECK(uci_text(talk.answer().pv) == "e2e4 e7e5");
    // A PV may run on past the end of the game.
    const char* const mate = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
    talk.go(mate).say({"info depth 9 score mate 1 pv a1a8 a8a7 h1g1", "bestmove a1a8"});
    CHECK(uci_text(talk.answer().pv, mate) == "a1a8");
}

TEST_CASE("pitfall 20: a score whose PV cannot be played in our position is not taken") {
    Talk talk;
    talk.shake_hands().go(start_fen);
    talk.say({"info depth 5 score cp 30 pv e2e4 e7e5", "info depth 6 score cp -999 pv e7e5 e2e4",
              "info depth 7 score cp 998", "bestmove e2e4"});
    const Answer answer = talk.answer();
    CHECK(answer.score == Score::cp(30));
    CHECK(answer.depth == 5);
    talk.go(start_fen).say({"info depth 6 score cp -999 pv e7e5 e2e4", "bestmove e7e5"});
    CHECK(talk.failure().kind == Failure::Kind::no_result);
}

TEST_CASE("pitfall 19: castling is understood both ways") {
    const char* const fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for (const char* const castling : {"e1g1", "e1h1"}) {
        Talk talk;
        talk.shake_hands().go(fen);
        talk.say("info depth 5 score cp 30 pv " + std::string{castling} + " e8a8");
        talk.say("bestmove " + std::string{castling});
        CHECK(uci_text(talk.answer().pv, fen) == "e1g1 e8c8");
    }
}

TEST_CASE("pitfall 23: an answer outside searchmoves is a failure of its own") {
    Talk talk;
    talk.shake_hands();
    talk.go(start_fen, {Kind::depth, 10}, {"a2a3", "h2h4"});
    CHECK(talk.sent().back() == "go depth 10 searchmoves a2a3 h2h4");
    talk.say({"info depth 10 score cp 30 pv c2c4", "bestmove c2c4"});
    const Failure failure = talk.failure();
    CHECK(failure.kind == Failure::Kind::ignored_searchmoves);
    CHECK(failure.reason == "Talker 1 ignores searchmoves: it answered c2c4, which was not among "
                            "the moves asked for");
    talk.go(start_fen, {Kind::depth, 10}, {"a2a3", "h2h4"})
        .say({"info depth 10 score cp 30 pv c2c4", "bestmove a2a3"});
    CHECK(talk.failure().kind == Failure::Kind::ignored_searchmoves);
    talk.go(start_fen, {Kind::depth, 10}, {"a2a3", "h2h4"})
        .say({"info depth 10 score cp 3 pv h2h4", "bestmove h2h4"});
    CHECK(uci_text({talk.answer().move}) == "h2h4");
}

TEST_CASE("an engine that ignores go nodes is stopped beyond the limit") {
    Talk talk;
    talk.shake_hands().go(start_fen, {Kind::nodes, 100'000}).sent();
    talk.say("info depth 9 score cp 15 nodes 139000 pv b1c3");
    CHECK(talk.sent().empty()); // 1.2 × the limit + 20,000
    talk.say("info depth 10 score cp 12 nodes 330356 pv b1c3");
    CHECK(talk.sent() == Lines{"stop"});
    talk.say("info depth 10 score cp 15 nodes 427686 pv g1f3");
    CHECK(talk.sent().empty());
    talk.say("bestmove g1f3");
    const Answer answer = talk.answer();
    CHECK(answer.score == Score::cp(15));
    CHECK(answer.nodes == 427'686);
    talk.go(start_fen, {Kind::nodes, ~0ULL}).sent(); // no sum overflows
    talk.say("info depth 10 score cp 12 nodes 1000000000000000 pv b1c3");
    CHECK(talk.sent().empty());
}

TEST_CASE("an engine that answers go nodes from depth 1 gives no result") {
    Talk talk;
    talk.shake_hands().go(start_fen, {Kind::nodes, 1'000'000});
    talk.say({"info depth 1 score cp 83 nodes 6 pv g1f3", "bestmove g1f3"});
    const Failure failure = talk.failure();
    CHECK(failure.kind == Failure::Kind::no_result);
    CHECK(failure.reason == "Talker 1 ignores node limits: it answered after 6 of 1000000 nodes; "
                            "give it a limit in depth or time");
    const auto accepted = [&](std::uint64_t limit, std::string_view score,
                              std::initializer_list<const char*> searchmoves) {
        talk.go(start_fen, {Kind::nodes, limit}, searchmoves);
        talk.say("info depth 1 score " + std::string{score} + " nodes 6 pv g1f3")
            .say("bestmove g1f3");
        talk.answer();
    };
    accepted(500, "cp 83", {});             // too few nodes to tell
    accepted(1'000'000, "mate 1", {});      // nothing left to search
    accepted(1'000'000, "cp 83", {"g1f3"}); // nothing to choose
}
