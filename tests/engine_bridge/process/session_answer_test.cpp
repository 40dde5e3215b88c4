// What the session makes of info lines and bestmove.
#include "talk.hpp"
#include "test.hpp"

using namespace adjourn::engine_bridge;
using adjourn::chess::Bound;
using adjourn::chess::Score;
using Kind = adjourn::chess::Limit::Kind;
using Lines = Talk::Lines;

namespace {

constexpr const char* castling_fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

// A search, what the engine says to it, and what comes of that.
struct Said {
    std::vector<std::string> lines;
    std::string outcome; // as told() has it
    std::string_view fen = start_fen;
    adjourn::chess::Limit limit = {Kind::depth, 10};
    std::vector<const char*> searchmoves = {};
};

// "+0.30 at 9: e2e4 e7e5", with ">=" or "<=" before a bound, and "; then" what it preferred at the
// end; or why there is no answer.
std::string told(const Result& result, std::string_view fen) {
    const auto text = [&](const auto& line) {
        return (line.bound == Bound::exact   ? ""
                : line.bound == Bound::lower ? ">="
                                             : "<=") +
               to_text(line.score.value()) + " at " + std::to_string(line.depth) + ": " +
               uci_text(line.pv, fen);
    };
    if (!result) {
        const Failure::Kind kind = result.error().kind;
        REQUIRE((kind == Failure::Kind::no_result || kind == Failure::Kind::ignored_searchmoves));
        return (kind == Failure::Kind::no_result ? "" : "ignored: ") + result.error().reason;
    }
    CHECK(result->pv.front() == result->move);
    return text(*result) + (result->changed ? "; then " + text(*result->changed) : "");
}

void check_outcomes(const std::vector<Said>& all) {
    for (const Said& said : all) {
        CAPTURE(said.lines);
        Talk talk;
        talk.shake_hands().go(said.fen, said.limit, said.searchmoves);
        for (const std::string& line : said.lines) {
            talk.say(line);
        }
        CHECK(told(talk.result(), said.fen) == said.outcome);
    }
}

} // namespace

TEST_CASE("an answer is made of the last exact line, and has its chances") {
    Talk talk;
    talk.shake_hands().go(start_fen, {Kind::depth, 7}).wait(Talk::Seconds{0.75});
    talk.say({"info depth 6 seldepth 7 multipv 1 score cp 34 wdl 90 880 30 nodes 1303 nps 651500 "
              "hashfull 0 tbhits 0 time 2 pv e2e4 c7c5 g1f3",
              "info depth 7 seldepth 9 multipv 1 score cp 29 wdl 84 886 30 nodes 3126 nps 625200 "
              "hashfull 1 tbhits 0 time 5 pv d2d4 g8f6 e2e3",
              "info depth 7 score cp 60 lowerbound wdl 200 790 10 nodes 3200 pv d2d4",
              "info depth 7 currmove a2a3 currmovenumber 9", "info nodes 4000 nps 625201"});
    CHECK(talk.session.progress().depth == 7);
    CHECK(talk.session.progress().nodes == 4000);
    CHECK(talk.session.progress().nps == 625201);
    CHECK(talk.session.best_line()->wdl == adjourn::chess::WinDrawLoss{84, 886, 30});
    talk.say("bestmove d2d4 ponder g8f6");
    const Answer answer = talk.answer();
    CHECK(told(answer, start_fen) == "+0.29 at 7: d2d4 g8f6 e2e3");
    CHECK(answer.seldepth == 9);
    CHECK(answer.nodes == 4000);
    CHECK(answer.time_ms == 750);
    CHECK(answer.wdl == adjourn::chess::WinDrawLoss{84, 886, 30});
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
    CHECK(talk.session.best_line()->bound == Bound::upper);
    talk.say({"info depth 6 seldepth 9 score cp 58 nodes 174 pv d2d4 a7a6 h2h8",
              "info depth 7 score cp 120 lowerbound nodes 1010 pv e2e4",
              "info depth 6 multipv 2 score cp 90 pv c2c4"});
    const auto line = talk.session.best_line();
    REQUIRE(line);
    CHECK(line->score == Score::cp(58));
    CHECK(line->bound == Bound::exact);
    CHECK(line->depth == 6);
    CHECK(line->seldepth == 9);
    CHECK(uci_text(line->pv) == "d2d4 a7a6"); // as far as it is legal
    const auto cancelled = [&](std::initializer_list<std::string_view> lines) {
        talk.session.cancel({});
        talk.say(lines);
        const Failure failure = talk.failure();
        CHECK(failure.kind == Failure::Kind::cancelled);
        CHECK_FALSE(talk.session.best_line());
        talk.go(start_fen); // which has nothing of it
        CHECK_FALSE(talk.session.best_line());
        return failure.found;
    };
    CHECK(cancelled({"bestmove d2d4"})->score == Score::cp(58));
    // A bestmove alone is a move without a score, and so is one that its score contradicts.
    for (const auto& found : {cancelled({"bestmove e2e4"}),
                              cancelled({"info depth 9 score cp 71 pv d2d4", "bestmove e2e4"})}) {
        REQUIRE(found);
        CHECK_FALSE(found->score);
        CHECK(uci_text(found->pv) == "e2e4");
    }
    CHECK_FALSE(cancelled({"bestmove (none)"}));
}

