#include "chess/endgame/quiet.hpp"

#include "endgame/role_attacks.hpp"

namespace adjourn::chess {

namespace {

using namespace detail;

bool can_capture(const Board& board, Color us) {
    const Bitboard occupied = board.occupied();
    const Bitboard prey = board.of(!us) & ~board.of(Role::king);
    for (int r = 0; r <= static_cast<int>(Role::king); ++r) {
        const auto role = static_cast<Role>(r);
        Bitboard hunters = board.of(us, role);
        while (hunters != 0) {
            const int from = pop_lowest(hunters);
            Bitboard targets = role_attacks(role, us, from, occupied) & prey;
            while (targets != 0) {
                const int to = pop_lowest(targets);
                const int king = role == Role::king ? to : king_square(board, us);
                const Bitboard checkers =
                    attackers<PortableSliders>(board, !us, king, occupied & ~bit(from));
                if ((checkers & ~bit(to)) == 0) {
                    return true;
                }
            }
        }
    }
    return false;
}

} // namespace

bool is_quiet(const Position& position) {
    const Board& board = position.board();
    return board.en_passant == 0 && !can_capture(board, Color::white) &&
           !can_capture(board, Color::black);
}

} // namespace adjourn::chess
