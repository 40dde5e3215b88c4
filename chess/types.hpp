// Squares, colours, roles and moves: the small value types of the rules.
// All are trivially copyable, have no invalid state, and compare by value.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace adjourn::chess {

enum class Color : std::uint8_t { white, black };

constexpr Color operator!(Color color) {
    return color == Color::white ? Color::black : Color::white;
}

enum class Role : std::uint8_t { pawn, knight, bishop, rook, queen, king };

struct Piece {
    Color color;
    Role role;

    friend constexpr bool operator==(Piece, Piece) = default;
};

// a1 = 0, b1 = 1, …, h8 = 63.
class Square {
public:
    constexpr explicit Square(int index) : index_{static_cast<std::uint8_t>(index)} {}
    constexpr Square(int file, int rank) : Square{rank * 8 + file} {}

    // "e4"; nothing else is accepted.
    static constexpr std::optional<Square> parse(std::string_view text) {
        if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8') {
            return std::nullopt;
        }
        return Square{text[0] - 'a', text[1] - '1'};
    }

    constexpr int index() const { return index_; }
    constexpr int file() const { return index_ & 7; }
    constexpr int rank() const { return index_ >> 3; }
    constexpr std::array<char, 2> name() const {
        return {static_cast<char>('a' + file()), static_cast<char>('1' + rank())};
    }

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 misreads the default
    friend constexpr auto operator<=>(Square, Square) = default;

private:
    std::uint8_t index_;
};

enum class MoveKind : std::uint8_t { normal, promotion, en_passant, castling };

// A move in 16 bits. Castling is always "king takes own rook" (as in Chess960), so that one
// encoding serves both kinds of chess; notation is a matter of notation.hpp.
class Move {
public:
    static constexpr Move normal(Square from, Square to) {
        return Move{MoveKind::normal, from, to, Role::knight};
    }
    static constexpr Move promotion(Square from, Square to, Role role) {
        return Move{MoveKind::promotion, from, to, role};
    }
    static constexpr Move en_passant(Square from, Square to) {
        return Move{MoveKind::en_passant, from, to, Role::knight};
    }
    static constexpr Move castling(Square king, Square rook) {
        return Move{MoveKind::castling, king, rook, Role::knight};
    }
    // The inverse of raw(). Not checked against any position.
    static constexpr Move from_raw(std::uint16_t raw) { return Move{raw}; }

    constexpr Square from() const { return Square{raw_ & 63}; }
    // For castling: the rook's square.
    constexpr Square to() const { return Square{(raw_ >> 6) & 63}; }
    constexpr MoveKind kind() const { return static_cast<MoveKind>(raw_ >> 14); }
    // Meaningful only where kind() is promotion.
    constexpr Role promotion_role() const {
        return static_cast<Role>(((raw_ >> 12) & 3) + static_cast<int>(Role::knight));
    }
    constexpr std::uint16_t raw() const { return raw_; }

    // NOLINTNEXTLINE(modernize-use-nullptr): as above
    friend constexpr auto operator<=>(Move, Move) = default;

private:
    constexpr explicit Move(std::uint16_t raw) : raw_{raw} {}
    constexpr Move(MoveKind kind, Square from, Square to, Role role)
        : raw_{static_cast<std::uint16_t>(from.index() | to.index() << 6 |
                                          (static_cast<int>(role) - static_cast<int>(Role::knight))
                                              << 12 |
                                          static_cast<int>(kind) << 14)} {}

    std::uint16_t raw_;
};

// Limit: how large one engine search is, as UCI's "go" counts it.

struct Limit {
    enum class Kind : std::uint8_t { depth, nodes, movetime };
    Kind kind = Kind::depth;
    std::uint64_t amount = 1; // plies | nodes | ms; never 0

    friend bool operator==(const Limit&, const Limit&) = default;
};

} // namespace adjourn::chess
