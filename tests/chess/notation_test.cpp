// Moves as text, both ways.
#include "support.hpp"
#include "test.hpp"

#include <nlohmann/json.hpp>

using namespace adjourn::chess;
using namespace adjourn::chess::testing;
using nlohmann::json;

namespace {

// UCI of what the text means there, or the kind of refusal.
std::string san(const std::string& fen, const std::string& text) {
    const Position at = position(fen);
    const auto result = parse_san(at, text);
    if (result) {
        return to_uci(at, *result);
    }
    CHECK_FALSE(result.error().message.empty());
    switch (result.error().kind) {
    case MoveErrorKind::syntax: return "syntax";
    case MoveErrorKind::illegal: return "illegal";
    default: return "ambiguous";
    }
}

std::string uci(const std::string& fen, const std::string& text) {
    const Position at = position(fen);
    const auto result = parse_uci(at, text);
    if (result) {
        return to_san(at, *result);
    }
    return result.error().kind == MoveErrorKind::syntax ? "syntax" : "illegal";
}

const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const std::string castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
const std::string promotion = "1n5k/P7/8/8/8/8/8/7K w - - 0 1";

// Of another project's test suite.
std::vector<json> cases(const std::string& file) {
    const auto text = shared_file("fen/" + file);
    REQUIRE(text);
    std::vector<json> result;
    for (const std::string& line : lines_of(*text)) {
        result.push_back(json::parse(line));
    }
    REQUIRE_FALSE(result.empty());
    return result;
}

} // namespace

TEST_CASE("uci: standard castling where the pieces stand so, else king takes rook", "[chess]") {
    const Position at = position(castling);
    const Move castle = move(at, "e1g1");
    CHECK(castle == Move::castling(Square{4}, Square{7}));
    CHECK(to_uci(at, castle) == "e1g1");
    CHECK(to_uci(at, castle, CastlingStyle::king_rook) == "e1h1");
    CHECK(move(at, "e1h1") == castle);
    CHECK(to_uci(at, move(at, "e1c1")) == "e1c1");
    const Position chess960 = position("4k3/8/8/8/8/8/8/1R1K1R2 w BF - 0 1");
    CHECK(to_uci(chess960, move(chess960, "d1b1")) == "d1b1");
    CHECK(uci("4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1", "f1g1") == "Kg1");
    CHECK(uci("4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1", "f1h1") == "O-O");
    // The king on e1 and a rook on g1: taking it is castling.
    CHECK(uci("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", "e1g1") == "O-O");
    CHECK(uci("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1") == "illegal");
    CHECK(uci("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1h1") == "illegal");
}

TEST_CASE("uci: promotions in either case, nothing else", "[chess]") {
    CHECK(uci(promotion, "a7a8q") == "a8=Q");
    CHECK(uci(promotion, "a7b8N") == "axb8=N");
    CHECK(uci(promotion, "a7a8") == "illegal");
    CHECK(uci(promotion, "a7a8k") == "syntax");
    CHECK(uci(promotion, "a7a8p") == "syntax");
    CHECK(uci(start, "e2e4q") == "illegal");
    for (const char* text : {"", "e2", "e2e", "e2e9", "i2e4", "0000", "(none)", "e2e4qq", "E2E4",
                             "e2-e4", " e2e4", "e2e4 "}) {
        INFO(text);
        CHECK(uci(start, text) == "syntax");
    }
    CHECK(uci(start, "e2e5") == "illegal");
    CHECK(uci(start, "e7e5") == "illegal");
    CHECK(uci(start, "e4e5") == "illegal");
}

