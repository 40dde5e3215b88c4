// Polyglot books: the bytes, and published files both ways.
#include "support.hpp"

#include "chess/notation.hpp"
#include "chess/polyglot.hpp"
#include "polyglot_reader.hpp"
#include "shared_data.hpp"
#include "test.hpp"

using namespace adjourn::chess;
using namespace adjourn::chess::testing;

TEST_CASE("polyglot book: the bytes of an entry", "[chess]") {
    const Position start = Position::initial();
    const BookEntry entry{polyglot_key(start), book_move(move(start, "e2e4")), 258, 0};
    const std::string bytes = write_book({entry});
    REQUIRE(bytes.size() == 16);
    // 0x463b96181691fc9c; e4 = file 4, rank 3; e2 = file 4, rank 1.
    CHECK(bytes ==
          std::string("\x46\x3b\x96\x18\x16\x91\xfc\x9c\x03\x1c\x01\x02\x00\x00\x00\x00", 16));
    CHECK(read_book(bytes) == std::vector{entry});
    CHECK(move_of_book(start, entry.move) == move(start, "e2e4"));
}

TEST_CASE("polyglot book: castling and promotion", "[chess]") {
    const Position at = position("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for (const Move legal : at.legal_moves()) {
        INFO(to_uci(at, legal));
        CHECK(move_of_book(at, book_move(legal)) == legal);
    }
    // e1h1 is the format's own castling; some books say e1g1.
    const std::uint16_t e1h1 = 7 | 4 << 6;
    const std::uint16_t e1g1 = 6 | 4 << 6;
    CHECK(move_of_book(at, e1h1) == move(at, "e1g1"));
    CHECK(move_of_book(at, e1g1) == move(at, "e1g1"));
    CHECK_FALSE(move_of_book(at, 0));
    CHECK_FALSE(move_of_book(at, 0xffff));
    const Position chess960 = position("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w "
                                       "HFhf - 2 9");
    for (const Move legal : chess960.legal_moves()) {
        INFO(to_uci(chess960, legal));
        CHECK(move_of_book(chess960, book_move(legal)) == legal);
    }
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

TEST_CASE("polyglot book: published books are read, and written again", "[chess]") {
    const Position start = Position::initial();
    std::size_t books = 0;
    for (const char* name : {"Perfect2017", "cutechess_book_small", "gnuchess_book_head",
                             "lasker-trap", "performance", "scid_gm2600"}) {
        const auto bytes = shared_file("polyglot/" + std::string{name} + ".bin");
        if (!bytes) {
            continue;
        }
        INFO(name);
        ++books;
        const auto entries = read_book(*bytes);
        REQUIRE(entries);
        CHECK(entries->size() == bytes->size() / 16);
        std::size_t at_start = 0;
        for (const BookEntry& entry : *entries) {
            if (entry.key == polyglot_key(start)) {
                ++at_start;
                CHECK(move_of_book(start, entry.move));
            }
        }
        // A head or a trap may begin elsewhere.
        const bool whole =
            std::string{name} != "gnuchess_book_head" && std::string{name} != "lasker-trap";
        CHECK((!whole || at_start > 0));
        const std::string again = write_book(*entries);
        CHECK(read_book(again));
        CHECK(write_book(*read_book(again)) == again);
    }
    CHECK(books >= (adjourn::has_all_data() ? 6 : 1));
}
