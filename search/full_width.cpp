#include "search/full_width.hpp"

#include "search/board_sight.hpp"

#include "search/exchange.hpp"

namespace adjourn::search {

using chess::Move;
using chess::MoveKind;
using chess::Role;

namespace {

constexpr int first_of_all = 1'000'000;
constexpr int takes_well = 500'000;
constexpr int killer_rating = 400'000;
constexpr int reply_rating = 300'000;
constexpr int takes_badly = -500'000;
constexpr int small_promotion = -900'000;

int order_of_capture(const chess::Position& position, Move move) {
    if (move.kind() == MoveKind::promotion && move.promotion_role() != Role::queen) {
        return small_promotion;
    }
    const chess::detail::Board& board = position.board();
    const Role attacker = role_on(board, move.from());
    const bool takes = (board.of(!position.turn()) & bit_of(move.to())) != 0;
    const int victim = takes ? exchange_value(role_on(board, move.to())) : 0;
    const bool safe = (move.kind() == MoveKind::normal && victim >= exchange_value(attacker)) ||
                      exchange(position, move) >= 0;
    return (safe ? takes_well : takes_badly) + 8 * victim - static_cast<int>(attacker);
}

} // namespace

FullWidth::Moves::Moves(const FullWidth& tree, Rest rest, int ply)
    : moves_{tree.position(ply).legal_moves()}, rest_{rest}, tree_{tree}, ply_{ply} {
    const chess::Position& here = tree.position(ply);
    const std::optional<Move> first = tree.first_move(tree.find(ply), ply);
    const MoveMemory& memory = tree.memory();
    for (std::size_t i = 0; i < moves_.size(); ++i) {
        const Move move = moves_[i];
        int& rating = ratings_[i];
        if (first == move) {
            rating = first_of_all;
        } else if (here.is_capture(move) || move.kind() == MoveKind::promotion) {
            rating = order_of_capture(here, move);
        } else if (memory.is_killer(ply, move)) {
            rating = killer_rating + (memory.is_first_killer(ply, move) ? 1 : 0);
        } else if (memory.is_reply(here.turn(), tree.played(ply), move)) {
            rating = reply_rating;
        } else {
            rating = memory.history(here.turn(), move);
        }
    }
}

std::optional<Step<Move, FullWidth::Rest>> FullWidth::Moves::next() {
    while (done_ < moves_.size()) {
        std::size_t best = done_;
        for (std::size_t i = done_ + 1; i < moves_.size(); ++i) {
            best = ratings_[i] > ratings_[best] ? i : best;
        }
        const Move move = moves_[best];
        moves_.swap(done_, best);
        std::swap(ratings_[done_], ratings_[best]);
        ++done_;
        if (tree_.is_open(ply_, move)) {
            return Step<Move, Rest>{move, rest_ - 1};
        }
    }
    return std::nullopt;
}

std::optional<Value> FullWidth::recall(Rest rest, Value alpha, Value beta, int ply) const {
    if (ply == 0 || options().table == TableUse::none) {
        return std::nullopt;
    }
    const TableEntry* const entry = find(ply);
    if (entry == nullptr) {
        return std::nullopt;
    }
    const int kept = static_cast<int>(entry->rest);
    const bool enough = options().table == TableUse::same ? kept == rest : kept >= rest;
    return enough ? bound_of(*entry, alpha, beta, ply) : std::nullopt;
}

} // namespace adjourn::search
