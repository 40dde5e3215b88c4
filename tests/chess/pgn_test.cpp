// The PGN reader, feature by feature.
#include "pgn_log.hpp"

#include "base/text.hpp"
#include "chess/game_reader.hpp"
#include "chess/position_text.hpp"
#include "test.hpp"

using namespace adjourn::chess;
using namespace adjourn::chess::testing;

namespace {

using Log = std::string;

} // namespace

TEST_CASE("pgn: nothing there", "[chess]") {
    CHECK(pgn_log("").empty());
    CHECK(pgn_log(" \n\r\n\t").empty());
    CHECK(pgn_log("\xef\xbb\xbf").empty());
    CHECK(pgn_log("% escaped\n; said\n").empty());
    CHECK(pgn_log("{ a comment that nothing follows }").empty());
    CHECK(pgn_log("{ unclosed").empty());
}

TEST_CASE("pgn: results in all spellings, and none", "[chess]") {
    CHECK(pgn_log("e4 1-0") == "game|start|e4 |end 1-0|");
    CHECK(pgn_log("e4 0-1") == "game|start|e4 |end 0-1|");
    CHECK(pgn_log("e4 1/2-1/2") == "game|start|e4 |end 1/2-1/2|");
    CHECK(pgn_log("e4 1/2") == "game|start|e4 |end 1/2-1/2|");
    CHECK(pgn_log("e4 *") == "game|start|e4 |end *|");
    CHECK(pgn_log("e4*") == "game|start|e4 |end *|");
    CHECK(pgn_log("e4") == "game|start|e4 |end |");
    CHECK(pgn_log("[Result \"1-0\"]\n\ne4\n") == "game|tag Result=1-0|start|e4 |end |");
}

TEST_CASE("pgn: move numbers in all forms", "[chess]") {
    const Log expected = "game|start|e4 e5 Nf3 |end *|";
    for (const char* text :
         {"1. e4 e5 2. Nf3 *", "1.e4 e5 2.Nf3 *", "1 e4 e5 2 Nf3 *", "1. e4 1... e5 2. Nf3 *",
          "1.e4 1...e5 2.Nf3 *", "e4 e5 Nf3 *", "1.\ne4\ne5\n2.\nNf3\n*", "1. e4 ... e5 2. Nf3 *",
          "1. e4 1\xe2\x80\xa6 e5 2. Nf3 *", "17. e4 e5 99. Nf3 *"}) {
        INFO(text);
        CHECK(pgn_log(text) == expected);
    }
}

TEST_CASE("pgn: line ends, BOM, escapes", "[chess]") {
    const Log expected = "game|tag Event=A|start|e4 e5 |end *|";
    CHECK(pgn_log("[Event \"A\"]\r\n\r\n1. e4\r\ne5 *\r\n") == expected);
    CHECK(pgn_log("[Event \"A\"]\r\r1. e4\re5 *\r") == expected);
    CHECK(pgn_log("\xef\xbb\xbf[Event \"A\"]\n\n1. e4 e5 *") == expected);
    CHECK(pgn_log("% one\n[Event \"A\"]\n%[White \"B\"]\n\n% e4 e5\n1. e4\n%d4\ne5 *") == expected);
}

TEST_CASE("pgn: comments", "[chess]") {
    CHECK(pgn_log("{intro} 1. e4 {a} {b} e5 ; to the end {\n2. Nf3 {two\nlines} *") ==
          "game|start|{intro}e4 {a}{b}e5 { to the end {}Nf3 {two\nlines}|end *|");
    CHECK(pgn_log("[Event \"A\"]\n{after tags} 1. e4 *") ==
          "game|tag Event=A|start|{after tags}e4 |end *|");
    CHECK(pgn_log("{before tags}\n[Event \"A\"]\n\n1. e4 *") ==
          "game|tag Event=A|start|e4 |end *|");
    CHECK(pgn_log("1. e4{a}e5(1...c5)*") == "game|start|e4 {a}e5 (c5 )|end *|");
    CHECK(pgn_log("1. e4 {[Event \"x\"] in a comment} *") ==
          "game|start|e4 {[Event \"x\"] in a comment}|end *|");
}

