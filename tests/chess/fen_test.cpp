// FEN in all its spellings, what positions are refused, in which field, and what is let through;
// the start positions of Chess960.
#include "shared_data.hpp"
#include "support.hpp"
#include "test.hpp"

using namespace adjourn::chess;
using namespace adjourn::chess::testing;

namespace {

std::string field_of(const std::string& fen) {
    const auto setup = parse_fen(fen);
    return setup ? "accepted" : setup.error().field;
}

std::vector<std::string> castling_squares(const std::string& fen) {
    std::vector<std::string> names;
    const std::uint64_t rooks = position(fen).castling_rooks();
    for (int square = 0; square < 64; ++square) {
        if (((rooks >> square) & 1) != 0) {
            const auto name = Square{square}.name();
            names.emplace_back(name.begin(), name.end());
        }
    }
    return names;
}

using Names = std::vector<std::string>;

// The field that the refusal names, or "accepted".
std::string refusal(const std::string& fen) {
    const auto result = Position::from_fen(fen);
    if (result) {
        return "accepted";
    }
    CHECK_FALSE(result.error().message.empty());
    CHECK(result.error().message.back() != '.');
    return result.error().field;
}

std::string message(const std::string& fen) {
    const auto result = Position::from_fen(fen);
    return result ? "accepted" : result.error().message;
}

} // namespace

TEST_CASE("fen: the start position", "[chess]") {
    const std::string fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    CHECK(position(fen) == Position::initial());
    CHECK(Position::initial().fen() == fen);
    CHECK(Position::initial().engine_fen() == fen);
    CHECK(Position::initial().piece_at(*Square::parse("d8")) == Piece{Color::black, Role::queen});
    CHECK_FALSE(Position::initial().piece_at(*Square::parse("e4")));
}

