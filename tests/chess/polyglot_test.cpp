// Polyglot's keys, against published ones, and books.
#include "support.hpp"

#include "chess/polyglot.hpp"
#include "polyglot_reader.hpp"
#include "test.hpp"

#include <nlohmann/json.hpp>

using namespace adjourn::chess;
using namespace adjourn::chess::testing;

TEST_CASE("polyglot: the format's own test line", "[chess]") {
    Position at = Position::initial();
    const std::vector<std::pair<std::string, std::uint64_t>> line{
        {"e2e4", 0x823c9b50fd114196}, {"d7d5", 0x0756b94461c50fb0}, {"e4e5", 0x662fafb965db29d4},
        {"f7f5", 0x22a48b5a8e47ff78}, {"e1e2", 0x652a607ca3f242c1}, {"e8f7", 0x00fdd303c946bdd9}};
    for (const auto& [uci, key] : line) {
        at.play(move(at, uci));
        INFO(uci);
        CHECK(polyglot_key(at) == key);
    }
}

TEST_CASE("polyglot: an en-passant capture that is illegal counts all the same", "[chess]") {
    const Position skewered = position("8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1");
    const Position none = position("8/8/8/r2Pp2K/8/8/4k3/8 w - - 0 1");
    CHECK(skewered.hash() == none.hash());
    CHECK(polyglot_key(skewered) != polyglot_key(none));
    Position played = position("8/4p3/8/r2P3K/8/8/4k3/8 b - - 0 1");
    played.play(move(played, "e7e5"));
    CHECK(polyglot_key(played) == polyglot_key(skewered));
    played.play(move(played, "h5g5"));
    CHECK_FALSE(played.double_push());
}

TEST_CASE("polyglot: published keys", "[chess]") {
    const auto text = shared_file("polyglot/pythonchess_keys.jsonl");
    REQUIRE(text);
    int checked = 0;
    for (const std::string& line : lines_of(*text)) {
        const auto json = nlohmann::json::parse(line);
        const auto at = json.at("op") == "zobrist"
                            ? Position::from_fen(json.at("fen").get<std::string>())
                            : std::unexpected(FenError{});
        if (at) {
            INFO(line);
            CHECK(polyglot_key(*at) == std::stoull(json.at("key").get<std::string>(), nullptr, 16));
            ++checked;
        }
    }
    CHECK(checked > 10);
}

TEST_CASE("polyglot book: moves, castling as king takes rook and promotions, too", "[chess]") {
    for (const char* fen : {"r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1",
                            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"}) {
        const Position at = position(fen);
        for (const Move legal : at.legal_moves()) {
            INFO(to_uci(at, legal));
            CHECK(move_of_book(at, book_move(legal)) == legal);
        }
    }
    const Position at = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    CHECK(book_move(move(at, "e1g1")) == (7 | 4 << 6));
}

TEST_CASE("polyglot book: the bytes of an entry", "[chess]") {
    const Position start = Position::initial();
    const std::string bytes =
        write_book({{polyglot_key(start), book_move(move(start, "e2e4")), 258, 0}});
    // 0x463b96181691fc9c; e4 = file 4, rank 3; e2 = file 4, rank 1.
    CHECK(bytes ==
          std::string("\x46\x3b\x96\x18\x16\x91\xfc\x9c\x03\x1c\x01\x02\x00\x00\x00\x00", 16));
}

TEST_CASE("polyglot book: sorted by key, then weight; the heaviest of doubles stays", "[chess]") {
    const std::vector<BookEntry> sorted{
        {1, 9, 30, 0}, {1, 8, 20, 0}, {1, 7, 20, 1}, {~0ULL, 1, 1, 2}};
    const std::string bytes =
        write_book({{~0ULL, 1, 1, 2}, {1, 8, 20, 0}, {1, 9, 30, 0}, {1, 8, 5, 0}, {1, 7, 20, 1}});
    const auto entries = read_book(bytes);
    REQUIRE(entries);
    REQUIRE(entries->size() == 4);
    CHECK((*entries)[0] == sorted[0]);
    CHECK((*entries)[3] == sorted[3]);
    CHECK((*entries)[1].weight == 20);
}
