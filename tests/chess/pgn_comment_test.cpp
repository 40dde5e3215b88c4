// What programs write into PGN comments.
#include "chess/pgn_comment.hpp"
#include "test.hpp"

using namespace adjourn::chess;

TEST_CASE("pgn comments: evaluations", "[chess]") {
    const auto eval = [](const std::string& text, Color turn = Color::black) {
        return eval_in_comment(text, turn);
    };
    CHECK(eval("[%eval 0.23]") == PgnEval{Score::cp(23), std::nullopt});
    CHECK(eval("good [%eval -1.5,18] move") == PgnEval{Score::cp(-150), 18});
    CHECK(eval("[%clk 0:01:00] [%eval +2]") == PgnEval{Score::cp(200), std::nullopt});
    // After White's move Black moves: "#3" is three moves of White, six plies away.
    CHECK(eval("[%eval #3]") == PgnEval{Score::mate_in(6), std::nullopt});
    CHECK(eval("[%eval #3]", Color::white) == PgnEval{Score::mate_in(5), std::nullopt});
    CHECK(eval("[%eval #-3]") == PgnEval{Score::mated_in(5), std::nullopt});
    CHECK(eval("[%eval #-3]", Color::white) == PgnEval{Score::mated_in(6), std::nullopt});
    CHECK(eval("[%eval #0]") == PgnEval{Score::mate_in(0), std::nullopt});
    for (const Score score :
         {Score::cp(0), Score::cp(-12345), Score::mate_in(5), Score::mated_in(6)}) {
        CHECK(eval("[%eval " + to_eval_text(score) + "]", Color::white)->score == score);
    }
    for (const char* text : {"", "0.23", "[%eval]", "[%eval ]", "[%eval x]", "[%eval 0.23",
                             "[%evaluation 1]", "[%eval #]", "[%eval #x]", "[%eval nan]",
                             "[%eval 1e30]", "[%eval #--3]", "[%eval #99999]"}) {
        INFO(text);
        CHECK_FALSE(eval(text));
    }
}

TEST_CASE("pgn comments: the words alone", "[chess]") {
    CHECK(text_of_comment(" [%eval 0.2] best [%clk 0:01:00] by far ") == "best by far");
    CHECK(text_of_comment("[%csl Ga1][%cal Ra1h1,Gb1b8] foo [%clk 3:25:45]") == "foo");
    CHECK(text_of_comment("[x] unclosed [%eval") == "[x] unclosed [%eval");
    CHECK(text_of_comment("").empty());
}

