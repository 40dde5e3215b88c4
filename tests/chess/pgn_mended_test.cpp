// The PGN reader: what typesetting, typing errors and other programs' habits make of moves.
#include "pgn_log.hpp"
#include "test.hpp"

using namespace adjourn::chess;
using namespace adjourn::chess::testing;

namespace {

const std::string opening = "game|start|e4 e5 Nf3 Nc6 |end 1-0|";

} // namespace

TEST_CASE("pgn: punctuation that is glued to moves is dropped", "[chess]") {
    for (const char* text : {"1. e4, e5. 2. Nf3, Nc6: 1-0", "1.e4. e5, 2.Nf3. Nc6., 1-0",
                             "1. e4 e5 2. Nf3! Nc6 1-0.", "1. e4. 1... e5. 2. Nf3 , Nc6 1-0"}) {
        INFO(text);
        std::string log = pgn_log(text);
        if (const auto nag = log.find("$1 "); nag != std::string::npos) {
            log.erase(nag, 3);
        }
        CHECK(log == opening);
    }
    // In variations, too: the rest of the line is not lost.
    CHECK(pgn_log("1. e4 e5 (1... c5. 2. Nf3, d6) 2. Nf3 *") ==
          "game|start|e4 e5 (c5 Nf3 d6 )Nf3 |end *|");
    CHECK(pgn_log("1. e4 d5 2. exd5, Qxd5. 3. Nc3 *") == "game|start|e4 d5 exd5 Qxd5 Nc3 |end *|");
}

TEST_CASE("pgn: a result that is glued to the last move ends the game", "[chess]") {
    CHECK(pgn_log("1. e4 e5 2. Nf3 Nc61-0\n\n1. d4 *") == opening + "game|start|d4 |end *|");
    CHECK(pgn_log("1. e4 e5 2. Nf3 Nc6.1-0") == opening);
    CHECK(pgn_log("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#1-0") ==
          "game|start|e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7 |end 1-0|");
    CHECK(pgn_log("1. e40-1") == "game|start|e4 |end 0-1|");
    CHECK(pgn_log("1. e41/2-1/2") == "game|start|e4 |end 1/2-1/2|");
    CHECK(pgn_log("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 0-01-0") ==
          "game|start|Nf3 Nf6 g3 g6 Bg2 Bg7 O-O O-O |end 1-0|");
}

TEST_CASE("pgn: blanks without width and of other widths, form feeds and zeros", "[chess]") {
    for (const std::string& text :
         {std::string{"1.\xc2\xa0"
                      "e4 e5 2.\xc2\xa0Nf3\xc2\xa0Nc6 1-0"}, // no-break
          std::string{"1.\xa0"
                      "e4 e5 2.\xa0Nf3\xa0Nc6 1-0"}, // in Windows-1252
          std::string{"1. e4\xe2\x80\x8b e5 \xe2\x80\x8b"
                      "2. Nf3 Nc6\xef\xbb\xbf 1-0"}, // zero width
          std::string{"1. e4 e5\f2. Nf3\vNc6 1-0"}, std::string{"1. e4\0e5 2. Nf3 Nc6\0 1-0", 24},
          std::string{"1.\xe2\x80\xaf"
                      "e4 e5 2.\xe2\x80\x89Nf3 Nc6 1-0"}}) {
        INFO(text);
        CHECK(pgn_log(text) == opening);
    }
    CHECK(pgn_log("[Event \"A\"]\n\n1. e4 *\n\f\n[Event \"B\"]\n\n1. d4 *\n") ==
          "game|tag Event=A|start|e4 |end *|game|tag Event=B|start|d4 |end *|");
}

