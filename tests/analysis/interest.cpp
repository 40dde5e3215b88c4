#include "analysis/interest.hpp"

#include "facts.hpp"

#include <catch2/catch.hpp>

using namespace adjourn;
using analysis::Interest;

namespace {

double of(const char* fen, const char* san, analysis::MoveStanding standing = {},
          std::vector<const char*> tried = {}) {
    const chess::Position position = facts::position(fen);
    std::vector<chess::Move> before;
    for (const char* text : tried) {
        before.push_back(facts::move(position, text));
    }
    return Interest{position}.of(facts::move(position, san), standing, before);
}

constexpr const char* start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

} // namespace

TEST_CASE("interest: rank, principal line, the engine's choice") {
    CHECK(of(start, "e4") == 100);
    CHECK(of(start, "e4", {0, true, true}) == 140);
    CHECK(of(start, "e4", {1, false, false}) == 60);
    CHECK(of(start, "e4", {2, false, true}) == 65);
    CHECK(of(start, "e4", {50, false, false}) == 26);
    CHECK(Interest::quiet(1) == 60);
    CHECK(Interest::quiet(99) == 26);
}

TEST_CASE("interest: what a move does on the board") {
    // An undefended pawn, 20 + 20, that threatens the undefended taker, 20.
    CHECK(of("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5") == 160);
    // The queen takes a defended pawn, 20, and then attacks the one on e6, 15.
    CHECK(of("4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1", "Qxd5") == 135);
    CHECK(of("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "Ra8+") == 125);
    CHECK(of("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q+") == 100 + 25 + 40);
    CHECK(of("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=N") == 140);
    CHECK(of("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", "Kxe2") == 100 + 20 + 20 + 15 + 200); // only move
    // A knight attacks a rook, or moves away from a pawn that attacks it.
    CHECK(of("4k3/8/r7/8/8/8/8/1N2K3 w - - 0 1", "Na3") == 100);
    CHECK(of("4k3/8/3r4/8/8/8/8/1N2K3 w - - 0 1", "Nc3") == 100);
    CHECK(of("4k3/8/8/3r4/8/8/8/1N2K3 w - - 0 1", "Nc3") == 115);
    CHECK(of("4k3/8/8/8/8/2p5/8/1N2K3 w - - 0 1", "Nd2") == 100);
    CHECK(of("4k3/8/8/8/2p5/1N6/8/4K3 w - - 0 1", "Nc1") == 120);
    CHECK(of("4k3/8/8/8/2p5/1N6/8/4K3 w - - 0 1", "Kd1") == 100);
}

TEST_CASE("interest: moves like those tried before lose") {
    CHECK(of(start, "e3", {}, {"e4"}) == Approx(100 * 0.7 * 0.9)); // same square, both quiet
    CHECK(of(start, "d4", {}, {"e4"}) == Approx(100 * 0.9 * 0.9)); // another pawn
    CHECK(of(start, "Nf3", {}, {"e4"}) == Approx(100 * 0.9));      // both quiet
    CHECK(of(start, "Nf3", {}, {"e4", "Nc3"}) == Approx(100 * 0.9 * 0.9 * 0.9));
    std::vector<const char*> many{"Nh3", "e4", "d4", "c4", "a3", "b3", "g3", "h3", "a4", "b4"};
    CHECK(of(start, "Nf3", {9, false, false}, many) ==
          Approx(std::max(5.0, 26 * 0.7 * std::pow(0.9, 10))));
    // Never below the least: a thousand likenesses don't make it 0.
    CHECK(of(start, "e3", {9, false, false}, {"e4", "e4", "e4", "e4", "e4", "e4", "e4"}) == 5);
}

TEST_CASE("interest: is the same seen from the other side") {
    const char* white = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    const char* black = "rnbqk2r/pppp1ppp/5n2/2b1p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R b KQkq - 4 4";
    CHECK(of(white, "Ng5") == of(black, "Ng4"));
    CHECK(of(white, "Bxf7+") == of(black, "Bxf2+"));
    CHECK(of(white, "d3") == of(black, "d6"));
    CHECK(of(white, "O-O") == of(black, "O-O"));
}
