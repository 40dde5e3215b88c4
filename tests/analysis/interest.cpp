#include "analysis/interest.hpp"

#include "facts.hpp"

#include <catch2/catch.hpp>

using namespace adjourn;
using analysis::Interest;

namespace {

analysis::MoveLook look(const char* fen, const char* san) {
    const chess::Position position = facts::position(fen);
    return Interest{position}.look(facts::move(position, san));
}

double base(const char* fen) {
    const chess::Position position = facts::position(fen);
    return Interest{position}.base();
}

double of(const char* fen, const char* san, analysis::MoveStanding standing = {},
          analysis::Occasion occasion = {}) {
    return Interest::of(base(fen), look(fen, san), standing, occasion);
}

// What a move gains by what it does.
double gain(const char* fen, const char* san) {
    return look(fen, san).points;
}

constexpr const char* start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

} // namespace

TEST_CASE("interest: the base is shared by the legal moves, and twice that in check") {
    CHECK(of(start, "e4") == 50);                             // 20 of them
    CHECK(of("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Kd1") == 200); // 5
    // Three replies to a check: 2 · 1000 / 3.
    CHECK(of("4k3/8/8/8/8/8/8/r3K3 w - - 0 1", "Kd2") == Approx(2000.0 / 3));
    // The only move, which takes the checking piece, undefended.
    CHECK(of("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", "Kxe2") == 2000 + 50 + 50 + 50);
    // One's own last move gave check; plies beyond the level's depth.
    CHECK(Interest::of_unknown(50, {}) == 50);
    CHECK(Interest::of_unknown(50, {true, 0}) == 100);
    CHECK(Interest::of_unknown(50, {false, 2}) == Approx(50 * 0.81));
    CHECK(Interest::of_unknown(50, {false, 100}) == 5);
    CHECK(of(start, "e4", {true}, {true, 1}) == Approx((50 + 50 + 100) * 0.9));
}

TEST_CASE("interest: what is known of a move") {
    CHECK(of(start, "e4", {true}) == 150);
    CHECK(of(start, "e4", {true, true}) == 200);
    CHECK(of(start, "e4", {true, true, true}) == 250);
    CHECK(of(start, "e4", {true, true, true, true}) == 300);
    CHECK(of(start, "e4", {false, false, false, false, true}) == 100);
    CHECK(of(start, "e4", {false, false, false, false, true, true}) == 150);
    constexpr const char* fen = "4k3/P7/8/3p4/4P3/8/8/4K3 w - - 0 1";
    CHECK(look(fen, "e5").takes_nothing);
    CHECK_FALSE(look(fen, "exd5").takes_nothing);
    CHECK_FALSE(look(fen, "a8=Q+").takes_nothing);
}

TEST_CASE("interest: what a move does on the board") {
    // An undefended pawn, 50 + 50, that threatens the undefended taker, 50.
    CHECK(gain("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5") == Approx(150));
    // The queen takes a defended pawn, 50, and then attacks the one on e6, 50.
    CHECK(gain("4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1", "Qxd5") == Approx(100));
    CHECK(gain("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "Ra8+") == Approx(100));
    CHECK(gain("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q+") == Approx(200));
    CHECK(gain("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=N") == Approx(100));
    // A knight attacks a rook, or moves away from a pawn that attacks it.
    CHECK(gain("4k3/8/r7/8/8/8/8/1N2K3 w - - 0 1", "Na3") == Approx(0));
    CHECK(gain("4k3/8/3r4/8/8/8/8/1N2K3 w - - 0 1", "Nc3") == Approx(0));
    CHECK(gain("4k3/8/8/3r4/8/8/8/1N2K3 w - - 0 1", "Nc3") == Approx(50));
    CHECK(gain("4k3/8/8/8/8/2p5/8/1N2K3 w - - 0 1", "Nd2") == Approx(0));
    CHECK(gain("4k3/8/8/8/2p5/1N6/8/4K3 w - - 0 1", "Nc1") == Approx(50));
    CHECK(gain("4k3/8/8/8/2p5/1N6/8/4K3 w - - 0 1", "Kd1") == Approx(0));
}

TEST_CASE("interest: pins") {
    // A knight that the king defends, to the king; a knight to a queen.
    CHECK(gain("4k3/3n4/8/8/8/8/8/4KB2 w - - 0 1", "Bb5") == Approx(50));
    CHECK(gain("3qk3/8/5n2/8/8/8/8/2B1K3 w - - 0 1", "Bg5") == Approx(50));
    // Nothing behind it; something of less worth behind it; one's own piece between; no slider.
    CHECK(gain("5k2/3n4/8/8/8/8/8/4KB2 w - - 0 1", "Bb5") == Approx(50));   // attacks, undefended
    CHECK(gain("4k3/3n4/4p3/8/8/8/8/4KB2 w - - 0 1", "Bc4") == Approx(50)); // e6 only
    CHECK(gain("4k3/3n4/2P5/8/8/8/8/4KB2 w - - 0 1", "Bb5") == Approx(0));
    CHECK(gain("4k3/3n4/8/8/8/8/8/4KR2 w - - 0 1", "Rf5") == Approx(0));
}

TEST_CASE("interest: moves like those tried before lose") {
    const analysis::MoveLook e4 = look(start, "e4");
    CHECK(look(start, "e3").after(e4) == Approx(0.7 * 0.9)); // same square, both quiet
    CHECK(look(start, "d4").after(e4) == Approx(0.9 * 0.9)); // another pawn
    CHECK(look(start, "Nf3").after(e4) == Approx(0.9));      // both quiet
    CHECK(look(start, "Nf3").after(look(start, "Nc3")) == Approx(0.9 * 0.9));
    constexpr const char* fen = "4k3/P7/8/3p4/4P3/8/8/4K3 w - - 0 1";
    CHECK(look(fen, "exd5").after(look(fen, "a8=Q+")) == Approx(0.9)); // pawns
    CHECK(look(fen, "exd5").after(look(fen, "Kd1")) == 1);
}

TEST_CASE("interest: is the same seen from the other side") {
    const char* white = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    const char* black = "rnbqk2r/pppp1ppp/5n2/2b1p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R b KQkq - 4 4";
    CHECK(of(white, "Ng5") == of(black, "Ng4"));
    CHECK(of(white, "Bxf7+") == of(black, "Bxf2+"));
    CHECK(of(white, "d3") == of(black, "d6"));
    CHECK(of(white, "O-O") == of(black, "O-O"));
}