TEST_CASE("pitfall 26: a bound never takes the place of an exact score") {
    check_outcomes({
        {{"info depth 5 score cp 58 nodes 174 pv d2d4 a7a6",
          "info depth 6 score cp -110 upperbound nodes 1000 pv e2e4",
          "info depth 6 score cp 120 lowerbound nodes 1010 pv e2e4", "bestmove e2e4"},
         "+0.58 at 5: d2d4 a7a6; then >=+1.20 at 6: e2e4"}, // move, score and PV of one line
        {{"info depth 5 score cp 58 nodes 1000 pv d2d4 a7a6",
          "info depth 6 score cp 20 upperbound nodes 1000 pv d2d4", "bestmove d2d4"},
         "+0.58 at 5: d2d4 a7a6"}, // it stayed with it
        {{"info depth 6 score cp -110 upperbound nodes 1000 pv e2e4 e7e5",
          "info depth 7 score cp 20 lowerbound nodes 1000 pv d2d4", "bestmove d2d4"},
         "Talker 1's search ended with a bound only, not with a score"},
    });
}

TEST_CASE("pitfall 36: a score of another move than the bestmove is not taken") {
    const std::string contradiction =
        "Talker 1 contradicts itself: its best move is e2e4, and its last score is of d2d4";
    check_outcomes({
        // The lines of the question before, whose move is legal here, too.
        {{"info depth 9 score cp 71 nodes 90 pv d2d4 d7d5", "bestmove e2e4"}, contradiction},
        {{"info depth 1 score cp 7 nodes 9 pv g1f3",
          "info depth 9 score cp 71 nodes 90 pv d2d4 d7d5",
          "info depth 9 multipv 2 score cp 60 pv c2c4", "bestmove e2e4"},
         contradiction},
        // The bound came before the exact score, which has decided against it.
        {{"info depth 9 score cp 80 lowerbound pv e2e4", "info depth 9 score cp 71 pv d2d4",
          "bestmove e2e4"},
         contradiction},
        // A line about another position says nothing of this bestmove.
        {{"info depth 9 score cp 71 pv d2d4", "info depth 10 score cp 20 pv e7e5", "bestmove e2e4"},
         contradiction},
        // What it has said of the bestmove counts, and nothing else.
        {{"info depth 8 score cp 30 pv e2e4 e7e5", "info depth 9 score cp 71 pv d2d4 d7d5",
          "bestmove e2e4"},
         "+0.30 at 8: e2e4 e7e5"},
        {{"info depth 9 multipv 1 score cp 71 pv d2d4",
          "info depth 9 multipv 2 score cp 60 pv e2e4", "bestmove e2e4"},
         "+0.60 at 9: e2e4"}, // as Stockfish with a Skill Level has it
        // A last bound of another move contradicts nothing.
        {{"info depth 9 score cp 30 pv e2e4 e7e5", "info depth 10 score cp -20 upperbound pv d2d4",
          "bestmove e2e4"},
         "+0.30 at 9: e2e4 e7e5"},
        // Castling is one move, however it is written.
        {{"info depth 5 score cp 30 pv e1g1 e8a8", "bestmove e1h1"},
         "+0.30 at 5: e1g1 e8c8",
         castling_fen},
    });
}

