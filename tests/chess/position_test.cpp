// Position: laws that hold in every position, over random games.
#include "chess/kernel.hpp"
#include "chess/polyglot.hpp"
#include "chess/zobrist.hpp"
#include "support.hpp"
#include "test.hpp"

#include <unordered_set>

using namespace adjourn::chess;
using namespace adjourn::chess::testing;

TEST_CASE("position: laws of every position, over random games", "[chess]") {
    const auto moves_by = [](const detail::Kernel& kernel, const Position& position) {
        std::array<std::uint16_t, 256> moves{};
        const auto* end =
            kernel.generate(position.board(), position.turn(), ~0ULL, ~0ULL, moves.data());
        const std::uint16_t* begin = moves.data();
        return std::vector<std::uint16_t>(begin, end);
    };
    const auto& fast = detail::kernel();
    const auto& portable = detail::portable_kernel();
    INFO(fast.name);
    std::set<PackedPosition> keys;
    std::set<std::string> identities;
    for_random_positions(20, 150, 6, [&](const Position& position) {
        INFO(position.fen());
        // The hash that was kept up move by move; the board as text, as fields and packed.
        REQUIRE(position.hash() == detail::hash_of(position.board(), position.turn()));
        const auto again = Position::from_fen(position.fen());
        REQUIRE(again);
        REQUIRE(*again == position);
        REQUIRE(again->fen() == position.fen());
        REQUIRE(again->hash() == position.hash());
        REQUIRE(Position::from_setup(position.setup()).value() == position);
        const auto packed = Position::unpack(position.packed());
        const auto told = Position::from_fen(position.engine_fen());
        REQUIRE(packed);
        REQUIRE(told);
        for (const Position& other : {*told, *packed}) {
            REQUIRE(other == position);
            REQUIRE(other.hash() == position.hash());
            REQUIRE(other.packed() == position.packed());
            REQUIRE(other.halfmove_clock() == 0);
        }
        REQUIRE(told->fullmove_number() == 1);
        keys.insert(position.packed());
        identities.insert(position.engine_fen());
        if (!position.chess960() && position.en_passant() == position.double_push()) {
            REQUIRE(polyglot_key(position) == position.hash());
        }
        // Moves: by both kernels, counted, as text, and what they do.
        REQUIRE(moves_by(fast, position) == moves_by(portable, position));
        REQUIRE(portable.count(position.board(), position.turn()) ==
                fast.count(position.board(), position.turn()));
        const MoveList moves = position.legal_moves();
        std::set<Move> captures;
        std::set<std::string> texts;
        std::uint64_t replies = 0;
        for (const Move move : moves) {
            const std::string text = to_san(position, move);
            INFO(text);
            texts.insert(text);
            REQUIRE(parse_san(position, text) == move);
            REQUIRE(parse_uci(position, to_uci(position, move)) == move);
            REQUIRE(parse_uci(position, to_uci(position, move, CastlingStyle::king_rook)) == move);
            const Position after = position.after(move);
            REQUIRE(position.gives_check(move) == after.in_check());
            REQUIRE((position.is_irreversible(move) ? after.phi() < position.phi()
                                                    : after.phi() == position.phi()));
            replies += after.legal_moves().size();
            if (position.is_capture(move) || move.kind() == MoveKind::promotion) {
                captures.insert(move);
            }
        }
        REQUIRE(texts.size() == moves.size());
        REQUIRE(perft(position, 1) == moves.size());
        REQUIRE(perft(position, 2) == replies);
        const MoveList some = position.legal_captures();
        REQUIRE(std::set<Move>(some.begin(), some.end()) == captures);
        REQUIRE(some.size() == captures.size());
    });
    CHECK(keys.size() == identities.size());
}

