// PackedPosition: the layout is in chess/README.md.
#include "bitboard.hpp"

#include "chess/position.hpp"

namespace adjourn::chess {

using namespace detail;

namespace {

enum Code : std::uint8_t {
    // 0–11: six roles of White, six of Black
    white_castling_rook = 12,
    black_castling_rook = 13,
    en_passant_pawn = 14,
    black_king_to_move = 15,
};

int pushed_pawn(int en_passant) {
    return en_passant < 32 ? en_passant + 8 : en_passant - 8;
}

} // namespace

PackedPosition Position::packed() const {
    PackedPosition packed;
    const Bitboard occupied = board_.occupied();
    for (std::size_t i = 0; i < 8; ++i) {
        packed.bytes[i] = static_cast<std::uint8_t>(occupied >> 8 * i);
    }
    const Bitboard pawn = board_.en_passant == 0 ? 0 : bit(pushed_pawn(lowest(board_.en_passant)));
    std::array<std::uint8_t, 64> codes; // only occupied squares are set and read
    for (int role = 0; role < 6; ++role) {
        for (Bitboard set = board_.roles[static_cast<std::size_t>(role)]; set != 0;) {
            const int square = pop_lowest(set);
            const bool white = (board_.of(Color::white) & bit(square)) != 0;
            codes[static_cast<std::size_t>(square)] =
                static_cast<std::uint8_t>(white ? role : 6 + role);
        }
    }
    for (Bitboard set = board_.castling_rooks; set != 0;) {
        const int square = pop_lowest(set);
        codes[static_cast<std::size_t>(square)] =
            square < 8 ? white_castling_rook : black_castling_rook;
    }
    if (pawn != 0) {
        codes[static_cast<std::size_t>(lowest(pawn))] = en_passant_pawn;
    }
    if (turn_ == Color::black) {
        codes[static_cast<std::size_t>(king(Color::black).index())] = black_king_to_move;
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
    Setup setup;
    std::size_t nibble = 16;
    for (Bitboard set = occupied; set != 0; ++nibble) {
        const int square = pop_lowest(set);
        const int byte = packed.bytes[nibble / 2];
        const int code = nibble % 2 == 0 ? byte & 15 : byte >> 4;
        auto& piece = setup.board[static_cast<std::size_t>(square)];
        switch (code) {
        case white_castling_rook:
        case black_castling_rook:
            piece = Piece{code == white_castling_rook ? Color::white : Color::black, Role::rook};
            if ((bit(square) & back_rank(piece->color)) == 0) {
                return refuse("a castling rook off its rank");
            }
            setup.castling_rooks |= bit(square);
            break;
        case en_passant_pawn:
            if (setup.en_passant) {
                return refuse("two pawns to be taken en passant");
            }
            piece = Piece{square < 32 ? Color::white : Color::black, Role::pawn};
            if (square >> 3 != 3 && square >> 3 != 4) {
                return refuse("a pawn to be taken en passant on the wrong rank");
            }
            setup.en_passant = Square{square < 32 ? square - 8 : square + 8};
            break;
        case black_king_to_move:
            piece = Piece{Color::black, Role::king};
            setup.turn = Color::black;
            break;
        default: piece = Piece{code < 6 ? Color::white : Color::black, static_cast<Role>(code % 6)};
        }
    }
    auto position = from_setup(setup);
    if (position && position->packed() != packed) {
        return refuse("not the form this position packs to");
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