TEST_CASE("pitfall 35: an answer with a number out of range is not taken") {
    const std::pair<const char*, std::string> numbers[] = {
        {"score mate 2147483647", "mate 2147483647"},
        {"score cp 2147483647", "cp 2147483647"},
        {"score cp 31000", "cp 31000"},
        {"score cp 30 depth 9999", "depth 9999"},
        {"score cp 30 depth -1", "depth -1"}};
    for (const auto& [number, said] : numbers) {
        const std::string line = "info depth 9 " + std::string{number} + " pv e2e4";
        check_outcomes({
            {{"info depth 8 score cp 29 nodes 80 pv e2e4", line, "bestmove e2e4"},
             "Talker 1 said " + said + ", which is out of range"},
            // A later line that is right stands for itself.
            {{line, "info depth 9 score cp 31 nodes 90 pv e2e4", "bestmove e2e4"},
             "+0.31 at 9: e2e4"},
        });
    }
    check_outcomes({
        // In the summary behind the scores, too.
        {{"info depth 9 score cp 31 pv e2e4", "info depth 99999 nps 5", "bestmove e2e4"},
         "Talker 1 said depth 99999, which is out of range"},
        // A mate, written otherwise.
        {{"info depth 9 score cp -31994 pv e2e4", "bestmove e2e4"}, "#-3 at 9: e2e4"},
    });
}

TEST_CASE("pitfall 27: only the first PV counts, and lines without multipv are the first") {
    check_outcomes({
        {{"info depth 5 multipv 1 score cp 40 pv e2e4",
          "info depth 5 multipv 2 score cp 90 pv d2d4",
          "info multipv 3 depth 4 score cp 80 pv a2a3", "bestmove e2e4"},
         "+0.40 at 5: e2e4"},
        {{"info depth 5 score cp 41 pv e2e4", "bestmove e2e4"}, "+0.41 at 5: e2e4"},
    });
}

TEST_CASE("pitfall 28: bestmove without info is no answer, not 0") {
    check_outcomes({{{"info string nothing to report", "info depth 1", "bestmove a2a3"},
                     "Talker 1 gave a move without a score"}});
    // Nothing is left over from one search to the next.
    Talk talk;
    talk.shake_hands();
    talk.go(start_fen).say({"info depth 5 score cp 41 nodes 9 pv e2e4", "bestmove e2e4"});
    talk.answer();
    talk.go(start_fen).say("bestmove e2e4");
    CHECK(talk.failure().kind == Failure::Kind::no_result);
    CHECK(talk.session.progress().nodes == 0);
}

TEST_CASE("pitfall 29: no move, or one that is not legal, is no result") {
    for (const char* const none :
         {"(none)", "0000", "NULL", "a1a1 ", "", "(none) ponder (none)", "ponder e2e4"}) {
        check_outcomes({{{"info depth 3 score cp 5 pv e2e4", "bestmove " + std::string{none}},
                         "Talker 1 gave no move"}});
    }
    for (const char* const illegal : {"e2e5", "e7e5", "garbage", "Q@f8"}) {
        check_outcomes(
            {{{"info depth 3 score cp 5 pv e2e4", "bestmove " + std::string{illegal}},
              "Talker 1 gave the move " + std::string{illegal} + ", which is not legal"}});
    }
    check_outcomes({{{"info depth 3 score cp 900 pv a7a8Q h7g6", "bestmove a7a8Q ponder zzz"},
                     "+9.00 at 3: a7a8q h7g6",
                     "8/P6k/8/8/8/8/8/K7 w - - 0 1"}});
}

