#include "search/interest.hpp"

#include <algorithm>
#include <cmath>

namespace adjourn::search {

using chess::Move;
using chess::MoveKind;
using chess::Role;
using enum InterestTerm;

namespace {

// By hand, then by games against itself: docs/measurements/benchmarks.md.
constexpr std::array<InterestWeight, interest_terms> tuned_by_games{{
    {"capture", 100, "ours"},
    {"check", 60, "R"},
    {"killer", 60, "R"},
    {"plausible", 60, "R"},
    {"dull", 50, "ours"},
    {"in_check", 16, "R"},
    {"single_reply", 24, "R"},
    {"futile", 100, "ours"},
    {"futile_more", 80, "ours"},
    {"sure", 90, "ours"},
    {"pass_fee", 96, "ours"},
    {"pass_share", 20, "ours"},
}};

constexpr int futile_up_to = 3 * interest_unit; // budgets in which a move can be left out …
constexpr int futile_interest = 70;             // … unless it has more
constexpr int sure_up_to = 4 * interest_unit;
constexpr int pass_from = 3 * interest_unit / 2;

float logarithm(int number) {
    static const std::array<float, 256> table = [] {
        std::array<float, 256> logarithms{};
        for (std::size_t i = 0; i < logarithms.size(); ++i) {
            logarithms[i] = std::log(static_cast<float>(i) + 1);
        }
        return logarithms;
    }();
    return table[static_cast<std::size_t>(std::clamp(number, 0, 255))];
}

// Where only pawns are left, to have to move may be what loses.
bool has_pieces(const chess::Position& position) {
    const chess::detail::Board& board = position.board();
    return (board.of(position.turn()) & ~board.of(Role::pawn) & ~board.of(Role::king)) != 0;
}

} // namespace

InterestWeights::InterestWeights() : table_{tuned_by_games} {}

std::optional<Value> InterestTree::idle(Rest rest, Value alpha, Value beta, int ply) {
    const chess::Position& here = position(ply);
    if (ply == 0 || beta - alpha > 1 || is_mate(beta) || here.in_check() || !has_pieces(here)) {
        return std::nullopt;
    }
    const InterestWeights& weights = options().interest;
    const Value value = value_of(ply);
    const Value margin = weights[sure] * rest / interest_unit;
    if (rest <= sure_up_to && value - margin >= beta) {
        return value - margin;
    }
    const bool passed_before = played(ply).move.raw() == 0;
    if (value < beta || rest < pass_from || passed_before) {
        return std::nullopt;
    }
    pass(ply);
    const Rest left = rest - weights[pass_fee] - rest * weights[pass_share] / 100;
    const Value passed = -negamax(*this, -beta, -alpha, left, ply + 1);
    if (stopped() || passed < beta) {
        return std::nullopt;
    }
    return is_mate(passed) ? beta : passed;
}

InterestTree::Moves::Moves(const InterestTree& tree, Rest rest, Value alpha, int ply)
    : tree_{tree}, weights_{tree.options().interest}, ply_{ply}, rest_{rest}, alpha_{alpha},
      ordered_{tree, ply}, in_check_{tree.position(ply).in_check()},
      fee_{interest_unit - (in_check_ ? weights_[in_check] : 0) -
           (ordered_.size() == 1 ? weights_[single_reply] : 0)} {
    fee_ = std::max(fee_, 1);
}

int InterestTree::Moves::interest(Move move) const {
    const chess::Position& here = tree_.position(ply_);
    const int checks = sight_->gives_check(move) ? weights_[check] : 0;
    if (here.is_capture(move) || move.kind() == MoveKind::promotion) {
        return checks + (exchange(here, move) >= 0 ? weights_[capture] : 0);
    }
    const MoveMemory& memory = tree_.memory();
    const int most = ordered_.most_history();
    return checks + (memory.is_killer(ply_, move) ? weights_[killer] : 0) +
           (most > 0 ? weights_[plausible] * memory.history(here.turn(), move) / most : 0);
}

std::optional<Step<Move, InterestTree::Rest>> InterestTree::Moves::next() {
    while (const std::optional<Move> move = ordered_.next()) {
        const Rest full = rest_ - fee_;
        if (ordered_.rank() == 0) {
            return Step<Move, Rest>{*move, full};
        }
        if (!sight_) {
            sight_.emplace(tree_.position(ply_));
            value_ = in_check_ ? infinite : tree_.value_of(ply_);
        }
        const int interesting = interest(*move);
        const float more = logarithm(ordered_.rank()) * logarithm(rest_ / interest_unit) *
                           static_cast<float>(std::max(0, 100 - interesting) * weights_[dull]) *
                           interest_unit / 10'000;
        const Rest left = full - static_cast<int>(more);
        const Value hoped =
            value_ + weights_[futile] + weights_[futile_more] * std::max(left, 0) / interest_unit;
        if (ply_ > 0 && interesting <= futile_interest && left <= futile_up_to &&
            !is_mate(alpha_) && hoped <= alpha_) {
            continue;
        }
        return Step<Move, Rest>{*move, left, full};
    }
    return std::nullopt;
}

} // namespace adjourn::search