TEST_CASE("position: is_legal is membership in legal_moves, for every 16-bit move", "[chess]") {
    Random random{8};
    for (int i = 0; i < 12; ++i) {
        const Position position = random_position(random, 80);
        const MoveList moves = position.legal_moves();
        INFO(position.fen());
        int legal = 0;
        for (int raw = 0; raw < 1 << 16; ++raw) {
            const Move move = Move::from_raw(static_cast<std::uint16_t>(raw));
            if (position.is_legal(move)) {
                ++legal;
                REQUIRE(moves.contains(move));
            }
        }
        REQUIRE(static_cast<std::size_t>(legal) == moves.size());
        REQUIRE(position.has_legal_move() == !moves.empty());
    }
}

TEST_CASE("position: φ, counted by hand", "[chess]") {
    // 32 pieces, 16 pawns with 6 steps to go, 4 rights.
    CHECK(Position::initial().phi() == 32 + 96 + 4);
    CHECK(position("4k3/P7/8/8/8/8/6p1/4K2R w K - 0 1").phi() == 5 + 2 + 1);
}

TEST_CASE("position: what makes a move irreversible", "[chess]") {
    const auto irreversible = [](const std::string& fen, const std::string& uci) {
        const Position at = position(fen);
        return at.is_irreversible(move(at, uci));
    };
    CHECK(irreversible("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1e2"));
    CHECK(irreversible("r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1", "e1g1"));
    CHECK(irreversible("r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1", "h1g1"));
    CHECK_FALSE(irreversible("r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1", "a1b1"));
    CHECK_FALSE(irreversible("r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1", "e1e2"));
    CHECK(irreversible("r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1", "h1h8")); // a capture as well
    CHECK(irreversible("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a2a3"));
    CHECK(irreversible("4k3/8/8/8/8/8/1p6/R3K3 b Q - 0 1", "b2a1q"));
}

TEST_CASE("position: captures and checks", "[chess]") {
    const Position at = position("4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1");
    CHECK(at.is_capture(move(at, "e5d6")));
    CHECK_FALSE(at.is_capture(move(at, "e5e6")));
    CHECK_FALSE(at.is_capture(move(at, "e1g1")));
    CHECK(at.gives_check(move(at, "h1h8")));
    CHECK_FALSE(at.gives_check(move(at, "h1h7")));
    const Position castle = position("5k2/8/8/8/8/8/8/4K2R w K - 0 1");
    CHECK(castle.gives_check(move(castle, "e1g1")));
    CHECK(position("4k3/8/8/3pP3/8/3Q4/8/4K3 w - d6 0 1").legal_captures().size() == 2);
    CHECK(position("8/P7/8/8/8/8/8/k6K w - - 0 1").legal_captures().size() == 4);
}

TEST_CASE("position: clocks", "[chess]") {
    Position at = Position::initial();
    at.play(move(at, "g1f3"));
    CHECK(at.halfmove_clock() == 1);
    CHECK(at.fullmove_number() == 1);
    at.play(move(at, "g8f6"));
    CHECK(at.halfmove_clock() == 2);
    CHECK(at.fullmove_number() == 2);
    at.play(move(at, "e2e4"));
    CHECK(at.halfmove_clock() == 0);
    Position castle = position("4k3/8/8/8/8/8/8/4K2R w K - 5 9");
    castle.play(move(castle, "e1g1"));
    CHECK(castle.halfmove_clock() == 6);
}

