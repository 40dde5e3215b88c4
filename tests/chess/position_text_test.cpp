// What people paste as a position.
#include "support.hpp"

#include "chess/epd.hpp"
#include "chess/notation.hpp"
#include "chess/position_text.hpp"
#include "test.hpp"

using namespace adjourn::chess;
using namespace adjourn::chess::testing;

namespace {

const std::string start_fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
// A rank ends in 1 and the next one begins with 2.
const std::string half = "3q1rk1/p4pp1/2pb3p/3p4/6Pr/1PNQ4/P1PB1PP1/4RRK1 b - -";

PositionText read(const std::string& text) {
    const auto result = parse_position_text(text);
    INFO(text << ": " << (result ? "" : result.error()));
    REQUIRE(result);
    return *result;
}

std::string text_error(const std::string& text) {
    const auto result = parse_position_text(text);
    INFO(text);
    REQUIRE_FALSE(result);
    return result.error();
}

std::string moves_of(const PositionText& text) {
    return to_san_line(text.start, text.moves);
}

} // namespace

TEST_CASE("position text: a FEN is known by its structure, not by what looks like a result in it",
          "[chess]") {
    CHECK(read(half).start.fen() == half + " 0 1");
    CHECK(read(half + " 3 20").start.fen() == half + " 3 20");
    CHECK(moves_of(read(half + " 3 20 moves d6h2")) == "20... Bh2+");
    CHECK(moves_of(read(half + " 3 20 20... Bh2+ 21. Kh1 1/2-1/2")) == "20... Bh2+ 21. Kh1");
    CHECK(moves_of(read("1. e4 e5 1/2-1/2")) == "1. e4 e5");
    CHECK(moves_of(read("1. e4 e5 1/2")) == "1. e4 e5");
    CHECK(text_error("1/2/3 w - - 0 1").starts_with("placement: "));
    CHECK(text_error("8/8/8/8/8/8/8/8 w - - 0 1").find("king") != std::string::npos);
    CHECK(text_error("rnbqkbnr/pppppppp/8/8 w KQkq - 0 1") ==
          "placement: 4 ranks instead of eight");
    CHECK(text_error("1rnx/8 w - - 0 1").starts_with("placement: "));
    CHECK(text_error("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w")
              .ends_with("is no whole FEN; missing: castling rights, en passant square"));
    CHECK(text_error(half.substr(0, half.size() - 3) + "K - 0 1").starts_with("castling: "));
}