TEST_CASE("pgn: a comment that is not closed costs its game only", "[chess]") {
    const std::string told = "error 1:3 a comment is not closed; it ends before the tags of line ";
    for (const char* tag : {"[Event \"B\"]", "[x \"\"]", "[White \"B\"] [Black \"C\"]",
                            "  [Event \"B\"]", "[White \"a \\\"b\\\"\" ] "}) {
        for (const char* end : {"\n", "\r", "\r\n"}) {
            INFO(tag);
            const PgnLog log = read_pgn(adjourn::base::replaced(
                "[Event \"A\"]\n\n1. e4 (1. d4 { forgotten\nd5 2. c4 *\n" + std::string{tag} +
                    "\n\n1. d4 *\n\n[Event \"C\"]\n\n1. c4 {closed} *\n",
                "\n", end));
            CHECK(log.games == 3);
            CHECK(log.log.starts_with("game|tag Event=A|start|e4 (d4 )|" + told + "5|end |game|"));
            CHECK(log.log.ends_with("|start|d4 |end *|game|tag Event=C|start|c4 {closed}|end *|"));
            REQUIRE(log.errors.size() == 1);
            CHECK(log.errors[0].column == 14);
        }
    }
    CHECK(pgn_log("1. e4 { forgotten") == "game|start|e4 |error 1:1 a comment is not closed|end |");
}

TEST_CASE("pgn: what only looks like tags is part of a comment", "[chess]") {
    for (const char* comment :
         {"x [Event \"y\"]\nz", "x\n[%eval 0.3]\n[%cal \"Ge2e4\"]", "x\n [Event \"y\"]\nz",
          "x\n[Kasparov, \"My Games\"]", "x\n[White \"y\"] z", "x\n[White \"y]", "x\n[White y]"}) {
        INFO(comment);
        CHECK(pgn_log("1. e4 {" + std::string{comment} + "} e5 *") ==
              "game|start|e4 {" + std::string{comment} + "}e5 |end *|");
    }
}

TEST_CASE("pgn: a comment among tags that is not closed", "[chess]") {
    const PgnNotes log =
        read_notes("{open\n[Event \"A\"]\n{open\n[Site \"B\"]\n\n1. e4 {too} *\n\n"
                   "[Event \"C\"]\n{open\n\n1. d4 *\n\n[Event \"D\"]\n\n1. c4 *\n");
    const std::string told = "a comment is not closed; it ends before the tags of line ";
    CHECK(log.log ==
          "game|tag Event=A|tag Site=B|start|e4 {too}|end *|game|tag Event=C|error 2:9 " + told +
              "13|end |game|tag Event=D|start|c4 |end *|");
    CHECK(log.left == std::vector<std::string>{"game 1, line 1, column 1: " + told + "2",
                                               "game 1, line 3, column 1: " + told + "4"});
}

TEST_CASE("pgn: what follows a result without tags is no game, unless it begins as one",
          "[chess]") {
    const std::string first = "game|start|e4 e5 |end 1-0|";
    const std::string no_game =
        "what follows a result without tags, and does not begin with move 1, "
        "is no game|";
    CHECK(pgn_log("1. e4 e5 1-0 2. Nf3 Nc6 *\n\n[Event \"B\"]\n\n1. d4 *") ==
          first + "game|error 2:1 " + no_game + "end *|game|tag Event=B|start|d4 |end *|");
    CHECK(pgn_log("1. e4 e5 1-0\n2. Nf3 Nc6 *") == first + "game|error 2:2 " + no_game + "end *|");
    CHECK(pgn_log("1. e4 e5 1-0 Nf3 Nc6 *") == first + "game|error 2:1 " + no_game + "end *|");
    CHECK(pgn_log("1. e4 e5 1-0 2... Nf3 {x} (2. d4) *") ==
          first + "game|error 2:1 " + no_game + "end *|");
    CHECK(pgn_log("1. e4 e5 1-0 1-0\n*\n0-1") == first);
    CHECK(pgn_log("1. e4 e5 1-0 1. d4 d5 0-1") == first + "game|start|d4 d5 |end 0-1|");
    CHECK(pgn_log("1. e4 e5 1-0\nd4 d5 0-1") == first + "game|start|d4 d5 |end 0-1|");
}

