// What clouds say is read as they describe it; what cannot be believed is refused as a whole.
#include "api/cloud/clouds.hpp"
#include "fake_clouds.hpp"
#include "test.hpp"

using namespace adjourn;
using namespace adjourn::server;

namespace {

const chess::Position& at_start() {
    static const chess::Position initial = chess::Position::initial();
    return initial;
}

std::string refusal_of(std::string_view source, const std::string& text, int status = 200,
                       const chess::Position& position = at_start()) {
    const auto read = read_cloud_answer(source, position, status, text);
    return read ? "" : read.error();
}

std::string chessdb_move(const std::string& fields) {
    return R"({"status":"ok","moves":[{)" + fields + "}]}";
}

chess::Score chessdb_says(int score) {
    const auto read =
        read_cloud_answer("chessdb", at_start(), 200,
                          chessdb_move(R"("uci":"e2e4","score":)" + std::to_string(score)));
    REQUIRE(read);
    return read->at(0).score;
}

std::string lichess_line(const std::string& fields, const std::string& fen = at_start().fen()) {
    return R"({"fen":")" + fen + R"(","knodes":1,"depth":30,"pvs":[{)" + fields + "}]}";
}

} // namespace

TEST_CASE("cloud: chessdb's moves with scores of the side to move, and ranks") {
    const auto black = at_start().after(*chess::parse_uci(at_start(), "e2e4"));
    for (const chess::Position& position : {at_start(), black}) {
        const auto read =
            read_cloud_answer("chessdb", position, 200, FakeClouds::chessdb(position));
        REQUIRE(read);
        REQUIRE(read->size() == 20);
        CHECK(read->at(0).score == chess::Score::cp(FakeClouds::chessdb_cp(0)));
        CHECK(read->at(0).rank == 2);
        CHECK(read->at(19).score == chess::Score::cp(FakeClouds::chessdb_cp(19)));
        CHECK(read->at(19).rank == 0);
        CHECK_FALSE(read->at(0).depth);
    }
    CHECK(chessdb_says(29'999) == chess::Score::mate_in(1));
    CHECK(chessdb_says(-29'998) == chess::Score::mated_in(2));
    CHECK(chessdb_says(24'988) == chess::Score::tablebase(chess::Wdl::win, 12));
    CHECK(chessdb_says(-24'988) == chess::Score::tablebase(chess::Wdl::loss, 12));
    CHECK(chessdb_says(19'900).wdl() == chess::Wdl::cursed_win);
}

TEST_CASE("cloud: lichess' lines with scores of White turned to the side to move, and depth") {
    const auto black = at_start().after(*chess::parse_uci(at_start(), "e2e4"));
    for (const chess::Position& position : {at_start(), black}) {
        const auto read =
            read_cloud_answer("lichess", position, 200, FakeClouds::lichess(position, 5));
        REQUIRE(read);
        REQUIRE(read->size() == 5);
        CHECK(read->at(0).score == chess::Score::cp(FakeClouds::lichess_cp(0)));
        CHECK(read->at(0).depth == 48);
        CHECK_FALSE(read->at(0).rank);
    }
    const auto mate = read_cloud_answer(
        "lichess", black, 200, lichess_line(R"("moves":"e7e5 g1f3","mate":-3)", black.fen()));
    REQUIRE(mate);
    CHECK(mate->at(0).score == chess::Score::mate_in(5)); // Black's
    // The description's example has the pieces alone.
    CHECK(refusal_of("lichess", lichess_line(R"("moves":"e2e4","cp":3)",
                                             "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")) == "");
    const auto castling = *chess::Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    const auto castled = read_cloud_answer(
        "lichess", castling, 200, lichess_line(R"("moves":"e1h1","cp":300)", castling.fen()));
    REQUIRE(castled);
    CHECK(chess::to_uci(castling, castled->at(0).move) == "e1g1");
}

TEST_CASE("cloud: a position that they do not know, and moves that one does not") {
    const auto unknown = [](std::string_view source, int status, const std::string& text) {
        const auto read = read_cloud_answer(source, at_start(), status, text);
        return read && read->empty();
    };
    CHECK(unknown("chessdb", 200, R"({"status":"unknown"})"));
    CHECK(unknown("lichess", 404, R"({"error":"No cloud evaluation available"})"));
    CHECK(unknown("chessdb", 200, chessdb_move(R"("uci":"e2e4","score":"??","rank":0)")));
}

TEST_CASE("cloud: what cannot be believed is refused, with a sentence") {
    const std::string e2e4 = R"("uci":"e2e4","score":)";
    const std::pair<const char*, std::string> chessdb[] = {
        {"is empty", ""},
        {"is not JSON", "<!DOCTYPE html><html><body>Bad gateway</body></html>"},
        {"is no object", "[]"},
        {"status is missing", "{}"},
        {"it says 'rate limit exceeded'", R"({"status":"rate limit exceeded"})"},
        {"it says 'invalid board'", R"({"status":"invalid board"})"},
        {"moves is missing", R"({"status":"ok"})"},
        {"moves must be an array", R"({"status":"ok","moves":7})"},
        {"a legal move", chessdb_move(R"("uci":"e2e5","score":3)")},
        {"a legal move", chessdb_move(R"("uci":"e7e5","score":3)")}, // of another position
        {"uci is missing", chessdb_move(R"("score":3)")},
        {"score is missing", chessdb_move(R"("uci":"e2e4")")},
        {"score must be", chessdb_move(e2e4 + "30000")},
        {"and a score are wanted", chessdb_move(e2e4 + "27000")},
        {"rank must be", chessdb_move(e2e4 + R"(3,"rank":3)")},
        {"names a move twice", R"({"status":"ok","moves":[{"uci":"e2e4","score":3},
                                  {"uci":"e2e4","score":4}]})"},
        {"\"score\" twice", chessdb_move(e2e4 + R"(3,"score":4)")},
    };
    for (const auto& [why, text] : chessdb) {
        CAPTURE(text);
        CHECK_THAT(refusal_of("chessdb", text), Catch::Contains(why));
    }
    const std::pair<const char*, std::string> lichess[] = {
        {"is not JSON", "<html>"},
        {"fen is missing", R"({"error":"internal"})"},
        {"another position",
         lichess_line(R"("moves":"e2e4","cp":3)",
                      "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")},
        {"another position",
         lichess_line(R"("moves":"e2e4","cp":3)",
                      "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1")},
        {"depth must be",
         R"({"fen":")" + at_start().fen() + R"(","depth":0,"pvs":[{"moves":"e2e4","cp":3}]})"},
        {"pvs is empty", R"({"fen":")" + at_start().fen() + R"(","depth":9,"pvs":[]})"},
        {"a legal line", lichess_line(R"("moves":"e2e5","cp":3)")},
        {"a legal line", lichess_line(R"("moves":"e2e4 e2e4","cp":3)")},
        {"a legal line", lichess_line(R"("moves":"","cp":3)")},
        {"cp or mate", lichess_line(R"("moves":"e2e4")")},
        {"cp or mate", lichess_line(R"("moves":"e2e4","cp":3,"mate":4)")},
        {"cp or mate", lichess_line(R"("moves":"e2e4","mate":0)")},
        {"cp must be", lichess_line(R"("moves":"e2e4","cp":99999999)")},
        {"mate must be", lichess_line(R"("moves":"e2e4","mate":-5000)")},
    };
    for (const auto& [why, text] : lichess) {
        CAPTURE(text);
        CHECK_THAT(refusal_of("lichess", text), Catch::Contains(why));
    }
    CHECK(refusal_of("lichess", FakeClouds::lichess(at_start(), 1), 429) == "it answers 429");
    CHECK(refusal_of("chessdb", FakeClouds::chessdb(at_start()), 503) == "it answers 503");
    CHECK(refusal_of("chessdb", R"({"error":"x"})", 404) == "it answers 404");
    CHECK_THAT(refusal_of("lichess", "<html>", 404), Catch::Contains("is not JSON"));
    CHECK_THAT(refusal_of("lichess", "{}", 404), Catch::Contains("error is missing"));
}