TEST_CASE("pitfall 30: mates from the side to move; mate 0 where there are moves is no score") {
    check_outcomes({
        {{"info depth 9 score mate 3 pv e2e4", "bestmove e2e4"}, "#3 at 9: e2e4"},
        {{"info depth 9 score mate -2 pv e2e4", "bestmove e2e4"}, "#-2 at 9: e2e4"},
        {{"info depth 12 score cp -11 pv e2e4", "info depth 13 score mate 0 pv e2e4",
          "bestmove e2e4"},
         "-0.11 at 12: e2e4"},
        {{"info depth 0 score mate 0", "bestmove e2e4"}, "Talker 1 gave a score without pv"},
    });
}

TEST_CASE("pitfall 31: table wins are told from large evaluations by the table hits") {
    check_outcomes({
        {{"info depth 9 score cp 19990 tbhits 12 pv e2e4", "bestmove e2e4"},
         "TB win (10) at 9: e2e4"},
        {{"info depth 9 score cp 19990 tbhits 0 pv e2e4", "bestmove e2e4"}, "+199.90 at 9: e2e4"},
    });
}

TEST_CASE("pitfall 32: the PV is cut at the first illegal move") {
    check_outcomes({
        {{"info depth 9 score cp 30 pv e2e4 e7e5 e4e5 g1f3", "bestmove e2e4"},
         "+0.30 at 9: e2e4 e7e5"},
        // It may run on past the end of the game.
        {{"info depth 9 score mate 1 pv a1a8 a8a7 h1g1", "bestmove a1a8"},
         "#1 at 9: a1a8",
         "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"},
    });
}

TEST_CASE("pitfall 20: a score whose PV cannot be played in our position is not taken") {
    check_outcomes({
        {{"info depth 5 score cp 30 pv e2e4 e7e5", "info depth 6 score cp -999 pv e7e5 e2e4",
          "info depth 7 score cp 998", "bestmove e2e4"},
         "+0.30 at 5: e2e4 e7e5"},
        {{"info depth 6 score cp -999 pv e7e5 e2e4", "bestmove e7e5"},
         "Talker 1 gave the move e7e5, which is not legal"},
    });
}

TEST_CASE("pitfall 19: castling is understood both ways") {
    for (const std::string castling : {"e1g1", "e1h1"}) {
        check_outcomes(
            {{{"info depth 5 score cp 30 pv " + castling + " e8a8", "bestmove " + castling},
              "+0.30 at 5: e1g1 e8c8",
              castling_fen}});
    }
}

TEST_CASE("pitfall 23: an answer outside searchmoves is a failure of its own") {
    const adjourn::chess::Limit limit{Kind::depth, 10};
    const std::string text = "ignored: Talker 1 ignores searchmoves: it answered ";
    check_outcomes({
        {{"info depth 10 score cp 30 pv c2c4", "bestmove c2c4"},
         text + "c2c4, which was not among the moves asked for",
         start_fen,
         limit,
         {"a2a3", "h2h4"}},
        {{"info depth 10 score cp 30 pv c2c4", "bestmove a2a3"},
         text + "a2a3, which was not among the moves asked for",
         start_fen,
         limit,
         {"a2a3", "h2h4"}},
        {{"info depth 10 score cp 3 pv h2h4", "bestmove h2h4"},
         "+0.03 at 10: h2h4",
         start_fen,
         limit,
         {"a2a3", "h2h4"}},
    });
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
    const std::vector<std::string> lines{"info depth 1 score cp 83 nodes 6 pv g1f3",
                                         "bestmove g1f3"};
    check_outcomes({
        {lines,
         "Talker 1 ignores node limits: it answered after 6 of 1000000 nodes; give it a limit in "
         "depth or time",
         start_fen,
         {Kind::nodes, 1'000'000}},
        // Too few nodes to tell; nothing left to search; nothing to choose.
        {lines, "+0.83 at 1: g1f3", start_fen, {Kind::nodes, 500}},
        {{"info depth 1 score mate 1 nodes 6 pv g1f3", "bestmove g1f3"},
         "#1 at 1: g1f3",
         start_fen,
         {Kind::nodes, 1'000'000}},
        {lines, "+0.83 at 1: g1f3", start_fen, {Kind::nodes, 1'000'000}, {"g1f3"}},
    });
}

