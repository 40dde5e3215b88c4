#include "chess/position.hpp"

#include "chess/detail/sliders.hpp"
#include "kernel.hpp"
#include "make.hpp"
#include "zobrist.hpp"

#include <algorithm>
#include <cassert>

namespace adjourn::chess {

using namespace detail;

namespace {

std::optional<Role> role_at(const Board& board, int square) {
    for (int role = 0; role < 6; ++role) {
        if ((board.of(static_cast<Role>(role)) & bit(square)) != 0) {
            return static_cast<Role>(role);
        }
    }
    return std::nullopt;
}

Bitboard checkers(const Board& board, Color turn) {
    return attackers<PortableSliders>(board, !turn, king_square(board, turn), board.occupied());
}

bool is_double_push(Role role, int from, int to) {
    return role == Role::pawn && ((from ^ to) == 16);
}

// K v K, one minor piece, or nothing but bishops that all stand on squares of one colour.
bool is_insufficient(const Board& board) {
    if ((board.of(Role::pawn) | board.of(Role::rook) | board.of(Role::queen)) != 0) {
        return false;
    }
    const Bitboard knights = board.of(Role::knight);
    const Bitboard bishops = board.of(Role::bishop);
    if (knights != 0) {
        return !several(knights) && bishops == 0;
    }
    return (bishops & light_squares) == 0 || (bishops & ~light_squares) == 0;
}

} // namespace

bool MoveList::contains(Move move) const {
    return std::find(begin(), end(), move) != end();
}

Position::Position(const Board& board, Color turn, std::optional<Square> double_push,
                   int halfmove_clock, int fullmove_number)
    : board_{board}, hash_{hash_of(board, turn)}, halfmove_clock_{halfmove_clock},
      fullmove_number_{fullmove_number}, double_push_{double_push}, turn_{turn} {}

std::optional<Piece> Position::piece_at(Square square) const {
    const auto role = role_at(board_, square.index());
    if (!role) {
        return std::nullopt;
    }
    const bool white = (board_.of(Color::white) & bit(square.index())) != 0;
    return Piece{white ? Color::white : Color::black, *role};
}

Square Position::king(Color color) const {
    return Square{king_square(board_, color)};
}

bool Position::in_check() const {
    return checkers(board_, turn_) != 0;
}

std::optional<Square> Position::en_passant() const {
    if (board_.en_passant == 0) {
        return std::nullopt;
    }
    return Square{lowest(board_.en_passant)};
}

bool Position::chess960() const {
    for (const Color color : {Color::white, Color::black}) {
        const Bitboard rooks = board_.castling_rooks & back_rank(color);
        if (rooks != 0 && ((king(color).file() != 4) || (rooks & ~(file_a | file_h)) != 0)) {
            return true;
        }
    }
    return false;
}

MoveList Position::legal_moves() const {
    MoveList moves;
    moves.fill([this](std::uint16_t* out) {
        return kernel().generate(board_, turn_, ~Bitboard{0}, ~Bitboard{0}, out);
    });
    return moves;
}

MoveList Position::legal_captures() const {
    const Bitboard pawns = board_.of(turn_, Role::pawn);
    const Bitboard seventh = turn_ == Color::white ? rank_8 >> 8 : rank_1 << 8;
    const Bitboard promotions = (pawns & seventh) != 0 ? back_rank(!turn_) : 0;
    const Bitboard victims = board_.of(!turn_);
    MoveList moves;
    moves.fill([&](std::uint16_t* out) {
        std::uint16_t* const end = kernel().generate(board_, turn_, ~Bitboard{0},
                                                     victims | board_.en_passant | promotions, out);
        if ((board_.en_passant | promotions) == 0) {
            return end;
        }
        // Other pieces go to those squares, too.
        return std::remove_if(out, end, [&](std::uint16_t raw) {
            const Move move = Move::from_raw(raw);
            return move.kind() == MoveKind::normal && (victims & bit(move.to().index())) == 0;
        });
    });
    return moves;
}

bool Position::is_legal(Move move) const {
    std::uint16_t found[16];
    const std::uint16_t* end =
        kernel().generate(board_, turn_, bit(move.from().index()), bit(move.to().index()), found);
    return std::find(found, const_cast<std::uint16_t*>(end), move.raw()) != end;
}

bool Position::has_legal_move() const {
    return kernel().count(board_, turn_) != 0;
}

Terminal Position::terminal() const {
    if (!has_legal_move()) {
        return in_check() ? Terminal::checkmate : Terminal::stalemate;
    }
    return is_insufficient(board_) ? Terminal::dead : Terminal::no;
}

void Position::play(Move move) {
    assert(is_legal(move));
    const int from = move.from().index();
    const int to = move.to().index();
    const Color us = turn_;
    hash_ ^= rights_hash(board_) ^ white_to_move_key;
    double_push_.reset();
    bool zeroing = true;
    switch (move.kind()) {
    case MoveKind::castling: {
        const CastlingSquares target = castling_targets(from, to);
        hash_ ^= piece_key(us, Role::king, from) ^ piece_key(us, Role::king, target.king) ^
                 piece_key(us, Role::rook, to) ^ piece_key(us, Role::rook, target.rook);
        make_castling(board_, us, from, to);
        zeroing = false;
        break;
    }
    case MoveKind::en_passant:
        hash_ ^= piece_key(us, Role::pawn, from) ^ piece_key(us, Role::pawn, to) ^
                 piece_key(!us, Role::pawn, us == Color::white ? to - 8 : to + 8);
        make_en_passant(board_, us, from, to);
        break;
    default: {
        const Role role = *role_at(board_, from);
        const Role becomes = move.kind() == MoveKind::promotion ? move.promotion_role() : role;
        const bool capture = (board_.of(!us) & bit(to)) != 0;
        hash_ ^= piece_key(us, role, from) ^ piece_key(us, becomes, to);
        if (capture) {
            hash_ ^= piece_key(!us, *role_at(board_, to), to);
        }
        if (is_double_push(role, from, to)) {
            make_double_push<PortableSliders>(board_, us, from, to);
            const int passed = (from + to) / 2;
            if ((pawn_attacks[index(us)][passed] & board_.of(!us, Role::pawn)) != 0) {
                double_push_ = Square{passed};
            }
        } else {
            make_piece(board_, us, role, becomes, from, to);
        }
        zeroing = capture || role == Role::pawn;
    }
    }
    turn_ = !us;
    hash_ ^= rights_hash(board_);
    halfmove_clock_ = zeroing ? 0 : std::min(halfmove_clock_ + 1, max_clock);
    if (us == Color::black) {
        fullmove_number_ = std::min(fullmove_number_ + 1, max_clock);
    }
}

Position Position::after(Move move) const {
    Position result = *this;
    result.play(move);
    return result;
}

Position Position::after(std::span<const Move> line) const {
    Position result = *this;
    for (const Move move : line) {
        result.play(move);
    }
    return result;
}

bool Position::is_capture(Move move) const {
    return move.kind() == MoveKind::en_passant ||
           (move.kind() != MoveKind::castling && (board_.of(!turn_) & bit(move.to().index())) != 0);
}

bool Position::gives_check(Move move) const {
    return after(move).in_check();
}

bool Position::is_irreversible(Move move) const {
    const Bitboard touched = bit(move.from().index()) | bit(move.to().index());
    const bool king_with_rights = (board_.of(Role::king) & bit(move.from().index())) != 0 &&
                                  (board_.castling_rooks & back_rank(turn_)) != 0;
    return is_capture(move) || (board_.of(Role::pawn) & bit(move.from().index())) != 0 ||
           (board_.castling_rooks & touched) != 0 || king_with_rights;
}

int Position::phi() const {
    int potential = count(board_.occupied()) + count(board_.castling_rooks);
    for (int rank = 1; rank <= 6; ++rank) {
        const Bitboard pawns = board_.of(Role::pawn) & rank_1 << 8 * rank;
        potential += (7 - rank) * count(pawns & board_.of(Color::white));
        potential += rank * count(pawns & board_.of(Color::black));
    }
    return potential;
}

std::uint64_t perft(const Position& position, int depth) {
    return kernel().perft(position.board(), position.turn(), depth);
}

} // namespace adjourn::chess
