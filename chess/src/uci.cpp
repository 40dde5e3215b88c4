// Moves in UCI notation.
#include "chess/detail/bitboard.hpp"
#include "move_text.hpp"
#include "text.hpp"

#include "chess/notation.hpp"

namespace adjourn::chess {

using namespace detail;

namespace {

bool stands_as_in_standard_chess(Move castling) {
    const int rook_file = castling.to().file();
    return castling.from().file() == 4 && (rook_file == 0 || rook_file == 7);
}

// King from the e-file to the g- or c-file: the castling it stands for, if there is such a right.
std::optional<Move> castling_for(const Position& position, Square from, Square to) {
    const Board& board = position.board();
    if (from != position.king(position.turn()) || from.file() != 4 || from.rank() != to.rank() ||
        (to.file() != 6 && to.file() != 2)) {
        return std::nullopt;
    }
    const Bitboard side = to.file() == 6 ? ~(bit(from.index()) - 1) : bit(from.index()) - 1;
    const Bitboard rooks = board.castling_rooks & back_rank(position.turn()) & side;
    if (rooks == 0) {
        return std::nullopt;
    }
    return Move::castling(from, Square{lowest(rooks)});
}

Move interpret(const Position& position, Square from, Square to, std::optional<Role> promotion) {
    const auto piece = position.piece_at(from);
    const bool own = piece && piece->color == position.turn();
    if (promotion) {
        return Move::promotion(from, to, *promotion);
    }
    if (own && piece->role == Role::king) {
        if (((position.board().castling_rooks >> to.index()) & 1) != 0 &&
            from.rank() == to.rank()) {
            const auto target = position.piece_at(to);
            if (target && target->color == position.turn()) {
                return Move::castling(from, to);
            }
        }
        if (const auto castling = castling_for(position, from, to)) {
            return *castling;
        }
    }
    if (own && piece->role == Role::pawn && position.en_passant() == to &&
        from.file() != to.file()) {
        return Move::en_passant(from, to);
    }
    return Move::normal(from, to);
}

} // namespace

std::string to_uci(const Position&, Move move, CastlingStyle style) {
    Square to = move.to();
    if (move.kind() == MoveKind::castling && style == CastlingStyle::standard &&
        stands_as_in_standard_chess(move)) {
        to = Square{to > move.from() ? 6 : 2, to.rank()};
    }
    std::string text = square_name(move.from().index()) + square_name(to.index());
    if (move.kind() == MoveKind::promotion) {
        text += letter_of_role(move.promotion_role());
    }
    return text;
}

std::expected<Move, MoveError> parse_uci(const Position& position, std::string_view text) {
    std::optional<Square> from;
    std::optional<Square> to;
    if (text.size() == 4 || text.size() == 5) {
        from = Square::parse(text.substr(0, 2));
        to = Square::parse(text.substr(2, 2));
    }
    if (!from || !to) {
        return refuse(MoveErrorKind::syntax, quoted(text) + " is not a UCI move");
    }
    std::optional<Role> promotion;
    if (text.size() == 5) {
        promotion = role_of_letter(text[4]);
        if (!promotion || *promotion == Role::pawn || *promotion == Role::king) {
            return refuse(MoveErrorKind::syntax, quoted(text) + " promotes to no piece");
        }
    }
    const Move move = interpret(position, *from, *to, promotion);
    if (!position.is_legal(move)) {
        return refuse_illegal(text, position);
    }
    return move;
}

} // namespace adjourn::chess