TEST_CASE("fen: four, five or six fields, any blanks between", "[chess]") {
    CHECK(position("4k3/8/8/8/8/8/8/4K3 b - -").fen() == "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
    CHECK(position("4k3/8/8/8/8/8/8/4K3 b - - 7").fen() == "4k3/8/8/8/8/8/8/4K3 b - - 7 1");
    CHECK(position(" 4k3/8/8/8/8/8/8/4K3  b\t- -  7 9\r\n").fen() ==
          "4k3/8/8/8/8/8/8/4K3 b - - 7 9");
    CHECK(field_of("") == "position");
    CHECK(field_of("4k3/8/8/8/8/8/8/4K3 w -") == "position");
    CHECK(field_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1 x") == "position");
}

TEST_CASE("fen: what is no board, or says nothing, is refused by the name of its field",
          "[chess]") {
    CHECK(field_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1") == "accepted");
    for (const char* board :
         {"4k3/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/7/4K3",
          "4k3/8/8/8/8/8/9/4K3", "4k3/8/8/8/8/8/17/4K3", "4k3/8/8/8/8/8/pppppppppp/4K3",
          "4k3/8/8/8/8/8/8/4K2X", "4k3/8/8/8/8/8/8/4K3/", "4k3/8/8/8/8/8/8/4K\xf6\x01"}) {
        INFO(board);
        CHECK(field_of(std::string{board} + " w - - 0 1") == "placement");
    }
    const std::pair<const char*, const char*> fields[] = {
        {"4K3 x - - 0 1", "turn"},       {"4K3 W - - 0 1", "turn"},
        {"4K3 w x - 0 1", "castling"},   {"4K2R w KK - 0 1", "castling"},
        {"4K2R w KH - 0 1", "castling"}, {"4K3 w - e9 0 1", "en_passant"},
        {"4K3 w - e 0 1", "en_passant"}};
    for (const auto& [rest, field] : fields) {
        INFO(rest);
        CHECK(field_of(std::string{"4k3/8/8/8/8/8/8/"} + rest) == field);
    }
}

TEST_CASE("fen: X-FEN and Shredder-FEN castling", "[chess]") {
    CHECK(castling_squares("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1") ==
          Names{"a1", "h1", "a8", "h8"});
    CHECK(castling_squares("r3k2r/8/8/8/8/8/8/R3K2R w kqKQ - 0 1") ==
          Names{"a1", "h1", "a8", "h8"});
    CHECK(castling_squares("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1") ==
          Names{"a1", "h1", "a8", "h8"});
    CHECK(castling_squares("r3k2r/8/8/8/8/8/8/R3K2R w Hq - 0 1") == Names{"h1", "a8"});
    // K is the outermost rook, a file letter any other.
    CHECK(castling_squares("3k4/8/8/8/8/8/8/1K2R1R1 w K - 0 1") == Names{"g1"});
    CHECK(castling_squares("3k4/8/8/8/8/8/8/1K2R1R1 w E - 0 1") == Names{"e1"});
    // The outermost rook on the king's side of the board may stand beyond the king only.
    CHECK(parse_fen("4k3/8/8/8/8/8/8/R5K1 w K - 0 1").error().field == "castling");
}

TEST_CASE("fen: castling is written as KQkq, by file only where that misleads", "[chess]") {
    const std::string inner = "3k4/8/8/8/8/8/8/1K2R1R1 w E - 3 4";
    CHECK(position(inner).fen() == inner);
    CHECK(position("3k4/8/8/8/8/8/8/1K2R1R1 w G - 3 4").fen() ==
          "3k4/8/8/8/8/8/8/1K2R1R1 w K - 3 4");
    CHECK(position("3k4/8/8/8/8/8/8/1K2R1R1 w G - 3 4").engine_fen() ==
          "3k4/8/8/8/8/8/8/1K2R1R1 w G - 0 1");
    CHECK(position("r3k2r/8/8/8/8/8/8/R3K2R b HAha - 9 9").engine_fen() ==
          "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1");
    // chess960() says whether standard notation lacks the rights.
    CHECK_FALSE(position("r3k2r/8/8/8/8/8/8/R3K2R w Ah - 0 1").chess960());
    CHECK_FALSE(position("1k5r/8/8/8/8/8/8/1K5R w - - 0 1").chess960());
    CHECK(position("1k5r/8/8/8/8/8/8/1K5R w K - 0 1").chess960());
    CHECK(position("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1").chess960());
}

TEST_CASE("chess960: 960 different start positions, numbered both ways", "[chess]") {
    std::set<std::string> fens;
    for (int number = 0; number < chess960_count; ++number) {
        const Position start = chess960_start(number);
        CHECK(fens.insert(start.fen()).second);
        if (number % 60 == 59) { // the number is found by comparing with all before it
            CHECK(chess960_number(start) == number);
        }
    }
    CHECK(chess960_start(518) == Position::initial());
    CHECK(chess960_start(0).fen().starts_with("bbqnnrkr/"));
    CHECK(chess960_start(959).fen().starts_with("rkrnnqbb/"));
    CHECK_FALSE(chess960_number(position("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1")));
    CHECK_FALSE(
        chess960_number(position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1")));
    CHECK_FALSE(
        chess960_number(position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1")));
}

TEST_CASE("chess960: the published numbers", "[chess]") {
    const auto text = shared_file("eco/en-croissant_frc.tsv");
    REQUIRE(text);
    {
        int checked = 0;
        for (const std::string& line : lines_of(*text)) {
            const auto tab = line.find('\t');
            const auto number = line.find_last_of(' ', tab);
            if (tab == std::string::npos || !line.starts_with("Fischer Random ")) {
                continue;
            }
            INFO(line);
            CHECK(chess960_start(std::stoi(line.substr(number + 1))) ==
                  position(line.substr(tab + 1)));
            ++checked;
        }
        CHECK(checked > (adjourn::has_all_data() ? 950 : 90));
    }
}

TEST_CASE("gate: kings", "[chess]") {
    CHECK(message("8/8/8/8/8/8/8/8 w - - 0 1") == "no white king");
    CHECK(message("8/8/8/8/8/8/8/K7 w - - 0 1") == "no black king");
    CHECK(message("k7/8/8/8/8/8/8/6KK w - - 0 1") == "2 white kings");
    CHECK(refusal("kk6/8/8/8/8/8/8/7K w - - 0 1") == "placement");
    CHECK(refusal("8/8/8/8/8/8/1k6/K7 w - - 0 1") == "turn"); // they touch
}

TEST_CASE("gate: pawns and pieces that cannot be", "[chess]") {
    CHECK(message("3P4/1k2K3/8/8/8/8/8/8 w - - 0 1") == "a pawn on d8");
    CHECK(refusal("8/8/8/8/8/8/1k3K2/3p4 w - - 0 1") == "placement");
    CHECK(message("k7/8/8/8/8/P7/PPPPPPPP/7K w - - 0 1") == "9 white pawns");
    CHECK(message("k7/pppppppp/pppppppp/8/8/8/8/7K w - - 0 1") == "16 black pawns");
    CHECK(message("k7/8/8/8/8/QQQQQQQQ/QQQQQQQQ/7K w - - 0 1") == "17 white pieces");
    CHECK(message("k7/8/8/8/8/8/PPPPPPPP/QQ5K w - - 0 1") ==
          "white needs 1 promotions and has only 0 pawns missing");
    CHECK(refusal("k7/8/8/8/8/8/PPPPPPP1/QQ5K w - - 0 1") == "accepted");
    CHECK(refusal("k7/8/8/8/8/8/PPPPPP2/QQQ4K w - - 0 1") == "accepted");
    CHECK(refusal("k7/8/8/8/8/8/PPPPPPP1/QQQ4K w - - 0 1") == "placement");
    // Two bishops on light squares: one of them was a pawn.
    CHECK(refusal("k7/8/8/8/8/8/PPPPPPPP/1B1B3K w - - 0 1") == "placement");
    CHECK(refusal("k7/8/8/8/8/8/PPPPPPPP/1BB4K w - - 0 1") == "accepted");
    CHECK(refusal("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1") == "accepted");
}

TEST_CASE("gate: the side not to move is in check", "[chess]") {
    CHECK(message("4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1") == "black is in check and not to move");
    CHECK(refusal("4k3/8/8/8/8/8/4Q3/4K3 b - - 0 1") == "accepted");
}

TEST_CASE("gate: castling rights need king and rook", "[chess]") {
    CHECK(message("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq - 0 1") ==
          "no white king and rook for 'K'");
    CHECK(refusal("rnbq1bnr/ppppkppp/8/8/8/8/PPPPPPPP/RNBQKBNR w k - 0 1") == "castling");
    CHECK(refusal("4k2r/8/8/8/8/8/8/R1K5 w Ah - 0 1") == "accepted");
    CHECK(message("4k2r/8/8/8/8/8/8/R1K5 w Bh - 0 1") == "no white rook on b1");
    CHECK(refusal("4k3/8/8/8/8/4K3/8/R6R w A - 0 1") == "castling");
    CHECK(message("4k3/8/8/8/8/8/8/R1R1K3 w AC - 0 1") ==
          "two white castling rooks on one side of the king");
    Setup setup = Position::initial().setup();
    setup.castling_rooks |= std::uint64_t{1} << 20;
    CHECK(Position::from_setup(setup).error() == FenError{"castling", "a castling rook on e3"});
}

TEST_CASE("gate: en passant squares that no double push passed are refused", "[chess]") {
    CHECK(refusal("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e2 0 1") == "en_passant");
    CHECK(message("rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1") ==
          "e3: no white pawn on e4");
    CHECK(message("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e3 0 1") ==
          "e3: not on the rank black's double pushes pass");
    CHECK(refusal("rnbqkbnr/pppppppp/8/8/4P3/8/PPPPPPP1/RNBQKBNR b KQkq e3 0 1") == "en_passant");
    CHECK(refusal("rnbqkbnr/pppppppp/8/8/4P3/4N3/PPPP1PPP/R1BQKBNR b KQkq e3 0 1") == "en_passant");
}

TEST_CASE("gate: en passant without a legal capture is dropped, not refused", "[chess]") {
    const Position plain = position("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    CHECK_FALSE(plain.en_passant());
    CHECK(plain.fen() == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    // The two pawns leave the rank together.
    const Position skewered = position("8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1");
    CHECK_FALSE(skewered.en_passant());
    CHECK(skewered.double_push() == Square::parse("e6"));
    // Pinned on its diagonal, along which it may take.
    CHECK(position("8/5k2/8/2Pp4/8/1K6/8/8 w - d6 0 1").en_passant() == Square::parse("d6"));
    // Pinned on its file.
    CHECK_FALSE(position("1k6/4r3/8/3pP3/8/4K3/8/8 w - d6 0 1").en_passant());
}

TEST_CASE("gate: checks that no move can have given", "[chess]") {
    CHECK(message("4k3/5P2/3N4/8/8/8/4R3/4K3 b - - 0 1") == "3 pieces give check at once");
    CHECK(message("3R4/8/q4k2/2B5/1NK5/3b4/8/8 w - - 0 1") ==
          "checks from d3 and a6 along one line");
    CHECK(refusal("8/8/N7/2k5/N7/8/8/3K4 b - - 0 1") == "position");
    CHECK(refusal("8/8/5k2/p1q5/PP1rp1P1/3P1N2/2RK1r2/5nN1 w - - 0 3") == "accepted");
    // Check, and the last move said to be a double push that can't have given it.
    CHECK(refusal("8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1") == "position");
    CHECK(refusal("rnbqk1nr/bb3p1p/1q2r3/2pPp3/3P4/7P/1PP1NpPP/R1BQKBNR w KQkq c6 0 1") ==
          "position");
    CHECK(refusal("8/8/8/2k5/3Pp3/8/8/4KQ2 b - d3 0 1") == "accepted"); // by the pawn itself
    // By a slider that the double push uncovered.
    CHECK(refusal("8/8/8/8/1k1Pp2R/8/8/4K3 b - d3 0 1") == "accepted");
}

TEST_CASE("gate: clocks", "[chess]") {
    const std::string board = "4k3/8/8/8/8/8/8/4K3 b - - ";
    const std::pair<const char*, const char*> clocks[] = {
        {"", "accepted"},        {"5", "accepted"},      {"-1 1", "halfmove"},
        {"x 1", "halfmove"},     {"1.5 1", "halfmove"},  {"+1 1", "halfmove"},
        {"0 -1", "fullmove"},    {"0 x", "fullmove"},    {"0 99999999999999999999", "fullmove"},
        {"10000 1", "halfmove"}, {"0 10000", "fullmove"}};
    for (const auto& [text, field] : clocks) {
        INFO(text);
        CHECK(refusal(board + text) == field);
    }
    CHECK(position(board + "0 0").fullmove_number() == 1); // some programs count from 0
    Position late = position(board + "9999 9999");
    late.play(move(late, "e8d8"));
    CHECK(late.halfmove_clock() == Position::max_clock);
    CHECK(late.fullmove_number() == Position::max_clock);
    Setup setup = Position::initial().setup();
    setup.halfmove_clock = -1;
    CHECK(Position::from_setup(setup).error().field == "halfmove");
    setup.halfmove_clock = 0;
    setup.fullmove_number = -1;
    CHECK(Position::from_setup(setup).error().field == "fullmove");
}