TEST_CASE("pgn: NAGs and their signs", "[chess]") {
    CHECK(pgn_log("1. e4! e5? 2. Nf3!! Nc6?? 3. Bb5!? a6?! *") ==
          "game|start|e4 $1 e5 $2 Nf3 $3 Nc6 $4 Bb5 $5 a6 $6 |end *|");
    CHECK(pgn_log("1. e4 $14 $139 e5 ! 2. Nf3 +- Nc6 \xc2\xb1 *") ==
          "game|start|e4 $14 $139 e5 $1 Nf3 $18 Nc6 $16 |end *|");
    CHECK(pgn_log("1. e4 $ $999 $256 e5 *") == "game|start|e4 e5 |end *|");
}

TEST_CASE("pgn: variations, nested", "[chess]") {
    CHECK(pgn_log("1. e4 (1. d4 d5 (1... Nf6 {Indian}) 2. c4) e5 *") ==
          "game|start|e4 (d4 d5 (Nf6 {Indian})c4 )e5 |end *|");
    CHECK(pgn_log("1. e4 e5 (1... c5) (1... e6) 2. Nf3 *") ==
          "game|start|e4 e5 (c5 )(e6 )Nf3 |end *|");
    CHECK(pgn_log("1. e4 (1. d4 1-0) e5 *") == "game|start|e4 (d4 )e5 |end *|");
}

TEST_CASE("pgn: broken variations leave the rest alone", "[chess]") {
    CHECK(pgn_log("1. e4 (1. e5 d5 (1... c5) 2. c4) e5 *") ==
          "game|start|e4 (|error 1:1 'e5' is illegal in "
          "'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'|)e5 |end *|");
    CHECK(pgn_log("(1. d4) 1. e4 *") ==
          "game|start|error 1:1 a variation before any move|e4 |end *|");
    CHECK(pgn_log("1. e4) e5 *") == "game|start|e4 e5 |end *|");
    CHECK(pgn_log("[Event \"A\"]\n\n1. e4 (1. d4 *\n\n[Event \"B\"]\n\n1. c4 *") ==
          "game|tag Event=A|start|e4 (d4 )|error 1:3 a variation is not closed|end |"
          "game|tag Event=B|start|c4 |end *|");
}

TEST_CASE("pgn: an illegal move ends its game, with game and line", "[chess]") {
    CHECK(pgn_log("1. e4 e5\n2. Nf4 {said} Nc6 (2... d6) 1-0\n\n1. d4 *") ==
          "game|start|e4 e5 |error 1:2 'Nf4' is illegal in "
          "'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'|end 1-0|"
          "game|start|d4 |end *|");
    CHECK(pgn_log("[Event \"A\"]\n\n1. hello\n\n[Event \"B\"]\n\n1. d4") ==
          "game|tag Event=A|start|error 1:3 'hello' is not a move|end |"
          "game|tag Event=B|start|d4 |end |");
}

TEST_CASE("pgn: FEN tags", "[chess]") {
    CHECK(pgn_log("[SetUp \"1\"]\n[fEn \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O+ *") ==
          "game|tag SetUp=1|tag fEn=4k3/8/8/8/8/8/8/4K2R w K - 0 1|"
          "start 4k3/8/8/8/8/8/8/4K2R w K - 0 1|O-O |end *|");
    CHECK(pgn_log("[Event \"A\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n\n1. d4 *") ==
          "game|tag Event=A|tag FEN=8/8/8/8/8/8/8/8 w - - 0 1|"
          "error 1:2 FEN tag: placement: no white king|end *|game|start|d4 |end *|");
}

