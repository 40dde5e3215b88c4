// What a line is worth where it ends.
//
// captures: the side to move may rest on the evaluation, or take, promote and, at the first ply,
// give check, as long as static exchange loses nothing; out of check it has all its moves.
//
// consistency: after D. F. Beal, "Recent progress in understanding minimax search" (ACM Annual
// Conference 1983): a position is consistent if its backed-up one-ply value agrees with its
// evaluation, and what is not is expanded. The threshold loosens with the ply, so that the search
// ends by itself; a bound on its size makes sure. As in his "A generalised quiescence search
// algorithm" (Artificial Intelligence 43, 1990) the side to move need not move: it has at least its
// evaluation, here less the threshold.
#include "search/board_sight.hpp"
#include "search/tree.hpp"

#include <algorithm>

namespace adjourn::search {

using chess::Move;
using chess::MoveKind;
using chess::Role;

namespace {

struct RatedMove { // trivial, since most of an array of them is never used
    std::uint16_t raw;
    int rating;
};

// The most promising of those not yet taken comes to the front.
Move pick(RatedMove* from, RatedMove* end) {
    std::iter_swap(from, std::max_element(from, end, [](const RatedMove& a, const RatedMove& b) {
                       return a.rating < b.rating;
                   }));
    return Move::from_raw(from->raw);
}

// Most valuable victim, then least valuable attacker.
int rating_of_capture(const chess::Position& position, Move move) {
    const Role attacker = role_on(position.board(), move.from());
    int rating = -static_cast<int>(attacker);
    if (move.kind() == MoveKind::promotion) {
        rating += exchange_value(move.promotion_role());
    }
    if (move.kind() == MoveKind::en_passant) {
        return rating + exchange_value(Role::pawn);
    }
    const bool takes = (position.board().of(!position.turn()) & bit_of(move.to())) != 0;
    return rating + (takes ? exchange_value(role_on(position.board(), move.to())) : 0);
}

} // namespace

Value Tree::leaf(Value alpha, Value beta, int ply) {
    switch (options_.quiescence) {
    case Quiescence::none: return position(ply).has_legal_move() ? value_of(ply) : no_move(ply);
    case Quiescence::captures: return captures(alpha, beta, ply, 1);
    case Quiescence::consistency: break;
    }
    leaf_nodes_end_ = nodes_ + static_cast<std::uint64_t>(options_.consistency.most_nodes);
    return consistency(alpha, beta, ply, 0);
}

Value Tree::evasions(Value alpha, Value beta, int ply, int checks) {
    Value best = mated_at(ply);
    const chess::Position& here = position(ply);
    std::array<RatedMove, 256> moves;
    RatedMove* end = moves.data();
    for (const Move move : here.legal_moves()) {
        *end++ = {move.raw(), here.is_capture(move) ? 1'000 + rating_of_capture(here, move) : 0};
    }
    for (RatedMove* next = moves.data(); next != end; ++next) {
        play(pick(next, end), ply);
        const Value value = -captures(-beta, -std::max(alpha, best), ply + 1, checks);
        if (stopped_) {
            return best;
        }
        best = std::max(best, value);
        if (best >= beta) {
            break;
        }
    }
    return best;
}

Value Tree::captures(Value alpha, Value beta, int ply, int checks) {
    longest_ = std::max(longest_, ply);
    line_sizes_[at(ply)] = 0;
    const chess::Position& here = position(ply);
    if (stopped_ || is_dead(here)) {
        return 0;
    }
    if (ply >= max_ply) {
        return value_of(ply);
    }
    if (here.in_check()) {
        return evasions(alpha, beta, ply, checks - 1);
    }
    Value best = value_of(ply);
    if (best >= beta) {
        return best;
    }
    std::array<RatedMove, 256> moves;
    RatedMove* end = moves.data();
    if (checks > 0) {
        const CheckSight sight{here};
        for (const Move move : here.legal_moves()) {
            if (here.is_capture(move) || move.kind() == MoveKind::promotion) {
                *end++ = {move.raw(), rating_of_capture(here, move)};
            } else if (sight.gives_check(move)) {
                *end++ = {move.raw(), -1'000};
            }
        }
    } else {
        for (const Move move : here.legal_captures()) {
            *end++ = {move.raw(), rating_of_capture(here, move)};
        }
    }
    for (RatedMove* next = moves.data(); next != end; ++next) {
        const Move move = pick(next, end);
        if (exchange(here, move) < 0) {
            continue;
        }
        play(move, ply);
        const Value value = -captures(-beta, -std::max(alpha, best), ply + 1, checks - 1);
        if (stopped_) {
            return best;
        }
        best = std::max(best, value);
        if (best >= beta) {
            break;
        }
    }
    return best;
}

Value Tree::consistency(Value alpha, Value beta, int ply, int depth) {
    longest_ = std::max(longest_, ply);
    line_sizes_[at(ply)] = 0;
    const ConsistencyOptions& how = options_.consistency;
    const chess::Position& here = position(ply);
    if (stopped_ || is_dead(here)) {
        return 0;
    }
    const Value evaluation = value_of(ply);
    if (ply >= max_ply) {
        return evaluation;
    }
    const int threshold = how.threshold * (100 + how.loosening * depth) / 100;
    const bool in_check = here.in_check();
    const Value floor = in_check ? mated_at(ply) : evaluation - threshold;
    if (floor >= beta) {
        return floor;
    }
    // One ply: every move by what it leads to.
    std::array<RatedMove, 256> moves;
    RatedMove* end = moves.data();
    for (const Move move : here.legal_moves()) {
        play(move, ply);
        if (stopped_) {
            return evaluation;
        }
        *end++ = {move.raw(), -value_of(ply + 1)};
    }
    if (end == moves.data()) {
        return no_move(ply);
    }
    const Value one_ply = std::max_element(moves.data(), end, [](auto& a, auto& b) {
                              return a.rating < b.rating;
                          })->rating;
    const int disagreement = std::abs(one_ply - evaluation) - threshold;
    if (disagreement <= 0 && !in_check) {
        return evaluation;
    }
    if (depth >= how.most_plies || nodes_ >= leaf_nodes_end_) {
        return std::min(evaluation, one_ply);
    }
    // What is as far from the best as the two disagree is expanded; the rest is worth what it looks
    // like, but not more than the position did: nobody has looked at the answers.
    Value best = floor;
    for (RatedMove* next = moves.data(); next != end; ++next) {
        const Move move = pick(next, end);
        if (!in_check && next->rating < one_ply - disagreement) {
            best = std::max(best, std::min(next->rating, evaluation));
            break;
        }
        play(move, ply);
        const Value value = -consistency(-beta, -std::max(alpha, best), ply + 1, depth + 1);
        if (stopped_) {
            return best;
        }
        best = std::max(best, value);
        if (best >= beta) {
            break;
        }
    }
    return best;
}

} // namespace adjourn::search