TEST_CASE("uci: en passant", "[chess]") {
    const Position at = position("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    CHECK(move(at, "e5d6").kind() == MoveKind::en_passant);
    CHECK(to_san(at, move(at, "e5d6")) == "exd6");
}

TEST_CASE("san: what people write", "[chess]") {
    for (const char* text : {"O-O", "0-0", "o-o", "O-O+", "0-0!?", "O-O#"}) {
        INFO(text);
        CHECK(san(castling, text) == "e1g1");
    }
    for (const char* text : {"O-O-O", "0-0-0", "o-o-o", "0-0-0+?!"}) {
        INFO(text);
        CHECK(san(castling, text) == "e1c1");
    }
    for (const char* text : {"a8=Q", "a8Q", "a8=q", "a8(Q)", "a8/Q", "a8=Q+", "a7a8=Q", "Pa8=Q"}) {
        INFO(text);
        CHECK(san(promotion, text) == "a7a8q");
    }
    for (const char* text :
         {"Nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "Nf3!!", "Nf3?", "Nf3+", "Nxf3"}) {
        INFO(text);
        CHECK(san(start, text) == "g1f3");
    }
    for (const char* text : {"e4", "e2e4", "e2-e4", "Pe4", "ee4"}) {
        INFO(text);
        CHECK(san(start, text) == "e2e4");
    }
    const std::string passing = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    for (const char* text : {"exd6", "exd6 e.p.", "exd6e.p.", "exd6ep", "exd6 e.p.!", "ed6", "ed",
                             "e5xd6", "e5:d6", "xd6"}) {
        INFO(text);
        const std::string expected = std::string{text} == "ed" ? "syntax" : "e5d6";
        CHECK(san(passing, text) == expected);
    }
}

TEST_CASE("san: disambiguation may be missing only where one move is meant", "[chess]") {
    // The knight on e2 is pinned.
    const std::string pinned = "4k3/4r3/8/8/8/8/4N3/2N1K3 w - - 0 1";
    CHECK(san(pinned, "Nd3") == "c1d3");
    CHECK(to_san(position(pinned), move(position(pinned), "c1d3")) == "Nd3");
    const std::string two = "4k3/8/8/8/8/8/8/RR2K3 w - - 0 1";
    CHECK(san(two, "Ra8") == "a1a8");
    const std::string rooks = "4k3/8/8/8/R7/8/8/R3K3 w - - 0 1";
    CHECK(san(rooks, "Ra2") == "ambiguous");
    CHECK(san(rooks, "R1a2") == "a1a2");
    CHECK(san(rooks, "R4a2") == "a4a2");
    CHECK(san(rooks, "R3a2") == "illegal");
    CHECK(san(promotion, "a8") == "ambiguous");
    CHECK(san(promotion, "axb8") == "ambiguous");
}

TEST_CASE("san: refused", "[chess]") {
    for (const char* text :
         {"",     "x",     "e",    "e9",     "i4",   "Nf",  "Kg1g", "N",     "O",
          "O-",   "O-O-",  "--",   "Z0",     "0000", "Xe4", "e4=",  "e4=P",  "Nf3=Q",
          "e8=K", "Nf3\n", "1.e4", "e4e4e4", "Nf33", "=Q",  "(Q)",  "a8(K)", "\xff\xfe"}) {
        INFO(text);
        CHECK(san(start, text) == "syntax");
    }
    for (const char* text : {"e5", "Nd4", "Bc4", "O-O", "O-O-O", "exd5", "e4=Q", "Ke2", "xd5"}) {
        INFO(text);
        CHECK(san(start, text) == "illegal");
    }
    CHECK(san(castling, "Kg1") == "illegal");
    CHECK(san(castling, "Kh1") == "illegal"); // castling is not a king's move to the rook
    CHECK(san(castling, "Ke1g1") == "illegal");
}

TEST_CASE("san: error messages name move and position", "[chess]") {
    const auto result = parse_san(Position::initial(), "Nd4");
    REQUIRE_FALSE(result);
    CHECK(result.error().message == "'Nd4' is illegal in '" + start + "'");
}

TEST_CASE("san: check and mate marks", "[chess]") {
    CHECK(uci("7k/8/6K1/8/8/8/8/R7 w - - 0 1", "a1a8") == "Ra8#");
    CHECK(uci("7k/8/8/6K1/8/8/8/R7 w - - 0 1", "a1a8") == "Ra8+");
    CHECK(uci("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1") == "O-O+");
}

TEST_CASE("line: UCI, SAN, numbers, blanks and commas", "[chess]") {
    const Position at = Position::initial();
    const auto expected = parse_line(at, "e2e4 c7c5 g1f3");
    REQUIRE(expected);
    REQUIRE(expected->size() == 3);
    for (const char* text :
         {"1. e4 c5 2. Nf3", "1.e4 c5 2.Nf3", "e4 c5 Nf3", "e2e4,c7c5,g1f3", "e2e4, c7c5, Nf3",
          "1. e4 1... c5 2. Nf3", "1.e4 1...c5 2.Nf3 *", "1 e4 c5 2 Nf3", "  e4\tc5\r\nNf3 ",
          "1. e4 c5 2. Nf3 1/2-1/2", "1. e4! c5 $2 2. Nf3 ?! 1-0", "1. e4 ... c5 2. Nf3"}) {
        INFO(text);
        const auto moves = parse_line(at, text);
        REQUIRE(moves);
        CHECK(*moves == *expected);
    }
    CHECK(parse_line(at, "")->empty());
    CHECK(parse_line(at, " \n")->empty());
    CHECK(parse_line(at, "*")->empty());
}

TEST_CASE("line: a castling with zeros is no result", "[chess]") {
    const Position at = position(castling);
    CHECK(parse_line(at, "0-0 0-0-0")->size() == 2);
    CHECK(parse_line(at, "1. 0-0 0-0-0 1-0")->size() == 2);
}

TEST_CASE("line: errors say which move", "[chess]") {
    const auto error = [](const std::string& text) {
        const auto result = parse_line(Position::initial(), text);
        REQUIRE_FALSE(result);
        return result.error();
    };
    CHECK(error("1. e4 e5 2. Nf4").index == 2);
    CHECK(error("1. e4 e5 2. Nf4").error.kind == MoveErrorKind::illegal);
    CHECK(error("e5").index == 0);
    CHECK(error("1. e4 hello").error.kind == MoveErrorKind::syntax);
    CHECK(error("1. e4 1-0 e5").index == 1);
    CHECK(error("! e4").index == 0);
    CHECK(error("1. e4 {comment} e5").index == 1);
}

TEST_CASE("line: written with numbers", "[chess]") {
    const Position at = Position::initial();
    CHECK(to_san_line(at, *parse_line(at, "e2e4 c7c5 g1f3")) == "1. e4 c5 2. Nf3");
    CHECK(to_san_line(at, {}) == "");
    const Position black = position("4k3/8/8/8/8/8/8/R3K3 b - - 0 17");
    const auto moves = parse_line(black, "Ke7 Ra7+ Kf6");
    REQUIRE(moves);
    CHECK(to_san_line(black, *moves) == "17... Ke7 18. Ra7+ Kf6");
}

TEST_CASE("line: round trip over random games", "[chess]") {
    Random random{16};
    for (int game = 0; game < 20; ++game) {
        const Position start = random_position(random, 10);
        Position at = start;
        std::vector<Move> played;
        std::string ucis;
        for (int ply = 0; ply < 60; ++ply) {
            const MoveList moves = at.legal_moves();
            if (moves.empty()) {
                break;
            }
            const Move chosen = moves[random() % moves.size()];
            ucis += to_uci(at, chosen) + ",";
            played.push_back(chosen);
            at.play(chosen);
        }
        const std::string text = to_san_line(start, played);
        INFO(text);
        REQUIRE(*parse_line(start, text) == played);
        REQUIRE(*parse_line(start, ucis) == played);
    }
}

TEST_CASE("verdicts: SAN to move", "[chess]") {
    int checked = 0;
    for (const json& item : cases("pythonchess_san.jsonl")) {
        const auto at = Position::from_fen(item.at("fen").get<std::string>());
        const std::string text = item.at("text");
        if (!at || text == "--") {
            continue;
        }
        const auto result = parse_san(*at, text);
        INFO(item.dump());
        REQUIRE(result.has_value() == item.at("ok").get<bool>());
        if (result) {
            CHECK(*result == move(*at, item.at("uci")));
        } else {
            const std::string error = item.at("error");
            const auto kind = error == "AmbiguousMoveError" ? MoveErrorKind::ambiguous
                              : error == "IllegalMoveError" ? MoveErrorKind::illegal
                                                            : MoveErrorKind::syntax;
            CHECK(result.error().kind == kind);
        }
        ++checked;
    }
    CHECK(checked >= 90);
}

TEST_CASE("verdicts: move to SAN", "[chess]") {
    int checked = 0;
    for (const json& item : cases("pythonchess_tosan.jsonl")) {
        const auto at = Position::from_fen(item.at("fen").get<std::string>());
        const std::string uci = item.at("uci");
        if (!at || uci == "0000") {
            continue;
        }
        INFO(item.dump());
        const Move played = move(*at, uci);
        const std::string san = item.at("san");
        CHECK(to_san(*at, played) == san);
        CHECK(parse_san(*at, san) == played);
        ++checked;
    }
    CHECK(checked >= 90);
}