TEST_CASE("pgn: Chess960 and other variants", "[chess]") {
    CHECK(pgn_log("[Variant \"Chess960\"]\n[FEN \"1k2r3/8/8/8/8/8/8/R2K3R w AHe - 0 1\"]\n\n"
                  "1. O-O-O Kb7 2. Rhe1 *") ==
          "game|tag Variant=Chess960|tag FEN=1k2r3/8/8/8/8/8/8/R2K3R w AHe - 0 1|"
          "start 1k2r3/8/8/8/8/8/8/R2K3R w KQk - 0 1|O-O-O Kb7 Rhe1 |end *|");
    CHECK(pgn_log("[Variant \"Crazyhouse\"]\n\n1. e4 N@f3 *") ==
          "game|tag Variant=Crazyhouse|error 1:1 the variant 'Crazyhouse' is not chess|end *|");
    CHECK(pgn_log("[Variant \"From Position\"]\n\n1. e4 *").ends_with("e4 |end *|"));
}

TEST_CASE("pgn: moves as people and programs write them", "[chess]") {
    CHECK(pgn_log("1. e2e4 e7-e5 2. Ng1-f3 Nb8c6 3. f1b5 a7a6 4. e1g1 *") ==
          "game|start|e4 e5 Nf3 Nc6 Bb5 a6 O-O |end *|");
    CHECK(pgn_log("1. e4 d5 2. e4xd5+ *") == "game|start|e4 d5 exd5 |end *|");
    CHECK(pgn_log("1. e4 a6 2. e5 d5 3. exd6 e.p. *") == "game|start|e4 a6 e5 d5 exd6 |end *|");
    CHECK(pgn_log("1. e4 a6 2. e5 d5 3. exd6e.p.! *") == "game|start|e4 a6 e5 d5 exd6 $1 |end *|");
    CHECK(pgn_log("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 0-0 *").find("O-O O-O") !=
          std::string::npos);
}

TEST_CASE("pgn: null moves", "[chess]") {
    CHECK(pgn_log("1. e4 -- 2. d4 Z0 3. c4 *") == "game|start|e4 -- d4 -- c4 |end *|");
    CHECK(pgn_log("1. e4 e5 2. Qh5 Nc6 3. Qxf7+ -- *").find("a null move in check") !=
          std::string::npos);
}

TEST_CASE("pgn: several games, with and without tags and results", "[chess]") {
    CHECK(pgn_log("1. e4 * 1. d4 1-0\n1. c4 0-1") ==
          "game|start|e4 |end *|game|start|d4 |end 1-0|game|start|c4 |end 0-1|");
    CHECK(pgn_log("[Event \"A\"]\n\n1. e4\n[Event \"B\"]\n\n1. d4\n") ==
          "game|tag Event=A|start|e4 |end |game|tag Event=B|start|d4 |end |");
    CHECK(pgn_log("[Event \"A\"]\n\n[Event \"B\"]\n\n[Event \"C\"]\n\n*\n") ==
          "game|tag Event=A|start|end |game|tag Event=B|start|end |"
          "game|tag Event=C|start|end *|");
    CHECK(pgn_log("[Event \"A\"]\n\n[White \"B\"]\n\n1. e4 *") ==
          "game|tag Event=A|tag White=B|start|e4 |end *|");
    CHECK(pgn_log("[White \"a\"][Black \"b\"] 1. e4 * [White \"c\"] 1. d4") ==
          "game|tag White=a|tag Black=b|start|e4 |end *|game|tag White=c|start|d4 |end |");
    // No result, no tags: the number tells.
    CHECK(pgn_log("1. e4 e5 2. Nf3\n\n1. d4\n") ==
          "game|start|e4 e5 Nf3 |end |game|start|d4 |end |");
    CHECK(pgn_log("1. e4 * *\n*\n1. d4 *") == "game|start|e4 |end *|game|start|d4 |end *|");
}

