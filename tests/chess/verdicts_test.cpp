// Cases from the test suites of other projects, with their verdicts. Where ours differs on purpose,
// the case is listed with the reason.
#include "support.hpp"
#include "test.hpp"

#include <nlohmann/json.hpp>

using namespace adjourn::chess;
using namespace adjourn::chess::testing;
using nlohmann::json;

namespace {

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

struct Difference {
    std::string fen;
    std::string field; // that our refusal names
};

// Read without judgement elsewhere (python-chess leaves that to status(), chess.js was told to skip
// validation or validates less); refused here.
const std::vector<Difference> stricter{
    // no king, or too many
    {"1nbqkbn1/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/1NBQ1BN1 b - - 1 2", "placement"},
    {"1r6/8/8/pP6/8/8/8/1K6 w - a6 0 1", "placement"},
    {"8/8/8/8/8/8/8/8 w - - 0 1", "placement"},
    {"8/8/8/8/8/8/8/r7 w - - 0 1", "placement"},
    {"8/8/8/8/8/8/K7/8 w - - 0 1", "placement"},
    {"8/8/8/pP6/8/8/8/8 w - a6 0 1", "placement"},
    {"KKKK1kkk/8/8/8/8/8/8/8 w - - 0 1", "placement"},
    {"r3k2r/8/8/8/8/8/8/R3N2R w kq - 0 1", "placement"},
    {"r3k2r/8/8/8/8/8/8/R6R w kq - 0 1", "placement"},
    {"r3n2r/8/8/8/8/8/8/R3K2R b KQ - 0 1", "placement"},
    {"r6r/8/8/8/8/8/8/R3K2R b KQ - 0 1", "placement"},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKKBNR w KQkq - 0 1", "placement"},
    // more pieces than there are, or than the missing pawns allow
    {"3q1rk1/ppp1p1pp/4b3/3pPp2/3P4/1K1n4/PPQ2PPP/3b1BNR w - f6 0 1", "placement"},
    {"5k2/8/3N1N2/2NBQQN1/3R1R2/2NPRPN1/3N1N2/4K3 w - - 0 1", "placement"},
    {"rnbqkbnr/pppp1npp/8/4ppP1/8/8/PPPPPP1P/RNBQKBNR w KQkq - 0 3", "placement"},
    {"rnbqkbnr/pppp2pp/5N2/4ppP1/8/8/PPPPPP1P/RNBQKBNR w KQkq - 0 3", "placement"},
    {"rnbqkbnr/pppppp1p/8/8/3PPPp1/5n2/PPP3PP/RNBQKBNR b KQkq - 0 3", "placement"},
    {"rnbqkbnr/pppppp1p/8/8/3PPPp1/8/PPP2NPP/RNBQKBNR b KQkq - 0 3", "placement"},
    // the side not to move is in check
    {"4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1", "turn"},
    {"8/7k/8/8/3BB3/8/8/1K6 w - - 0 1", "turn"},
    {"rnbqkbnr/p1pppppp/8/8/1bPPP3/8/PP3PPP/RNBQKBNR b KQkq - 0 3", "turn"},
    {"rnbqkbnr/pp2pppp/8/1Bpp4/8/8/P1PPPPPP/RNBQKBNR w KQkq - 0 3", "turn"},
    // castling rights without king and rook
    {"1r2k3/8/1p6/8/8/5P2/8/1R2KR2 w KQkq - 0 1", "castling"},
    {"1r2k3/8/8/8/8/8/8/R3KR2 w KQkq - 0 1", "castling"},
    {"2rrk3/8/8/8/8/8/3PPPPP/2RK4 w cd - 0 1", "castling"},
    {"4k1n1/pppppppp/8/8/8/8/PPPPPPPP/4K3 w KQkq - 0 1", "castling"},
    {"4k1n1/pppppppp/8/8/8/8/PPPPPPPP/4K3 w KQkq e3 0 1", "castling"},
    {"4k2r/8/8/8/8/8/8/R1K5 w KQkq - 0 1", "castling"},
    {"kb4r1/p2n3P/1PP5/1P6/8/8/6p1/R3KR2 b KQkq - 0 19", "castling"},
    // en passant where no double push can have been
    {"1b1b4/8/b1P5/2kP4/8/2b4K/8/8 w - c6 0 1", "en_passant"},
    {"5K2/8/2pp2Pp/2PP4/P5Pp/2pP1Ppp/P6p/7k b - g3 0 1", "en_passant"},
    {"8/7k/8/7p/8/8/8/K7 w - h6 0 1", "en_passant"},
    // checks that no move gives
    {"2Nq4/2K5/1b6/8/7R/3k4/7P/8 w - - 0 1", "position"},
    {"3R4/8/q4k2/2B5/1NK5/3b4/8/8 w - - 0 1", "position"},
    {"4k3/5P2/3N4/8/8/8/4R3/4K3 b - - 0 1", "position"},
    {"5R2/2P5/8/4k3/8/3rK2r/8/8 w - - 0 1", "position"},
    {"8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1", "position"},
    {"8/8/N7/2k5/N7/8/8/3K4 b - - 0 1", "position"},
    {"rnbqk1nr/bb3p1p/1q2r3/2pPp3/3P4/7P/1PP1NpPP/R1BQKBNR w KQkq c6", "position"},
    // two fields
    {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b", "position"},
};

// Refused by chess.js; here the move number may be missing, and 0 is read as 1.
const std::vector<std::string> milder{
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 ",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0",
};

std::string expected_refusal(const std::string& fen) {
    const auto found = std::find_if(stricter.begin(), stricter.end(),
                                    [&](const Difference& item) { return item.fen == fen; });
    return found == stricter.end() ? "none" : found->field;
}

} // namespace

TEST_CASE("verdicts: FENs that other programs accept or refuse", "[chess]") {
    for (const char* file :
         {"chessjs_load.jsonl", "chessjs_validatefen.jsonl", "pythonchess_setfen.jsonl"}) {
        for (const json& item : cases(file)) {
            const std::string fen = item.contains("fen") ? item.at("fen") : item.at("text");
            const bool theirs = item.at("ok");
            const auto result = Position::from_fen(fen);
            INFO(item.dump());
            if (result) {
                CHECK((theirs || std::find(milder.begin(), milder.end(), fen) != milder.end()));
            } else if (theirs) {
                INFO(result.error().message);
                CHECK(result.error().field == expected_refusal(fen));
            }
        }
    }
}

TEST_CASE("verdicts: legality of positions as python-chess sees it", "[chess]") {
    for (const json& item : cases("pythonchess_status.jsonl")) {
        const std::vector<std::string> status = item.at("status");
        if (status == std::vector<std::string>{"BAD_CASTLING_RIGHTS"}) {
            continue; // the FEN here was written with the bad rights left out already
        }
        const auto result = Position::from_fen(item.at("fen").get<std::string>());
        INFO(item.dump());
        CHECK(result.has_value() == (status.front() == "VALID"));
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

TEST_CASE("verdicts: chess.js moves", "[chess]") {
    int checked = 0;
    for (const json& item : cases("chessjs_moves.jsonl")) {
        const auto at = Position::from_fen(item.at("fen").get<std::string>());
        const json& input = item.at("input");
        const bool strict = item.contains("opts") && item.at("opts").value("strict", false);
        if (!at || strict || !input.is_string() || input == "--") {
            continue;
        }
        // One move, SAN or UCI: what parse_line takes.
        const auto result = parse_line(*at, input.get<std::string>());
        INFO(item.dump());
        REQUIRE(result.has_value() == item.at("ok").get<bool>());
        if (result) {
            REQUIRE(result->size() == 1);
            const Move played = result->front();
            CHECK(to_san(*at, played) == item.at("san").get<std::string>());
            CHECK(to_uci(*at, played) == item.at("lan").get<std::string>());
            CHECK(at->after(played) == position(item.at("after")));
        }
        ++checked;
    }
    CHECK(checked >= 90);
}

TEST_CASE("verdicts: chess-library's SAN cases", "[chess]") {
    int checked = 0;
    for (const json& item : cases("chesslibrary_cases.jsonl")) {
        const std::string name = item.at("case");
        if (!name.starts_with("tests/san.cpp") || item.at("fens").size() != 1) {
            continue;
        }
        const auto at = Position::from_fen(item.at("fens").at(0).get<std::string>());
        if (!at) {
            continue;
        }
        for (const json& step : item.at("moves")) {
            const std::string san = step.at(1);
            const auto result = parse_san(*at, san);
            INFO(item.dump());
            CHECK(result.has_value() == !item.at("negative_case").get<bool>());
            if (result && step.at(0) == "moveToSan") {
                CHECK(to_san(*at, *result) == san);
            }
            ++checked;
        }
    }
    CHECK(checked >= 90);
}

TEST_CASE("verdicts: chess-library's FENs make a round trip", "[chess]") {
    for (const json& item : cases("chesslibrary_cases.jsonl")) {
        for (const json& fen : item.at("fens")) {
            INFO(item.dump());
            if (fen.get<std::string>().find(';') != std::string::npos) {
                continue; // EPD
            }
            const auto at = Position::from_fen(fen.get<std::string>());
            if (at) {
                CHECK(Position::unpack(at->packed()) == *at);
            } else {
                CHECK(at.error().field == expected_refusal(fen.get<std::string>()));
            }
        }
    }
}

TEST_CASE("verdicts: chess-library's cases of insufficient material", "[chess]") {
    int checked = 0;
    for (const json& item : cases("chesslibrary_cases.jsonl")) {
        for (const json& assertion : item.at("assertions")) {
            const std::string text = assertion;
            const auto at = Position::from_fen(item.at("fens").at(0).get<std::string>());
            if (text.starts_with("board.isInsufficientMaterial()") && at) {
                INFO(item.dump());
                CHECK((at->terminal() == Terminal::dead) == !text.ends_with("false"));
                ++checked;
            }
        }
    }
    CHECK(checked > 5);
}
