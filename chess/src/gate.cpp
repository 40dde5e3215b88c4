// Setup → Position: where illegal positions are refused.
#include "chess/detail/attacks.hpp"
#include "chess/detail/sliders.hpp"
#include "text.hpp"
#include "zobrist.hpp"

#include "chess/position.hpp"

#include <string>

namespace adjourn::chess {

using namespace detail;

namespace {

using Verdict = std::optional<FenError>; // nothing: no objection

std::string name_of(Color color) {
    return color == Color::white ? "white" : "black";
}

std::string name_of(int square) {
    return square_name(square);
}

int excess(int have, int start) {
    return have > start ? have - start : 0;
}

// Pieces beyond the sixteen one starts with, bishops told apart by the colour of their squares.
int promoted_pieces(const Board& board, Color color) {
    const Bitboard bishops = board.of(color, Role::bishop);
    return excess(count(board.of(color, Role::knight)), 2) +
           excess(count(bishops & light_squares), 1) + excess(count(bishops & ~light_squares), 1) +
           excess(count(board.of(color, Role::rook)), 2) +
           excess(count(board.of(color, Role::queen)), 1);
}

Verdict check_material(const Board& board) {
    for (const Color color : {Color::white, Color::black}) {
        const int kings = count(board.of(color, Role::king));
        if (kings != 1) {
            return FenError{"placement",
                            kings == 0 ? "no " + name_of(color) + " king"
                                       : std::to_string(kings) + " " + name_of(color) + " kings"};
        }
    }
    const Bitboard stranded = board.of(Role::pawn) & (rank_1 | rank_8);
    if (stranded != 0) {
        return FenError{"placement", "a pawn on " + name_of(lowest(stranded))};
    }
    for (const Color color : {Color::white, Color::black}) {
        const int pawns = count(board.of(color, Role::pawn));
        const int pieces = count(board.of(color));
        if (pawns > 8) {
            return FenError{"placement", std::to_string(pawns) + " " + name_of(color) + " pawns"};
        }
        if (pieces > 16) {
            return FenError{"placement", std::to_string(pieces) + " " + name_of(color) + " pieces"};
        }
        const int promoted = promoted_pieces(board, color);
        if (promoted > 8 - pawns) {
            return FenError{"placement", name_of(color) + " needs " + std::to_string(promoted) +
                                             " promotions and has only " +
                                             std::to_string(8 - pawns) + " pawns missing"};
        }
    }
    return std::nullopt;
}

Verdict check_castling(const Board& board) {
    for (const Color color : {Color::white, Color::black}) {
        const Bitboard rights = board.castling_rooks & back_rank(color);
        if (rights == 0) {
            continue;
        }
        const int king = king_square(board, color);
        if ((bit(king) & back_rank(color)) == 0) {
            return FenError{"castling", "the " + name_of(color) + " king on " + name_of(king) +
                                            " cannot castle"};
        }
        const Bitboard without_rook = rights & ~board.of(color, Role::rook);
        if (without_rook != 0) {
            return FenError{"castling",
                            "no " + name_of(color) + " rook on " + name_of(lowest(without_rook))};
        }
        const Bitboard left = rights & (bit(king) - 1);
        if (several(left) || several(rights & ~left)) {
            return FenError{"castling",
                            "two " + name_of(color) + " castling rooks on one side of the king"};
        }
    }
    const Bitboard inner = board.castling_rooks & ~(rank_1 | rank_8);
    if (inner != 0) {
        return FenError{"castling", "a castling rook on " + name_of(lowest(inner))};
    }
    return std::nullopt;
}

// Wrong rank, no pawn that could have moved two, or something in its way. Whether a capture is
// possible is not asked here.
Verdict check_en_passant(const Board& board, Color turn, int square) {
    const bool black_moved = turn == Color::white;
    const int pushed = black_moved ? square - 8 : square + 8;
    const int origin = black_moved ? square + 8 : square - 8;
    const auto refuse = [&](const std::string& why) {
        return FenError{"en_passant", name_of(square) + ": " + why};
    };
    if (square >> 3 != (black_moved ? 5 : 2)) {
        return refuse("not on the rank " + name_of(!turn) + "'s double pushes pass");
    }
    if ((board.of(!turn, Role::pawn) & bit(pushed)) == 0) {
        return refuse("no " + name_of(!turn) + " pawn on " + name_of(pushed));
    }
    if ((board.occupied() & (bit(square) | bit(origin))) != 0) {
        return refuse("the pawn on " + name_of(pushed) + " cannot just have moved two squares");
    }
    return std::nullopt;
}

// Checks that the last move cannot have given. Some engines crash on them.
Verdict check_checkers(const Board& board, Color turn, std::optional<int> en_passant) {
    const int king = king_square(board, turn);
    const Bitboard checks = attackers<PortableSliders>(board, !turn, king, board.occupied());
    const auto refuse = [&](const std::string& why) { return FenError{"position", why}; };
    if (count(checks) > 2) {
        return refuse(std::to_string(count(checks)) + " pieces give check at once");
    }
    if (checks == 0) {
        return std::nullopt;
    }
    if (en_passant) {
        // Only the pawn itself, or a slider it uncovered, can give check.
        const bool black_moved = turn == Color::white;
        const int pushed = black_moved ? *en_passant - 8 : *en_passant + 8;
        const int origin = black_moved ? *en_passant + 8 : *en_passant - 8;
        const Bitboard before = (board.occupied() & ~bit(pushed)) | bit(origin);
        const Bitboard already =
            attackers<PortableSliders>(board, !turn, king, before) & ~bit(pushed);
        if (several(checks) || (checks != bit(pushed) && already != 0)) {
            return refuse("the double push to " + name_of(pushed) +
                          " cannot have given this check");
        }
    } else if (several(checks)) {
        Bitboard rest = checks;
        const int first = pop_lowest(rest);
        const int second = lowest(rest);
        const std::string both = name_of(first) + " and " + name_of(second);
        if ((between[first][second] & bit(king)) != 0 ||
            (between[king][first] & bit(second)) != 0 ||
            (between[king][second] & bit(first)) != 0) {
            return refuse("checks from " + both + " along one line");
        }
        // One of the two was uncovered by the other's move, so it is a slider.
        if ((checks & (board.of(Role::pawn) | board.of(Role::knight))) == checks) {
            return refuse("checks from " + both + ", neither of which can have been uncovered");
        }
    }
    return std::nullopt;
}

Board board_of(const Setup& setup) {
    Board board;
    for (int square = 0; square < 64; ++square) {
        const auto& piece = setup.board[static_cast<std::size_t>(square)];
        if (piece) {
            board.roles[static_cast<std::size_t>(index(piece->role))] |= bit(square);
            board.colors[static_cast<std::size_t>(index(piece->color))] |= bit(square);
        }
    }
    board.castling_rooks = setup.castling_rooks;
    return board;
}

Verdict check_clock(const char* field, int value) {
    if (value < 0 || value > Position::max_clock) {
        return FenError{field, std::to_string(value) + " is not from 0 to " +
                                   std::to_string(Position::max_clock)};
    }
    return std::nullopt;
}

} // namespace

std::expected<Position, FenError> Position::from_setup(const Setup& setup) {
    return admit(board_of(setup), setup.turn, setup.en_passant, setup.halfmove_clock,
                 setup.fullmove_number);
}

std::expected<Position, FenError> Position::admit(Board board, Color turn,
                                                  std::optional<Square> passed, int halfmove_clock,
                                                  int fullmove_number) {
    std::optional<int> en_passant;
    if (passed) {
        en_passant = passed->index();
    }
    Verdict verdict = check_material(board);
    if (!verdict) {
        const int king = king_square(board, !turn);
        if (attackers<PortableSliders>(board, turn, king, board.occupied()) != 0) {
            verdict = FenError{"turn", name_of(!turn) + " is in check and not to move"};
        }
    }
    if (!verdict) {
        verdict = check_castling(board);
    }
    if (!verdict && en_passant) {
        verdict = check_en_passant(board, turn, *en_passant);
    }
    if (!verdict) {
        verdict = check_checkers(board, turn, en_passant);
    }
    if (!verdict) {
        verdict = check_clock("halfmove", halfmove_clock);
    }
    if (!verdict) {
        verdict = check_clock("fullmove", fullmove_number);
    }
    if (verdict) {
        return std::unexpected(std::move(*verdict));
    }
    std::optional<Square> double_push;
    board.en_passant = 0;
    if (en_passant && (pawn_attacks[index(!turn)][*en_passant] & board.of(turn, Role::pawn)) != 0) {
        double_push = passed;
        if (en_passant_is_legal<PortableSliders>(board, turn, *en_passant)) {
            board.en_passant = bit(*en_passant);
        }
    }
    return Position{board, turn, double_push, halfmove_clock,
                    fullmove_number == 0 ? 1 : fullmove_number};
}

} // namespace adjourn::chess