TEST_CASE("pgn: tags with quotes, brackets, backslashes", "[chess]") {
    const auto value = [](const std::string& text) {
        const AnnotatedGame game = read_games("[A \"" + text + "\"]\n\n*").games.at(0);
        REQUIRE(game.tags.size() == 1);
        return game.tags[0].value;
    };
    CHECK(value("plain") == "plain");
    CHECK(value("").empty());
    CHECK(value("a \\\"b\\\" c") == "a \"b\" c");
    CHECK(value("a\\\\b") == "a\\b");
    CHECK(value("a\\b") == "a\\b");
    CHECK(value("a] [b") == "a] [b");
    CHECK(value("a \"b\" c") == "a \"b\" c");
    CHECK(value("ends with \"x\"") == "ends with \"x\"");
    CHECK(value("Tournament \\") == "Tournament \\");
}

TEST_CASE("pgn: malformed tags don't stop the game", "[chess]") {
    CHECK(pgn_log("[Event A]\n[White \"B\"]\n\n1. e4 *") == "game|tag White=B|start|e4 |end *|");
    CHECK(pgn_log("[Event \"no end\n[White \"B\"]\n\n1. e4 *") ==
          "game|tag Event=no end|tag White=B|start|e4 |end *|");
    CHECK(pgn_log("[ Event  \"A\" ]\n\n1. e4 *") == "game|tag Event=A|start|e4 |end *|");
    CHECK(pgn_log("1. e4 [%clk 1] e5 <reserved> *") == "game|start|e4 e5 |end *|");
}

TEST_CASE("pgn: UTF-8 stays, anything else is read as Windows-1252", "[chess]") {
    CHECK(pgn_log("[White \"Caf\xc3\xa9\"]\n\n1. e4 {Gr\xc3\xbcnfeld} *") ==
          "game|tag White=Caf\xc3\xa9|start|e4 {Gr\xc3\xbcnfeld}|end *|");
    CHECK(pgn_log("[White \"Caf\xe9\"]\n\n1. e4 {Gr\xfcnfeld \x80\x81} *") ==
          "game|tag White=Caf\xc3\xa9|start|e4 {Gr\xc3\xbcnfeld \xe2\x82\xac\xef\xbf\xbd}|end *|");
}

TEST_CASE("pgn: a visitor may pass over a game's moves", "[chess]") {
    struct Skipper : PgnVisitor {
        bool begin_moves(const Position&) override { return ++games != 1; }
        void move(const Position&, Move) override { ++moves; }
        void comment(std::string_view) override { ++others; }
        void begin_variation() override { ++others; }
        void error(const PgnError&) override { ++others; }
        int games = 0;
        int moves = 0;
        int others = 0;
    } skipper;
    PgnReader reader{std::string_view{"1. e4 {a} (1. d4 Ke7) Qh4 nonsense *\n1. d4 d5 *"}};
    while (reader.read_game(skipper)) {
    }
    CHECK(skipper.games == 2);
    CHECK(skipper.moves == 2);
    CHECK(skipper.others == 0);
}

TEST_CASE("pgn: streams are read as text is, whatever the chunks", "[chess]") {
    std::string text;
    for (int i = 0; i < 3000; ++i) {
        text += "[Event \"" + std::to_string(i) + "\"]\r\n[Site \"x\"]\r\n\r\n1. e4 {comment " +
                std::string(static_cast<std::size_t>(i) % 97, 'c') + "} e5 2. Nf3 1-0\r\n\r\n";
    }
    std::istringstream in{text};
    PgnReader reader{in};
    PgnLog from_stream;
    while (reader.read_game(from_stream)) {
    }
    CHECK(from_stream.log == pgn_log(text));
    CHECK(from_stream.games == 3000);
    CHECK(from_stream.errors.empty());
}

TEST_CASE("pgn: who has had enough is told no more of the line, but its end", "[chess]") {
    class Two : public PgnLog { // moves of a main line
    public:
        bool had_enough() const override { return depth > 0 || moves >= 2; }
    };
    Two log;
    PgnReader reader{std::string_view{
        "1. e4 (1. d4 d5) 1... e5 $1 2. Nf3 (2. Ke4 {no}) 2... Kxx {broken} 1-0\n\n1. d4 *"}};
    while (reader.read_game(log)) {
        log.moves = 0;
    }
    CHECK(log.log == "game|start|e4 ()e5 |end 1-0|game|start|d4 |end *|");
    CHECK(log.errors.empty());
}
