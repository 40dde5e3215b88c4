#include "support.hpp"

#include "search/board_sight.hpp"

#include "chess/notation.hpp"
#include "test.hpp"

using namespace adjourn::search;
using namespace adjourn::search::testing;

namespace {

chess::Move move_in(const chess::Position& here, const std::string& uci) {
    const auto move = chess::parse_uci(here, uci);
    REQUIRE(move);
    return *move;
}

int gain(const std::string& fen, const std::string& uci) {
    const chess::Position here = position(fen);
    return exchange(here, move_in(here, uci));
}

// The same by its definition: who moves takes with the least piece, or stops.
int taken_back(const chess::detail::Board& board, chess::Color side, int square, Bitboard occupied,
               int on_square) {
    const Bitboard attackers =
        all_attackers(board, square, occupied) & occupied & ~chess::detail::bit(square);
    const Bitboard own = attackers & board.of(side);
    for (int role = 0; role < 6; ++role) {
        const Bitboard set = own & board.of(static_cast<chess::Role>(role));
        if (set == 0) {
            continue;
        }
        if (role == 5 && (attackers & board.of(!side)) != 0) {
            return 0;
        }
        const Bitboard rest = occupied & ~chess::detail::bit(chess::detail::lowest(set));
        return std::max(0, on_square - taken_back(board, !side, square, rest,
                                                  exchange_values[static_cast<std::size_t>(role)]));
    }
    return 0;
}

} // namespace

TEST_CASE("exchange: what it gains", "[search]") {
    CHECK(gain("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5") == 100);
    CHECK(gain("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5") == -220);
    CHECK(gain("4k3/8/2p5/8/8/8/3Q4/4K3 w - - 0 1", "d2d5") == -950); // a quiet move
    CHECK(gain("4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1", "d2d5") == 0);
    CHECK(gain("8/P7/8/8/8/8/8/k6K w - - 0 1", "a7a8q") == 850);
    CHECK(gain("r7/1P6/8/8/8/8/8/k6K w - - 0 1", "b7a8q") == 1350);
    CHECK(gain("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6") == 100);
    CHECK(gain("4k3/4p3/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6") == 0);
    CHECK(gain("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1") == 0);
    // The king takes only what nobody guards.
    CHECK(gain("8/8/8/3k4/4p3/8/4R3/4R2K w - - 0 1", "e2e4") == 100);
    CHECK(gain("8/8/8/3k4/4p3/8/4R3/7K w - - 0 1", "e2e4") == -400);
}

TEST_CASE("exchange: it is the game of taking on one square", "[search]") {
    for_random_positions(20, 60, 9, [](const chess::Position& here) {
        const chess::detail::Board& board = here.board();
        for (const chess::Move move : here.legal_moves()) {
            if (move.kind() != chess::MoveKind::normal) {
                continue;
            }
            const bool takes = here.is_capture(move);
            const int victim = takes ? exchange_value(role_on(board, move.to())) : 0;
            const int back =
                taken_back(board, !here.turn(), move.to().index(),
                           (board.occupied() & ~bit_of(move.from())) | bit_of(move.to()),
                           exchange_value(role_on(board, move.from())));
            CAPTURE(here.fen(), chess::to_uci(here, move));
            CHECK(exchange(here, move) == victim - back);
        }
    });
}

TEST_CASE("board sight: it knows the moves that give check", "[search]") {
    int checks = 0;
    for_random_positions(30, 80, 10, [&](const chess::Position& here) {
        const CheckSight sight{here};
        for (const chess::Move move : here.legal_moves()) {
            CAPTURE(here.fen(), chess::to_uci(here, move));
            CHECK(sight.gives_check(move) == here.gives_check(move));
            checks += here.gives_check(move) ? 1 : 0;
        }
    });
    CHECK(checks > 200);
}