TEST_CASE("pgn comments: whole numbers with a depth are centipawns", "[chess]") {
    const auto eval = [](const std::string& text, Color turn = Color::black) {
        return eval_in_comment("[%eval " + text + "]", turn);
    };
    CHECK(eval("-77,23") == PgnEval{Score::cp(-77), 23});
    CHECK(eval("8,20") == PgnEval{Score::cp(8), 20});
    CHECK(eval("+14, 24") == PgnEval{Score::cp(14), 24});
    CHECK(eval("1706,29") == PgnEval{Score::cp(1706), 29});
    CHECK(eval("0,0") == PgnEval{Score::cp(0), 0});
    CHECK(eval("0.08,20") == PgnEval{Score::cp(8), 20});
    CHECK(eval("2.,20") == PgnEval{Score::cp(200), 20});
    CHECK(eval("2") == PgnEval{Score::cp(200), std::nullopt}); // no depth: pawns
    CHECK(eval("1200.50,30") == PgnEval{Score::cp(Score::max_cp), 30});
    CHECK(eval("-327.67") == PgnEval{Score::cp(-32'767), std::nullopt});
}

TEST_CASE("pgn comments: mates with the sign before or behind the hash", "[chess]") {
    const auto eval = [](const std::string& text, Color turn = Color::black) {
        return eval_in_comment("[%eval " + text + "]", turn);
    };
    for (const char* text : {"-#6,11", "#-6,11"}) {
        CHECK(eval(text, Color::white) == PgnEval{Score::mated_in(12), 11});
        CHECK(eval(text, Color::black) == PgnEval{Score::mated_in(11), 11});
    }
    for (const char* text : {"#6,11", "+#6,11", "#+6,11"}) {
        CHECK(eval(text, Color::white) == PgnEval{Score::mate_in(11), 11});
    }
    for (const char* text : {"-#-6", "+#-6", "##6", "#", "-#", "-#x", "5,x", "5,-1", "5,6,7", "x,5",
                             "0x10", "1e5", "inf"}) {
        INFO(text);
        CHECK_FALSE(eval(text));
        CHECK(eval_command(std::string{"said [%eval "} + text + "] and more") ==
              std::string{"[%eval "} + text + "]");
    }
    CHECK(eval_command("[%eval]") == std::string_view{"[%eval]"});
    CHECK_FALSE(eval_command("[%evp 0,20,3] [%evaluation 1]"));
}

TEST_CASE("pgn comments: scores of cutechess and fastchess are the mover's", "[chess]") {
    const auto verdict = [](const std::string& text, Color mover = Color::black) {
        return verdict_in_comment(text, mover);
    };
    const auto said = [](Score score, int depth, std::uint64_t nodes = 0) {
        return PgnVerdict{PgnEngine::cutechess, score, depth, nodes};
    };
    for (const Color mover : {Color::white, Color::black}) {
        CHECK(verdict("+0.93/18 0.38s", mover) == said(Score::cp(93), 18));
        CHECK(verdict("-8.11/24 5.0s, White wins by adjudication", mover) ==
              said(Score::cp(-811), 24));
        CHECK(verdict("+M3/127 0.004s", mover) == said(Score::mate_in(3), 127));
        CHECK(verdict("-M18/13 0.14s", mover) == said(Score::mated_in(18), 13));
        CHECK(verdict("-M3/13", mover) == said(Score::mated_in(6), 13)); // moves: no plies
    }
    CHECK(verdict("0.00/45 1.1s, Draw by 3-fold repetition") == said(Score::cp(0), 45));
    CHECK(verdict("(Nf3) +0.25/20 3s") == said(Score::cp(25), 20));
    CHECK(verdict("(Qd1-e2 c7-c5) -0.15/10 6") == said(Score::cp(-15), 10));
    CHECK(verdict(" +0.18/11 1.2s, n=123456, sd=20 ") == said(Score::cp(18), 11, 123'456));
    CHECK(verdict("+0.18/11") == said(Score::cp(18), 11));
    for (const char* text : {"", "book", "1/2-1/2", "+0.00/0 0.000s", "0.25/14 5", "+1/2", "+/-",
                             "+0.5", "+0.5/x", "+0.5/5x", "(Nf3 +0.25/20", "+M0/5", "+Mx/5",
                             "3 wins/10 games", "see game 1.0/5", "+-0.5/5", "++0.5/5"}) {
        INFO(text);
        CHECK_FALSE(verdict(text));
    }
}

TEST_CASE("pgn comments: scores of TCEC are White's", "[chess]") {
    const std::string comment =
        "d=33, sd=48, pd=Qxd4, mt=53840, tl=1479072, s=208728575, n=11231475551, pv=Ne7 a4 b4, "
        "tb=null, h=0.0, ph=0.0, wv=1.14, R50=50, Rd=-9, Rr=-1000, mb=+0+0+0+0+0,";
    CHECK(verdict_in_comment(comment, Color::white) ==
          PgnVerdict{PgnEngine::tcec, Score::cp(114), 33, 11'231'475'551});
    CHECK(verdict_in_comment(comment, Color::black) ==
          PgnVerdict{PgnEngine::tcec, Score::cp(-114), 33, 11'231'475'551});
    CHECK(verdict_in_comment("d=1, sd=1, n=1, wv=M1, R50=50, White mates", Color::white) ==
          PgnVerdict{PgnEngine::tcec, Score::mate_in(1), 1, 1});
    CHECK(verdict_in_comment("d=20, wv=-M12", Color::white)->score == Score::mated_in(12));
    CHECK(verdict_in_comment("d=20, wv=-M11", Color::black)->score == Score::mate_in(11));
    CHECK_FALSE(verdict_in_comment("d=0, wv=0.00", Color::white));
    CHECK_FALSE(verdict_in_comment("wv=0.50", Color::white));
    CHECK_FALSE(verdict_in_comment("d=20, wv=null", Color::white));
    CHECK_FALSE(verdict_in_comment("d=20, xwv=0.5", Color::white));
}

TEST_CASE("pgn comments: commands are found and removed, and all else stays", "[chess]") {
    const std::string comment = "a [%clk 1:02:03] b [%foo x, y  z][%bar] [% no [%open";
    const auto commands = commands_in_comment(comment);
    REQUIRE(commands.size() == 3);
    CHECK(commands[0].whole == "[%clk 1:02:03]");
    CHECK(commands[0].at == 2);
    CHECK(commands[1].name == "foo");
    CHECK(commands[1].body == "x, y  z");
    CHECK(commands[2].name == "bar");
    CHECK(commands[2].body.empty());
    CHECK(without_command("a [%clk 1] b [%clk 2]", "clk") == "a b");
    CHECK(without_command("[%clk 1] b", "emt") == "[%clk 1] b");
    CHECK(marks_in_comment("x [%cal Ge2e4,Xa1a2,Ra1] [%csl Gd4, Rz9] [%cal Yb1c3]") ==
          "[%csl Gd4] [%cal Ge2e4,Yb1c3]");
}