TEST_CASE("position: how games end", "[chess]") {
    CHECK(Position::initial().terminal() == Terminal::no);
    CHECK(position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").terminal() == Terminal::checkmate);
    CHECK(position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").terminal() == Terminal::stalemate);
    for (const char* dead : {"4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4KN2 w - -",
                             "4k3/8/8/8/8/8/8/4KB2 b - -", "4kb2/8/8/8/8/8/8/2B1K3 w - -",
                             "4k3/8/8/2B5/3B4/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/3BKB2 w - -"}) {
        INFO(dead);
        CHECK(position(dead).terminal() == Terminal::dead);
    }
    for (const char* alive : {"4k3/8/8/8/8/8/8/4KNN1 w - -", "4kn2/8/8/8/8/8/8/4KN2 w - -",
                              "4kb2/8/8/8/8/8/8/4KB2 w - -", "4kb2/8/8/8/8/8/8/4KN2 w - -",
                              "4k3/8/8/8/8/8/P7/4K3 w - -", "4k3/8/8/8/8/8/8/4KR2 w - -",
                              "4k3/8/8/8/8/8/8/2B1KB2 w - -"}) {
        INFO(alive);
        CHECK(position(alive).terminal() == Terminal::no);
    }
}

TEST_CASE("packed: each part of the identity tells", "[chess]") {
    const std::vector<std::string> different{
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6", "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq -",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk -",   "r3k2r/8/8/3pP3/8/8/8/R3K2R w - -",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq -",  "r3k2r/8/8/3pP3/8/8/8/R3K1R1 w Qkq -",
        "r3k2r/8/8/3Pp3/8/8/8/R3K2R w KQkq -",  "1k2r1r1/8/8/8/8/8/8/1K2R1R1 w E -",
        "1k2r1r1/8/8/8/8/8/8/1K2R1R1 w G -",    "1k2r1r1/8/8/8/8/8/8/1K2R1R1 w e -",
        "1k2r1r1/8/8/8/8/8/8/1K2R1R1 w Ge -"};
    std::set<PackedPosition> keys;
    std::unordered_set<PackedPosition, PackedPositionHash> hashed;
    std::set<std::uint64_t> hashes;
    for (const std::string& fen : different) {
        keys.insert(position(fen).packed());
        hashed.insert(position(fen).packed());
        hashes.insert(position(fen).hash());
    }
    CHECK(keys.size() == different.size());
    CHECK(hashed.size() == different.size());
    CHECK(hashes.size() == different.size());
    CHECK(position(different[0] + " 0 1").packed() == position(different[0] + " 30 99").packed());
}

TEST_CASE("packed: the documented layout", "[chess]") {
    const PackedPosition start = Position::initial().packed();
    const std::array<std::uint8_t, 24> expected{
        0xff, 0xff, 0,    0,    0,    0,    0xff, 0xff, // ranks 1, 2, 7, 8
        0x1c, 0x42, 0x25, 0xc1, 0,    0,    0,    0,    // RNBQKBNR, corners may castle; pawns 0
        0x66, 0x66, 0x66, 0x66, 0x7d, 0xa8, 0x8b, 0xd7};
    CHECK(start.bytes == expected);
    const PackedPosition black = position("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1").packed();
    const std::array<std::uint8_t, 24> expected_black{
        0x10, 0, 0, 0x18, 0, 0, 0, 0x10, 0xe5, 0xf6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    CHECK(black.bytes == expected_black);
}

TEST_CASE("packed: bytes that no position packs to are refused", "[chess]") {
    const PackedPosition start = Position::initial().packed();
    CHECK_FALSE(Position::unpack(PackedPosition{}));
    PackedPosition all;
    all.bytes.fill(0xff);
    CHECK_FALSE(Position::unpack(all));
    PackedPosition trailing = position("4k3/8/8/8/8/8/8/4K3 w - -").packed();
    trailing.bytes[23] = 1;
    CHECK_FALSE(Position::unpack(trailing));
    PackedPosition nibble = position("4k3/8/8/8/8/8/8/4K2R w - -").packed();
    nibble.bytes[9] |= 0x10; // beyond the third piece
    CHECK_FALSE(Position::unpack(nibble));
    // Every single-bit change gives another position or none, never the same one.
    int accepted = 0;
    for (std::size_t bit = 0; bit < 192; ++bit) {
        PackedPosition changed = start;
        changed.bytes[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
        const auto position = Position::unpack(changed);
        if (position) {
            ++accepted;
            CHECK(position->packed() == changed);
            CHECK(*position != Position::initial());
        }
    }
    CHECK(accepted > 0);
    CHECK(accepted < 192);
}