TEST_CASE("pitfall 38: a counter that cannot be is set aside, and the answer is taken") {
    Talk talk;
    talk.shake_hands();
    for (const std::string counter :
         {"nodes -1294967296", "nodes 18446744073709551615", "nodes 99999999999999999999999",
          "seldepth -1", "seldepth 2147483648", "time -5", "time 99999999999", "nps -1",
          "nps 18446744073709551615", "hashfull -1", "hashfull 70000", "tbhits -1",
          "tbhits 18446744073709551615"}) {
        const bool nodes = counter.starts_with("nodes");
        // In the line of the score, and in one of statistics behind it.
        for (const bool behind : {false, true}) {
            CAPTURE(counter, behind);
            const std::string odd = " " + counter;
            talk.go(start_fen, {Kind::nodes, 5'000'000'000})
                .say({"info depth 8 seldepth 9 score cp 29 nodes 80 pv e2e4",
                      "info depth 9 score cp 31" + std::string{nodes ? "" : " nodes 90"} +
                          (behind ? "" : odd) + " pv e2e4 e7e5",
                      behind ? "info" + odd : "info string", "bestmove e2e4"});
            const Answer answer = talk.answer();
            CHECK(told(answer, start_fen) == "+0.31 at 9: e2e4 e7e5");
            CHECK(answer.nodes == (nodes ? 80 : 90)); // at least
            CHECK(answer.seldepth == 0);              // that line told none that can be
            CHECK(answer.set_aside == counter);
        }
    }
    // The next search has nothing of it.
    talk.go(start_fen).say({"info depth 9 score cp 32 nodes 91 pv e2e4", "bestmove e2e4"});
    CHECK(talk.answer().set_aside.empty());
    check_outcomes({
        // Nobody knows how many nodes that were: it is not said to have ignored its limit.
        {{"info depth 1 score cp 33 nodes -7 pv e2e4", "bestmove e2e4"},
         "+0.33 at 1: e2e4",
         start_fen,
         {Kind::nodes, 1'000'000}},
        // A bound stays a bound, and a depth that cannot be voids the line.
        {{"info depth 9 score cp 31 lowerbound nodes -7 pv e2e4", "bestmove e2e4"},
         "Talker 1's search ended with a bound only, not with a score"},
        {{"info depth -9 score cp 31 nodes -7 pv e2e4", "bestmove e2e4"},
         "Talker 1 said depth -9, which is out of range"},
    });
    // Table hits that cannot be leave no score whose meaning they decide.
    for (const std::string score : {"cp 19990", "cp -19990", "cp 31995"}) {
        check_outcomes({{{"info depth 9 score " + score + " tbhits -4 pv e2e4", "bestmove e2e4"},
                         "Talker 1 said " + score + ", which is out of range"}});
    }
}

TEST_CASE("pitfall 39: what a score lacks is named") {
    const std::pair<const char*, std::string> lacking[] = {
        {"info depth 9 score cp 31 nodes 5", "score without pv"},
        {"info depth 9 score 31 nodes 5 pv e2e4", "score without cp or mate"},
        {"info depth 9 score lowerbound pv e2e4", "score without cp or mate"},
        {"info depth 9 score cp 31 pv e7e5", "score that is not about this position"},
        {"info depth 9 nodes 5 pv e2e4", "move without a score"}};
    for (const auto& [line, what] : lacking) {
        check_outcomes({{{line, "bestmove e2e4"}, "Talker 1 gave a " + what}});
    }
}
