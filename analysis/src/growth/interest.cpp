#include "analysis/interest.hpp"

#include "board_sight.hpp"

#include <algorithm>
#include <cmath>

namespace adjourn::analysis {

namespace {

std::uint64_t bit(chess::Square square) {
    return std::uint64_t{1} << square.index();
}

Pieces moved(const Pieces& board, chess::Move move) {
    Pieces after = board;
    auto& piece = after[static_cast<std::size_t>(move.to().index())];
    piece = after[static_cast<std::size_t>(move.from().index())];
    after[static_cast<std::size_t>(move.from().index())].reset();
    if (move.kind() == chess::MoveKind::promotion) {
        piece->role = move.promotion_role();
    }
    return after;
}

struct Step {
    int file;
    int rank;
    bool straight() const { return file == 0 || rank == 0; }
};
constexpr std::array<Step, 8> steps{
    {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};

bool slides(chess::Role role, Step step) {
    return role == chess::Role::queen ||
           role == (step.straight() ? chess::Role::rook : chess::Role::bishop);
}

// The first two pieces on the way from a square.
std::array<std::optional<chess::Piece>, 2> seen_from(const Pieces& board, int square, Step step) {
    std::array<std::optional<chess::Piece>, 2> seen;
    std::size_t count = 0;
    int file = square % 8 + step.file;
    int rank = square / 8 + step.rank;
    for (; count < 2 && file >= 0 && file < 8 && rank >= 0 && rank < 8;
         file += step.file, rank += step.rank) {
        if (const auto& piece =
                board[static_cast<std::size_t>(rank) * 8 + static_cast<std::size_t>(file)]) {
            seen[count++] = piece;
        }
    }
    return seen;
}

} // namespace

Interest::Interest(const chess::Position& position)
    : position_{position}, board_{pieces_of(position)} {
    const chess::Color us = position.turn();
    const auto moves = static_cast<double>(std::max<std::size_t>(1, position.legal_moves().size()));
    base_ = interest_weights.shared / moves;
    if (position.in_check()) {
        base_ *= 2;
        checkers_ = attackers_of(board_, position.king(us), !us);
    }
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

double Interest::of_unknown(double base, const Occasion& occasion) {
    const InterestWeights& weights = interest_weights;
    const double points = base + (occasion.after_check ? weights.after_check : 0);
    return std::max(weights.least, points * std::pow(weights.fading, occasion.beyond));
}

double Interest::of(double base, const MoveLook& look, const MoveStanding& standing,
                    const Occasion& occasion) {
    const InterestWeights& weights = interest_weights;
    double points = base + look.points;
    points += standing.best ? weights.best : 0;
    points += standing.principal ? weights.principal : 0;
    points += standing.engine_choice ? weights.engine_choice : 0;
    points += standing.best_quiet ? weights.best_quiet : 0;
    points += standing.killer ? weights.killer : 0;
    points += standing.reply ? weights.reply : 0;
    return of_unknown(points, occasion);
}

MoveLook Interest::look(chess::Move move) const {
    const InterestWeights& weights = interest_weights;
    const bool takes = position_.is_capture(move);
    const bool promotes = move.kind() == chess::MoveKind::promotion;
    const bool checks = position_.gives_check(move);
    const chess::Piece piece = *board_[static_cast<std::size_t>(move.from().index())];
    MoveLook look;
    look.from = move.from();
    look.role = piece.role;
    look.takes_nothing = !takes && !promotes;
    look.kind = promotes                                   ? MoveLook::Kind::promotion
                : takes                                    ? MoveLook::Kind::capture
                : move.kind() == chess::MoveKind::castling ? MoveLook::Kind::castling
                : checks                                   ? MoveLook::Kind::check
                                                           : MoveLook::Kind::quiet;
    if (takes) {
        look.points += weights.capture;
        const auto& victim = board_[static_cast<std::size_t>(move.to().index())];
        if (victim && (worth(victim->role) > worth(piece.role) ||
                       attackers_of(board_, move.to(), !position_.turn()) == 0)) {
            look.points += weights.good_capture;
        }
        look.points += (checkers_ & bit(move.to())) != 0 ? weights.takes_checker : 0;
    }
    look.points += checks ? weights.check : 0;
    look.points += promotes ? weights.promotion : 0;
    look.points += pins_something(move) ? weights.pin : 0;
    look.points += attacks_something(move) ? weights.attack : 0;
    look.points += answers_threat(move) ? weights.answer : 0;
    return look;
}

double MoveLook::after(const MoveLook& tried) const {
    const InterestWeights& weights = interest_weights;
    const double piece = tried.from == from   ? weights.same_from
                         : tried.role == role ? weights.same_piece
                                              : 1;
    return piece * (tried.kind == kind ? weights.same_kind : 1);
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
    const Pieces after = moved(board_, move);
    const auto& piece = after[static_cast<std::size_t>(move.to().index())];
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

bool Interest::pins_something(chess::Move move) const {
    if (move.kind() == chess::MoveKind::castling) {
        return false;
    }
    const Pieces after = moved(board_, move);
    const int square = move.to().index();
    const chess::Piece piece = *after[static_cast<std::size_t>(square)];
    return std::any_of(steps.begin(), steps.end(), [&](Step step) {
        const auto [front, behind] = seen_from(after, square, step);
        return slides(piece.role, step) && front && behind && front->color != piece.color &&
               behind->color != piece.color && worth(behind->role) > worth(front->role);
    });
}

} // namespace adjourn::analysis