TEST_CASE("pgn: dashes of typesetters in results and castling", "[chess]") {
    for (const char* dash : {"\xe2\x80\x90", "\xe2\x80\x91", "\xe2\x80\x93", "\xe2\x80\x94",
                             "\xe2\x88\x92", "\x96", "\x97"}) {
        const std::string d = dash;
        INFO(d);
        CHECK(pgn_log("1. e4 e5 2. Nf3 Nc6 1" + d + "0") == opening);
        CHECK(pgn_log("1. e4 1/2" + d + "1/2\n\n1. d4 *") ==
              "game|start|e4 |end 1/2-1/2|game|start|d4 |end *|");
        CHECK(pgn_log("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O" + d + "O 0" + d + "0 *") ==
              "game|start|Nf3 Nf6 g3 g6 Bg2 Bg7 O-O O-O |end *|");
        // Also behind a move that cannot be read.
        CHECK(pgn_log("1. e4 Ke3 0" + d + "1").ends_with("end 0-1|"));
    }
}

TEST_CASE("pgn: results with colons and decimals, and of a player who did not come", "[chess]") {
    const std::pair<const char*, const char*> results[] = {
        {"1:0", "1-0"}, {"0:1", "0-1"}, {"\u00bd:\u00bd", "1/2-1/2"}, {"0.5-0.5", "1/2-1/2"}};
    for (const auto& [text, result] : results) {
        CHECK(pgn_log("1. e4 " + std::string{text} + "\n\n1. d4 *") ==
              "game|start|e4 |end " + std::string{result} + "|game|start|d4 |end *|");
    }
    CHECK(pgn_log("[Event \"A\"]\n\n+--\n\n[Event \"B\"]\n\n--+\n") ==
          "game|tag Event=A|start|end 1-0|game|tag Event=B|start|end 0-1|");
}

TEST_CASE("pgn: figurines of both colours are pieces", "[chess]") {
    CHECK(pgn_log("1. e4 e5 2. \xe2\x99\x98"
                  "f3 \xe2\x99\x9e"
                  "c6 1-0") == opening);
    CHECK(pgn_log("1. \xe2\x99\x99"
                  "e4 \xe2\x99\x9f\xef\xb8\x8e"
                  "e5 2. \xe2\x99\x9e"
                  "f3 \xe2\x99\x98"
                  "c6 1-0") == opening);
    CHECK(pgn_log("[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. a8=\xe2\x99\x95+ *")
              .ends_with("|a8=Q |end *|"));
    CHECK(parse_line(Position::initial(), "1. e4 e5 2. \xe2\x99\x98"
                                          "f3"));
    CHECK(parse_line(Position::initial(), "1. e4. e5, 2.\xc2\xa0Nf3"));
    CHECK_FALSE(parse_line(Position::initial(), "1. e4 e5 2. \xe2\x99\x98"
                                                "f4"));
}

TEST_CASE("pgn: letters of other languages are refused, and the reason is said", "[chess]") {
    CHECK(
        pgn_log("1. e4 e5 2. Sf3 *").find("'Sf3' is not a move; the pieces are K, Q, R, B and N") !=
        std::string::npos);
    CHECK(pgn_log("1. e4 hello *").find("'hello' is not a move|") != std::string::npos);
}

TEST_CASE("pgn: errors show what stands in the file", "[chess]") {
    CHECK(pgn_log("1. e4 \xc3\xa9"
                  "5 *")
              .find("'\xc3\xa9"
                    "5' is not a move") != std::string::npos);
    CHECK(pgn_log("1. e4 \xe9"
                  "5 *")
              .find("'\xc3\xa9"
                    "5' is not a move") != std::string::npos);
    CHECK(pgn_log("1. e4 e\xe2\x80\x8b?x *").find("e<U+200B>?x") != std::string::npos);
    const std::string cut = pgn_log("1. e4 \xe2\x82\xac" + std::string(300, 'x'));
    CHECK(cut.find("'\xe2\x82\xac" + std::string(99, 'x') + "...'") != std::string::npos);
}

