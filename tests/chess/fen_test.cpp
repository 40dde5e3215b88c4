// FEN in all its spellings.
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

TEST_CASE("fen: placements that are no board", "[chess]") {
    const auto placement = [](const std::string& text) { return field_of(text + " w - - 0 1"); };
    CHECK(placement("4k3/8/8/8/8/8/8/4K3") == "accepted");
    CHECK(placement("4k3/8/8/8/8/8/4K3") == "placement");
    CHECK(placement("4k3/8/8/8/8/8/8/8/4K3") == "placement");
    CHECK(placement("4k3/8/8/8/8/8/7/4K3") == "placement");
    CHECK(placement("4k3/8/8/8/8/8/9/4K3") == "placement");
    CHECK(placement("4k3/8/8/8/8/8/17/4K3") == "placement");
    CHECK(placement("4k3/8/8/8/8/8/pppppppppp/4K3") == "placement");
    CHECK(placement("4k3/8/8/8/8/8/8/4K2X") == "placement");
    CHECK(placement("4k3/8/8/8/8/8/8/4K3/") == "placement");
    CHECK(placement("4k3/8/8/8/8/8/8/4K\xf6\x01") == "placement");
}

TEST_CASE("fen: other fields that say nothing", "[chess]") {
    CHECK(field_of("4k3/8/8/8/8/8/8/4K3 x - - 0 1") == "turn");
    CHECK(field_of("4k3/8/8/8/8/8/8/4K3 W - - 0 1") == "turn");
    CHECK(field_of("4k3/8/8/8/8/8/8/4K3 w x - 0 1") == "castling");
    CHECK(field_of("4k3/8/8/8/8/8/8/4K2R w KK - 0 1") == "castling");
    CHECK(field_of("4k3/8/8/8/8/8/8/4K2R w KH - 0 1") == "castling");
    CHECK(field_of("4k3/8/8/8/8/8/8/4K3 w - e9 0 1") == "en_passant");
    CHECK(field_of("4k3/8/8/8/8/8/8/4K3 w - e 0 1") == "en_passant");
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
}

TEST_CASE("fen: chess960() asks whether standard notation can say the rights", "[chess]") {
    CHECK_FALSE(Position::initial().chess960());
    CHECK_FALSE(position("r3k2r/8/8/8/8/8/8/R3K2R w Ah - 0 1").chess960());
    CHECK_FALSE(position("1k5r/8/8/8/8/8/8/1K5R w - - 0 1").chess960());
    CHECK(position("1k5r/8/8/8/8/8/8/1K5R w K - 0 1").chess960());
    CHECK(position("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1").chess960());
}

TEST_CASE("fen: round trip over random games", "[chess]") {
    for_random_positions(20, 150, 5, [](const Position& position) {
        const std::string fen = position.fen();
        const auto again = Position::from_fen(fen);
        REQUIRE(again);
        REQUIRE(*again == position);
        REQUIRE(again->fen() == fen);
        REQUIRE(again->hash() == position.hash());
        REQUIRE(*Position::from_setup(position.setup()) == position);
        const auto engine = Position::from_fen(position.engine_fen());
        REQUIRE(engine);
        REQUIRE(*engine == position);
        REQUIRE(engine->halfmove_clock() == 0);
        REQUIRE(engine->fullmove_number() == 1);
    });
}
