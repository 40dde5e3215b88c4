#include "search/interest.hpp"

#include <algorithm>
#include <cmath>

namespace adjourn::search {

using chess::Move;
using chess::MoveKind;
using enum InterestTerm;

namespace {

// By hand, then by games against itself: docs/measurements/benchmarks.md.
constexpr std::array<InterestWeight, interest_terms> tuned_by_games{{
    {"capture", 100, "ours"},
    {"check", 60, "R"},
    {"plausible", 60, "R"},
    {"dull", 50, "ours"},
    {"in_check", 16, "R"},
    {"futile", 100, "ours"},
    {"futile_more", 80, "ours"},
}};

constexpr int futile_up_to = 3 * interest_unit; // budgets in which a move can be left out …
constexpr int futile_interest = 70;             // … unless it has more

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

} // namespace

InterestWeights::InterestWeights() : table_{tuned_by_games} {}

InterestTree::Moves::Moves(const InterestTree& tree, Rest rest, Value alpha, int ply)
    : tree_{tree}, weights_{tree.options().interest}, ply_{ply}, rest_{rest}, alpha_{alpha},
      ordered_{tree, ply}, in_check_{tree.position(ply).in_check()},
      fee_{std::max(1, interest_unit - (in_check_ ? weights_[in_check] : 0))} {}

int InterestTree::Moves::interest(Move move) const {
    const chess::Position& here = tree_.position(ply_);
    const int checks = sight_->gives_check(move) ? weights_[check] : 0;
    if (here.is_capture(move) || move.kind() == MoveKind::promotion) {
        return checks + (exchange(here, move) >= 0 ? weights_[capture] : 0);
    }
    const MoveMemory& memory = tree_.memory();
    const int most = ordered_.most_history();
    return checks + (most > 0 ? weights_[plausible] * memory.history(here.turn(), move) / most : 0);
}

std::optional<Step<Move, InterestTree::Rest>> InterestTree::Moves::next() {
    const std::optional<Move> move = ordered_.next();
    if (!move) {
        return std::nullopt;
    }
    const Rest full = rest_ - fee_;
    if (ordered_.rank() == 0) {
        return Step<Move, Rest>{*move, full};
    }
    if (!sight_) {
        sight_.emplace(tree_.position(ply_));
        looks_ = in_check_ ? infinite : tree_.value_of(ply_);
    }
    const int interesting = interest(*move);
    const float more = logarithm(ordered_.rank()) * logarithm(rest_ / interest_unit) *
                       static_cast<float>(std::max(0, 100 - interesting) * weights_[dull]) *
                       interest_unit / 10'000;
    const Rest left = full - static_cast<int>(more);
    const Value hoped =
        looks_ + weights_[futile] + weights_[futile_more] * std::max(left, 0) / interest_unit;
    if (ply_ > 0 && interesting <= futile_interest && left <= futile_up_to && !is_mate(alpha_) &&
        hoped <= alpha_) {
        return Step<Move, Rest>{*move, 0, {}, hoped};
    }
    return Step<Move, Rest>{*move, left, full};
}

} // namespace adjourn::search
