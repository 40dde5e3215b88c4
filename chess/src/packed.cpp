// PackedPosition: the layout is in chess/README.md.
#include "chess/detail/bitboard.hpp"

#include "chess/position.hpp"

namespace adjourn::chess {

using namespace detail;

namespace {

enum Code : std::uint8_t {
    white_pawn = 0, // then knight, bishop, rook, queen, king
    white_rook = 3,
    white_king = 5,
    black_pawn = 6,
    black_rook = 9,
    black_king = 11,
    white_castling_rook = 12,
    black_castling_rook = 13,
    en_passant_pawn = 14,
    black_king_to_move = 15,
};

// Squares by code; the inverse of what packed() writes.
using SquaresByCode = std::array<Bitboard, 16>;

int pushed_pawn(int en_passant) {
    return en_passant < 32 ? en_passant + 8 : en_passant - 8;
}
int passed_square(int pawn) {
    return pawn < 32 ? pawn - 8 : pawn + 8;
}

SquaresByCode squares_by_code(const Board& board, Color turn) {
    SquaresByCode squares{};
    for (std::size_t role = 0; role < 6; ++role) {
        squares[role] = board.roles[role] & board.of(Color::white);
        squares[6 + role] = board.roles[role] & board.of(Color::black);
    }
    const auto recode = [&](Code from, Code to, Bitboard set) {
        squares[from] &= ~set;
        squares[to] = set;
    };
    recode(white_rook, white_castling_rook, board.castling_rooks & rank_1);
    recode(black_rook, black_castling_rook, board.castling_rooks & rank_8);
    if (board.en_passant != 0) {
        const int pawn = pushed_pawn(lowest(board.en_passant));
        recode(pawn < 32 ? white_pawn : black_pawn, en_passant_pawn, bit(pawn));
    }
    if (turn == Color::black) {
        recode(black_king, black_king_to_move, squares[black_king]);
    }
    return squares;
}

} // namespace

PackedPosition Position::packed() const {
    PackedPosition packed;
    const Bitboard occupied = board_.occupied();
    for (std::size_t i = 0; i < 8; ++i) {
        packed.bytes[i] = static_cast<std::uint8_t>(occupied >> 8 * i);
    }
    const SquaresByCode squares = squares_by_code(board_, turn_);
    std::array<std::uint8_t, 64> codes; // only occupied squares are set and read
    for (std::size_t code = 0; code < squares.size(); ++code) {
        for (Bitboard set = squares[code]; set != 0;) {
            codes[static_cast<std::size_t>(pop_lowest(set))] = static_cast<std::uint8_t>(code);
        }
    }
    std::size_t nibble = 16;
    for (Bitboard set = occupied; set != 0; ++nibble) {
        const auto code = codes[static_cast<std::size_t>(pop_lowest(set))];
        packed.bytes[nibble / 2] |= static_cast<std::uint8_t>(nibble % 2 == 0 ? code : code << 4);
    }
    return packed;
}

std::expected<Position, FenError> Position::unpack(const PackedPosition& packed) {
    const auto refuse = [](const char* message) {
        return std::unexpected(FenError{"packed", message});
    };
    Bitboard occupied = 0;
    for (std::size_t i = 0; i < 8; ++i) {
        occupied |= Bitboard{packed.bytes[i]} << 8 * i;
    }
    if (count(occupied) > 32) {
        return refuse("more than 32 pieces");
    }
    SquaresByCode squares{};
    std::size_t nibble = 16;
    for (Bitboard set = occupied; set != 0; ++nibble) {
        const int square = pop_lowest(set);
        const std::size_t code = packed.bytes[nibble / 2] >> 4 * (nibble % 2) & 15;
        squares[code] |= bit(square);
    }
    for (; nibble < 48; ++nibble) {
        if ((packed.bytes[nibble / 2] >> 4 * (nibble % 2) & 15) != 0) {
            return refuse("something after the last piece");
        }
    }
    if ((squares[white_castling_rook] & ~rank_1) != 0 ||
        (squares[black_castling_rook] & ~rank_8) != 0) {
        return refuse("a castling rook off its rank");
    }
    const Bitboard pushed = squares[en_passant_pawn];
    if (several(pushed) || (pushed & ~(rank_1 << 24 | rank_1 << 32)) != 0) {
        return refuse("a pawn to be taken en passant on the wrong rank, or two");
    }

    Board board;
    Bitboard white = squares[white_castling_rook] | (pushed & rank_1 << 24);
    for (std::size_t role = 0; role < 6; ++role) {
        board.roles[role] = squares[role] | squares[6 + role];
        white |= squares[role];
    }
    board.roles[white_rook] |= squares[white_castling_rook] | squares[black_castling_rook];
    board.roles[white_pawn] |= pushed;
    board.roles[white_king] |= squares[black_king_to_move];
    board.colors = {white, occupied & ~white};
    board.castling_rooks = squares[white_castling_rook] | squares[black_castling_rook];
    std::optional<Square> passed;
    if (pushed != 0) {
        passed = Square{passed_square(lowest(pushed))};
    }
    const Color turn = squares[black_king_to_move] != 0 ? Color::black : Color::white;
    auto position = admit(board, turn, passed, 0, 1);
    if (position && position->en_passant() != passed) {
        return refuse("a pawn that cannot be taken en passant");
    }
    return position;
}

std::size_t PackedPositionHash::operator()(const PackedPosition& packed) const noexcept {
    // Multiply and fold, a word at a time, with the fractional bits of the golden ratio.
    std::uint64_t hash = 0x9e3779b97f4a7c15;
    for (std::size_t word = 0; word < 3; ++word) {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < 8; ++i) {
            value |= std::uint64_t{packed.bytes[8 * word + i]} << 8 * i;
        }
        const auto product =
            static_cast<unsigned __int128>(hash ^ value) * (0x9e3779b97f4a7c15 + 2 * word);
        hash = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
        hash += 0xbf58476d1ce4e5b9;
    }
    hash ^= hash >> 31;
    return static_cast<std::size_t>(hash * 0x94d049bb133111eb ^ hash >> 17);
}

} // namespace adjourn::chess
