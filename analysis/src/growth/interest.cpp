#include "analysis/interest.hpp"

#include "board_sight.hpp"

#include <algorithm>
#include <cmath>

namespace adjourn::analysis {

namespace {

std::uint64_t bit(chess::Square square) {
    return std::uint64_t{1} << square.index();
}

double points_of_rank(int rank) {
    const auto& table = interest_weights.rank;
    return table[std::min(static_cast<std::size_t>(rank), table.size() - 1)];
}

} // namespace

Interest::Interest(const chess::Position& position)
    : position_{position}, board_{pieces_of(position)}, in_check_{position.in_check()},
      legal_{position.legal_moves().size()} {
    const chess::Color us = position.turn();
    for (int i = 0; i < 64; ++i) {
        const chess::Square square{i};
        const auto& piece = board_[static_cast<std::size_t>(i)];
        if (!piece || piece->color != us || piece->role == chess::Role::king) {
            continue;
        }
        const std::uint64_t attackers = attackers_of(board_, square, !us);
        const bool guarded = attackers_of(board_, square, us) != 0;
        for (int k = 0; k < 64; ++k) {
            const auto& enemy = board_[static_cast<std::size_t>(k)];
            if ((attackers >> k & 1) != 0 &&
                (!guarded || worth(enemy->role) < worth(piece->role))) {
                threatened_ |= bit(square);
                threats_ |= bit(chess::Square{k});
            }
        }
    }
}

double Interest::quiet(int rank) {
    return points_of_rank(rank);
}

double Interest::of(chess::Move move, const MoveStanding& standing,
                    std::span<const chess::Move> tried) const {
    const InterestWeights& weights = interest_weights;
    double points = points_of_rank(standing.rank) + on_board(move);
    points += standing.principal ? weights.principal : 0;
    points += standing.engine_choice ? weights.engine_choice : 0;
    points += legal_ == 1 ? weights.only : 0;
    return std::max(weights.least, points * likeness(move, tried));
}

double Interest::on_board(chess::Move move) const {
    const InterestWeights& weights = interest_weights;
    double points = 0;
    if (position_.is_capture(move)) {
        points += weights.capture;
        const auto& victim = board_[static_cast<std::size_t>(move.to().index())];
        const auto& taker = board_[static_cast<std::size_t>(move.from().index())];
        if (victim && (worth(victim->role) > worth(taker->role) ||
                       attackers_of(board_, move.to(), !position_.turn()) == 0)) {
            points += weights.good_capture;
        }
    }
    points += position_.gives_check(move) ? weights.check : 0;
    points += in_check_ ? weights.evasion : 0;
    points += move.kind() == chess::MoveKind::promotion ? weights.promotion : 0;
    points += attacks_something(move) ? weights.attack : 0;
    points += answers_threat(move) ? weights.answer : 0;
    return points;
}

bool Interest::answers_threat(chess::Move move) const {
    if (move.kind() == chess::MoveKind::castling) {
        return false;
    }
    return (threatened_ & bit(move.from())) != 0 || (threats_ & bit(move.to())) != 0;
}

bool Interest::attacks_something(chess::Move move) const {
    if (move.kind() == chess::MoveKind::castling) {
        return false;
    }
    auto after = board_;
    auto& piece = after[static_cast<std::size_t>(move.to().index())];
    piece = after[static_cast<std::size_t>(move.from().index())];
    after[static_cast<std::size_t>(move.from().index())].reset();
    if (move.kind() == chess::MoveKind::promotion) {
        piece->role = move.promotion_role();
    }
    const chess::Color us = position_.turn();
    for (int i = 0; i < 64; ++i) {
        const auto& enemy = after[static_cast<std::size_t>(i)];
        if (!enemy || enemy->color == us || enemy->role == chess::Role::king) {
            continue;
        }
        const chess::Square square{i};
        if ((attackers_of(after, square, us) & bit(move.to())) != 0 &&
            (attackers_of(board_, square, us) & bit(move.from())) == 0 &&
            (worth(enemy->role) > worth(piece->role) || attackers_of(after, square, !us) == 0)) {
            return true;
        }
    }
    return false;
}

Interest::Kind Interest::kind_of(chess::Move move) const {
    if (move.kind() == chess::MoveKind::promotion) {
        return Kind::promotion;
    }
    if (position_.is_capture(move)) {
        return Kind::capture;
    }
    if (move.kind() == chess::MoveKind::castling) {
        return Kind::castling;
    }
    return position_.gives_check(move) ? Kind::check : Kind::quiet;
}

double Interest::likeness(chess::Move move, std::span<const chess::Move> tried) const {
    const InterestWeights& weights = interest_weights;
    const auto role = [&](chess::Move m) {
        return board_[static_cast<std::size_t>(m.from().index())]->role;
    };
    double factor = 1;
    for (const chess::Move other : tried) {
        if (other.from() == move.from()) {
            factor *= weights.same_from;
        } else if (role(other) == role(move)) {
            factor *= weights.same_piece;
        }
        factor *= kind_of(other) == kind_of(move) ? weights.same_kind : 1;
    }
    return factor;
}

} // namespace adjourn::analysis