TEST_CASE("pgn: a FEN's rights, en-passant square and clocks that cannot be are mended, with a "
          "warning",
          "[chess]") {
    const auto read = [](const std::string& fen) {
        return read_notes("[Event \"A\"]\n[FEN \"" + fen + "\"]\n\n*\n");
    };
    const std::string place = "game 1, line 2, column 1: FEN tag: ";
    struct Row {
        const char* written;
        const char* read;
        std::size_t warnings;
        std::string first;
    };
    for (const Row& row : {
             Row{"4k3/8/8/8/8/8/8/R3K3 w KQ - 0 1", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", 1,
                 place + "castling right 'K' dropped: king or rook is not there"},
             Row{"r3k2r/8/8/8/8/8/8/3K4 b KQkq - 3 17", "r3k2r/8/8/8/8/8/8/3K4 b kq - 3 17", 1, ""},
             Row{"4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 1, ""},
             Row{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 0,
                 ""},
             Row{"4k3/8/8/8/4P3/8/8/R3K3 w Q e3 0 1", "4k3/8/8/8/4P3/8/8/R3K3 w Q - 0 1", 1,
                 place + "en_passant: e3: not on the rank black's double pushes pass; read as -"},
             Row{"4k3/8/8/8/4P3/8/8/R3K3 w KQkq e3 - 12345", "4k3/8/8/8/4P3/8/8/R3K3 w Q - 0 1", 4,
                 ""},
             Row{"4k3/8/8/8/4P3/8/8/R3K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/R3K3 b - - 0 1", 0, ""},
         }) {
        INFO(row.written);
        const PgnNotes log = read(row.written);
        CHECK(log.errors.empty());
        CHECK(log.last.fen() == row.read);
        CHECK(log.warnings.size() == row.warnings);
        CHECK((row.first.empty() || log.warnings.at(0) == row.first));
    }
    // Other faults stay faults; nothing is mended of a position that stays impossible.
    for (const char* fen : {"4k3/8/8/8/8/8/8/8 w KQkq - 0 1", "4k3/8/8/8/8/8/8/R3K3 w xyz - 0 1",
                            "4k3/8/8/8/4P3/8/8/8 w KQ e3 0 1"}) {
        CHECK(read(fen).errors.size() == 1);
        CHECK(read(fen).warnings.empty());
    }
}

TEST_CASE("pgn: what a pawn becomes may stand in parentheses or apart from its move", "[chess]") {
    const std::string place = "[FEN \"1n6/P7/8/8/8/8/8/K1k5 w - - 0 1\"]\n\n";
    for (const char* moves :
         {"1. a8(Q) Kd2 *", "1.a8(Q)! Kd2 *", "1. a8 =Q Kd2 *", "1. a8= Q Kd2 *", "1. a8 = Q Kd2 *",
          "1. a8=(Q) Kd2 *", "1. a8 (Q) Kd2 *", "1.a8 = Q! Kd2 *"}) {
        INFO(moves);
        CHECK_THAT(pgn_log(place + moves), Catch::Matchers::Contains("a8=Q"));
        CHECK_THAT(pgn_log(place + moves), Catch::Matchers::EndsWith("Kd2 |end *|"));
    }
    for (const char* moves : {"1. axb8(N) Kd2 *", "1. axb8 = N Kd2 *"}) {
        CHECK_THAT(pgn_log(place + moves), Catch::Matchers::EndsWith("axb8=N Kd2 |end *|"));
    }
    // A variation right behind a move stays one, and "=" behind any other move is a sign.
    CHECK(pgn_log("1. Nf3 Nf6 2. Ng1 Ng8(2... Nd5) 3. e4 *") ==
          "game|start|Nf3 Nf6 Ng1 Ng8 (Nd5 )e4 |end *|");
    CHECK(pgn_log("1. e4 e5 2. Ba6 Bb4 3. Bf1 = Be7 *").ends_with("Ba6 Bb4 Bf1 $10 Be7 |end *|"));
}

TEST_CASE("pgn: only what is chess is read as chess", "[chess]") {
    const auto refused = [](const std::string& variant) {
        return pgn_log("[Variant \"" + variant + "\"]\n\n1. e4 *").find("is not chess") !=
               std::string::npos;
    };
    for (const char* name :
         {"", "?", "Standard", "standard", "Normal", "Chess", "From Position", "from position",
          "Chess960", "chess 960", "Chess-960", "960", "fischerandom", "Fischerandom",
          "Fischer Random", "FischerRandom Chess", "FRC", "wild/fr", "Freestyle Chess"}) {
        INFO(name);
        CHECK_FALSE(refused(name));
    }
    for (const char* name :
         {"Knightmate", "Extinction", "Torpedo", "xiangqi", "starwars", "Crazyhouse", "Antichess",
          "King of the Hill", "Three-check", "Seirawan960", "crazyhouse 960",
          "Chess with different "
          "armies",
          "No castling", "wild/0", "Horde", "Fog of War", "Shatranj", "象棋"}) {
        INFO(name);
        CHECK(refused(name));
    }
}

TEST_CASE("pgn: remarks behind a game are no game", "[chess]") {
    const std::string game = "[Event \"A\"]\n\n1. e4 e5 1-0\n";
    const std::string log = "game|tag Event=A|start|e4 e5 |end 1-0|";
    CHECK(pgn_log(game + "\n?\n") == log);
    CHECK(pgn_log(game + "\nEnd of the file, 385 games.\n-- ") == log);
    CHECK(pgn_log(game + "Here comes another one:\n\n[Event \"B\"]\n\n1. d4 *\n") ==
          log + "game|tag Event=B|start|d4 |end *|");
    // What begins as movetext is a game.
    CHECK(pgn_log(game + "\n1. d4 d5 *\n") == log + "game|start|d4 d5 |end *|");
    CHECK(pgn_log(game + "\nd4 d5 *\n") == log + "game|start|d4 d5 |end *|");
    CHECK(pgn_log(game + "\n1. Ke3 *\n").find("'Ke3' is illegal") != std::string::npos);
}

TEST_CASE("pgn: UTF-16 is named", "[chess]") {
    const std::string text = "[Event \"A\"]\n\n1. e4 e5 *\n";
    for (const bool little : {true, false}) {
        for (const bool mark : {true, false}) {
            std::string wide = !mark ? "" : little ? "\xff\xfe" : "\xfe\xff";
            for (const char c : text) {
                wide += little ? std::string{c, '\0'} : std::string{'\0', c};
            }
            CHECK(pgn_log(wide) == "game|error 1:1 the text is UTF-16; save it as UTF-8|end |");
        }
    }
}

TEST_CASE("pgn: moves, numbers and signs that are glued together are taken apart", "[chess]") {
    for (const char* text : {"1.e4,e5 2.Nf3,Nc6 1-0", "1.e4/e5 2.Nf3/Nc6 1-0",
                             "1.e4 e52.Nf3Nc6 1-0", "1.e4ch e5x 2.Nf3 Nc6:+ 1-0"}) {
        INFO(text);
        CHECK(pgn_log(text) == opening);
    }
    CHECK(pgn_log("1. e4 e5 2. Qh5 Ke7 3. Qxe5+mate 1-0") ==
          "game|start|e4 e5 Qh5 Ke7 Qxe5 |end 1-0|");
    CHECK(pgn_log("1. e4+= e5N 2. Nf3± Nc6= 3. Bb5+/- a6-+ *") ==
          "game|start|e4 $14 e5 $146 Nf3 $16 Nc6 $10 Bb5 $16 a6 $19 |end *|");
    CHECK(pgn_log("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#+- 1-0").ends_with("Qxf7 $18 |end 1-0|"));
    // What is legal in no way is named as it stands.
    CHECK(pgn_log("1. e4 e5,Ke4 *").find("'Ke4' is illegal") != std::string::npos);
    CHECK(pgn_log("1. e4 e5hello *").find("'e5hello' is not a move") != std::string::npos);
    CHECK(parse_line(Position::initial(), "1.e4/e5 2.Nf3+= Nc6"));
}

TEST_CASE("pgn: signs that are no moves end no line", "[chess]") {
    CHECK(pgn_log("1. e4 \u21c6 e5 \u2295 2. Nf3 TN Nc6 \u2192 1-0") ==
          "game|start|e4 $132 e5 $138 Nf3 $146 Nc6 $36 |end 1-0|");
    CHECK(pgn_log("1. e4 \u2605 e5 % 2. Nf3 - Nc6 ~ 1-0") == opening);
    CHECK(pgn_log("1. e4 a6 2. e5 d5 3. exd6 e.p.+ Kd7 *").find("'Kd7' is illegal") ==
          std::string::npos);
    // A chessman apart from its square may be a move: nothing is guessed.
    CHECK(pgn_log("1. e4 e5 2. \u2658 f3 *").find("is not a move") != std::string::npos);
}

TEST_CASE("pgn: a FEN tag that says nothing is the usual start", "[chess]") {
    for (const char* value : {"", " ", "?", "-", "startpos"}) {
        INFO(value);
        CHECK(pgn_log(std::string{"[FEN \""} + value + "\"]\n\n1. e4 *")
                  .ends_with("|start|e4 |end *|"));
    }
}

TEST_CASE("pgn: comments between tags part no game", "[chess]") {
    for (const char* comment : {"; I love comments", "{so do I}", "{on\ntwo lines}", "% escaped"}) {
        INFO(comment);
        CHECK(pgn_log("[Event \"A\"]\n" + std::string{comment} + "\n[Site \"B\"]\n\n1. e4 *\n") ==
              "game|tag Event=A|tag Site=B|start|e4 |end *|");
    }
    CHECK(pgn_log("[Event \"A\"];x\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q -\"]\n\nO-O-O *")
              .ends_with("w Q - 0 1|O-O-O |end *|"));
    // Behind the last tag they are the game's; the next game's tags are the next game's.
    CHECK(pgn_log("[Event \"A\"]\n\n{a} {b} 1. e4 *") == "game|tag Event=A|start|{a}{b}e4 |end *|");
    CHECK(pgn_log("[Event \"A\"]\n\n{no moves}\n\n[Event \"B\"]\n\n1. d4 *") ==
          "game|tag Event=A|start|{no moves}|end |game|tag Event=B|start|d4 |end *|");
    CHECK(pgn_log("[Event \"A\"]\n\n{open 1. e4 *\n\n[Event \"B\"]\n\n1. d4 *")
              .find("tags of line 5|end |game|tag Event=B|start|d4") != std::string::npos);
}

TEST_CASE("pgn: letters that look like others", "[chess]") {
    // Cyrillic o, e, a, c, x, and letters of full width; a capital may be another piece.
    CHECK(pgn_log("1. \u0435"
                  "4 e5 2. Nf3 N\u04416 1-0") == opening);
    CHECK(pgn_log("1. \uff45\uff14 e5 2. \uff2e\uff46\uff13 Nc6 1-0") == opening);
    CHECK(pgn_log("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. \u041e-\u041e \u043e-\u043e *") ==
          "game|start|Nf3 Nf6 g3 g6 Bg2 Bg7 O-O O-O |end *|");
    CHECK(pgn_log("1. e4 e5 2. \u041af3 *").find("is not a move") != std::string::npos);
    CHECK(pgn_log("1. e4 @@@\u00e6\u00e6 e5 2. Nf3 Nc6 1-0") == opening);
}

TEST_CASE("pgn: braces in a comment, where they are closed", "[chess]") {
    CHECK(pgn_log("1. e4 {a {nested {twice} one} here} e5 *") ==
          "game|start|e4 {a {nested {twice} one} here}e5 |end *|");
    CHECK(pgn_log("1. e4 {a { and \\} b} e5 *") == "game|start|e4 {a { and \\} b}e5 |end *|");
    // One that is opened and not closed says nothing: the standard knows no nesting.
    CHECK(pgn_log("1. e4 {a { b} e5 {c} 2. Nf3 *") == "game|start|e4 {a { b}e5 {c}Nf3 |end *|");
    CHECK(pgn_log("1. e4 {a { b} e5 *\n\n[Event \"B\"]\n\n1. d4 d5} *") ==
          "game|start|e4 {a { b}e5 |end *|game|tag Event=B|start|d4 d5 |end *|");
    CHECK(pgn_log("1. e4 inf e5 RR *") == "game|start|e4 $13 e5 $145 |end *|");
}