TEST_CASE("position text: FENs as pages, programs and shells write them", "[chess]") {
    for (const std::string& text :
         {start_fen, "  " + start_fen + "\n", "\"" + start_fen + "\"", "'" + start_fen + "'",
          "fen " + start_fen, "FEN: " + start_fen, "fen \"" + start_fen + "\"",
          "position fen " + start_fen, "position fen " + start_fen + " moves",
          std::string{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"},
          std::string{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0"},
          std::string{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1"},
          std::string{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\xc2\xa0w KQkq - 0 1"},
          std::string{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"},
          "[FEN \"" + start_fen + "\"]\n[SetUp \"1\"]\n\n*\n", std::string{"startpos"},
          std::string{"position startpos"}, std::string{"STARTPOS moves"}}) {
        INFO(text);
        CHECK(read(text) == PositionText{});
    }
    const std::string castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    for (const char* address :
         {"https://lichess.org/analysis/standard/4k3/8/8/8/8/8/8/4K2R_w_K_-_0_1",
          "https://lichess.org/editor/4k3/8/8/8/8/8/8/4K2R_w_K_-_0_1?color=white",
          "https://www.chess.com/analysis?fen=4k3%2F8%2F8%2F8%2F8%2F8%2F8%2F4K2R+w+K+-+0+1&tab=x",
          "http://localhost:8462/4k3/8/8/8/8/8/8/4K2R%20w%20K%20-%200%201#x"}) {
        INFO(address);
        CHECK(read(address) == PositionText{position(castling), {}});
    }
    CHECK(text_error("https://lichess.org/abcdefgh") ==
          "this address holds no position; give the moves, the PGN or the FEN that its page shows");
    const std::string chess960 =
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    CHECK(read(chess960).start == position(chess960));
    CHECK(read("position fen " + chess960 + " moves g2g3").moves.size() == 1);
}

TEST_CASE("position text: an EPD record is its position, whatever the operations say", "[chess]") {
    const Position at = position(half + " 0 1");
    for (const char* operations : {" bm Rh1+; id \"WAC.001\";", " bm Rh1+", "; id \"moves e2e4\"",
                                   ";bm Qh4;", " am Bh2+; c0 \"1. e4 {best}\";",
                                   " id \"d6h2 moves\"; dm 3;", " noop;", " ;D1 20 ;D2 400"}) {
        INFO(operations);
        CHECK(read(half + operations) == PositionText{at, {}});
    }
    CHECK(read(half + " Bh2+ dm 21").moves.empty()); // a move where an opcode should be
    CHECK(read(half + " hmvc 7; fmvn 31;").start.fen() == half + " 7 31");
    CHECK(text_error(half + " hmvc x;").find("hmvc") != std::string::npos);
}

TEST_CASE("position text: moves, as lines and as games have them", "[chess]") {
    for (const char* text : {"1. e4 e5 2. Nf3", "1.e4 e5 2.Nf3", "e4 e5 Nf3", "e2e4 e7e5 g1f3",
                             "e2e4,e7e5,g1f3", "e2e4;e7e5;g1f3", "startpos moves e2e4 e7e5 g1f3",
                             "position startpos moves e2e4 e7e5 g1f3", "moves e2e4 e7e5 g1f3",
                             "startpos e2e4 e7e5 g1f3", "1. e4 {best} e5 (1... c5) 2. Nf3 *",
                             "1. e4! $1 e5?! $6 2. Nf3 1-0", "{Open game} 1. e4 e5 2. Nf3 {x} {y}",
                             "1. e4 (1. d4 d5 (1... Nf6 {a ) b}) 2. c4) 1... e5 2. Nf3",
                             "1. e4 ; best by test\n1... e5 2. Nf3", "1.e4(1.d4)e5{!}2.Nf3",
                             "[Event \"x\"]\n\n1. e4 e5 2. Nf3 *\n", "1. e4 e5\n2. Nf3\n"}) {
        INFO(text);
        const PositionText line = read(text);
        CHECK(line.start == Position::initial());
        CHECK(moves_of(line) == "1. e4 e5 2. Nf3");
    }
}

TEST_CASE("position text: piece letters of other languages", "[chess]") {
    for (const char* text : {"1. e4 e5 2. Sf3 Sc6 3. Lb5 a6", "1.e4 e5 2.Sf3 Sc6 3.Lb5 a6 *",
                             "e4 e5 Sf3 Sc6 Lb5 a6", "1. e4 e5 2. Cf3 Cc6 3. Fb5 a6",
                             "1. e4 e5 2. Cf3 Cc6 3. Ab5 a6", "1. e4 e5 2. Pf3 Pc6 3. Lb5 a6",
                             "1. e4 e5 2. Sf3 Sc6 3. Gb5 a6", "1. e4 e5 2. Jf3 Jc6 3. Sb5 a6",
                             "1. e4 e5 2. Кf3 Кc6 3. Сb5 a6", "1. e4 e5 2. ♘f3 ♞c6 3. ♗b5 a6",
                             "1. e4 {gut} e5 (1... c5 2. Sf3) 2. Sf3! Sc6 3. Lb5 a6"}) {
        INFO(text);
        CHECK(moves_of(read(text)) == "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6");
    }
    CHECK(moves_of(read("8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a8D Kg7 Dh8+")) ==
          "1. a8=Q Kg7 2. Qh8+");
    // S is a knight for the German and a bishop for the Czech; what follows decides.
    CHECK(moves_of(read("8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a8=S Kg7 Sb6")) ==
          "1. a8=N Kg7 2. Nb6");
    CHECK(text_error("8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a8=S").starts_with("move 1. 'a8=S'"));
}

TEST_CASE("position text: what is English is not read in another language", "[chess]") {
    // Re2 is the king's move in French, S and T are not English.
    CHECK(text_error("1. e4 e5 2. Re2").starts_with("move 2. 'Re2' is illegal"));
    CHECK(text_error("1. e4 e5 2. Sf5").starts_with("move 2. 'Sf5' is not a move"));
    CHECK(text_error("1. e4 e5 2. Zf3").starts_with("move 2. 'Zf3'"));
    // A rook for the Finn means a knight, for the Frenchman a king: D alone decides nothing.
    const std::string both = "8/8/8/8/8/2k5/8/3QK2R w - - 0 1 moves ";
    CHECK(moves_of(read(both + "Dd5")) == "1. Qd5");
}

TEST_CASE("position text: errors name the place", "[chess]") {
    CHECK(text_error("1. e4 e5 2. Ke3 Nc6") ==
          "move 2. 'Ke3' is illegal; legal before it: 1. e4 e5");
    CHECK(text_error("Ke3") == "move 1. 'Ke3' is illegal");
    CHECK(text_error("1. e4 {x} e4").starts_with("move 1... "));
    CHECK(text_error(half + " 0 31 moves d6h2 a2a4").starts_with("move 32. "));
    CHECK(text_error("1. e4 {best e5") == "'{best e5' begins a comment that has no end");
    CHECK(text_error("1. e4 (1. d4 e5") == "'(1. d4 e5' begins a variation that has no end");
    CHECK(text_error("1. e4) e5") == "') e5' ends no variation");
    CHECK(text_error("[White \"x\"]\n\n1. e4 e5 2. Ke3 *")
              .starts_with("game 1, line 3, column 13: "));
    CHECK(text_error(half + " 0 1 Bh2+ Kh9").find("move 2. 'Kh9'") == 0); // no operation
    CHECK(text_error(half + " 0 1 hello").find("move 1... 'hello'") == 0);
    CHECK(text_error("hello") == "move 1. 'hello' is not a move");
    for (const char* empty : {"", "  ", "\"\"", "1.", "*", "1-0", "{nothing}"}) {
        INFO(empty);
        CHECK_FALSE(text_error(empty).empty());
    }
}

TEST_CASE("position text: of a file the first record or game counts", "[chess]") {
    const auto file = [](const std::string& content) { return parse_position_file(content); };
    const auto record = file("# a suite\n\n" + half + " bm Bh2+; id \"1\";\n" + start_fen + "\n");
    REQUIRE(record);
    CHECK(record->start == position(half + " 0 1"));
    const auto broken = file("# a suite\n8/8/8/8/8/8/8/8 w - - bm Kh2;\n");
    REQUIRE_FALSE(broken);
    CHECK(broken.error().starts_with("line 2: placement: "));
    const auto game = file("[Event \"x\"]\n\n1. e4 e5 1/2-1/2\n\n[Event \"y\"]\n\n1. d4 *\n");
    REQUIRE(game);
    CHECK(moves_of(*game) == "1. e4 e5");
    const auto plain = file("1. e4 {best} e5 (1... c5) 2. Nf3 *\n");
    REQUIRE(plain);
    CHECK(plain->moves.size() == 3);
    const auto uci = file("position startpos moves e2e4 e7e5\n");
    REQUIRE(uci);
    CHECK(uci->moves.size() == 2);
    CHECK_FALSE(file(""));
    for (const char* empty :
         {"[Event \"x\"", "[Event \"x\"]\n\n*\n", "[Event \"x\"]\n[White \"y\"]\n"}) {
        const auto game_without = parse_position_text(empty);
        REQUIRE_FALSE(game_without);
        CHECK(game_without.error() == "the game has no move and sets up no position");
    }
    CHECK_FALSE(file("# nothing\n"));
    const auto error = [&](const std::string& content) { return file(content).error(); };
    CHECK(error("") == "game 1, line 1: no game");
    CHECK(error("1. e4\n2. Nd4") == "game 1, line 2, column 4: 'Nd4' is illegal in "
                                    "'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'");
    CHECK(error("1. e4 e5\n2. Nf3 Nc6\n3. Bb5 -- *")
              .starts_with("game 1, line 3: the main line has a null move after 'r1bqkbnr/"));
    CHECK_FALSE(file("[FEN \"x\"]\n\n*"));
    CHECK(file("1. e4 (1. e5) e5 *")); // only a variation is broken
}

TEST_CASE("position text: lines of EPD files are read as their positions", "[chess]") {
    std::size_t lines = 0;
    for (const std::string& line : lines_of(own_file("perft.epd"))) {
        const auto record =
            is_epd_comment(line) ? std::unexpected(std::string{"a comment"}) : parse_epd(line);
        if (record) {
            INFO(line);
            CHECK(read(line) == PositionText{record->position, {}});
            ++lines;
        }
    }
    CHECK(lines > 20);
}
