#include "analysis/records.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace adjourn::analysis {

double effort(const Limit& limit) {
    assert(limit.amount > 0);
    const auto amount = static_cast<double>(limit.amount);
    switch (limit.kind) {
    case Limit::Kind::depth: return 6.5 + 0.6 * amount;
    case Limit::Kind::movetime: return std::log2(amount) + std::log2(1'000.0);
    case Limit::Kind::nodes: break;
    }
    return std::log2(amount);
}

Limit limit_of(Limit::Kind kind, double effort) {
    constexpr double limit_rounding = 1e-6;
    const double amount = kind == Limit::Kind::depth      ? (effort - 6.5) / 0.6
                          : kind == Limit::Kind::movetime ? std::exp2(effort - std::log2(1'000.0))
                                                          : std::exp2(effort);
    constexpr double most = 9e18; // below 2^63; a deeper search of another kind has no equal
    if (!(amount < most)) {
        return {kind, static_cast<std::uint64_t>(most)};
    }
    const double least = std::max(1.0, std::floor(amount));
    Limit limit{kind, static_cast<std::uint64_t>(least)};
    while (analysis::effort(limit) < effort - limit_rounding) {
        ++limit.amount;
    }
    return limit;
}

std::size_t QuestionHash::operator()(const Question& question) const noexcept {
    std::uint64_t hash = chess::PackedPositionHash{}(question.position);
    const auto mix = [&](std::uint64_t value) {
        hash = (hash ^ value) * 0x9e37'79b9'7f4a'7c15;
        hash ^= hash >> 32;
    };
    mix(static_cast<std::uint64_t>(question.engine));
    mix(static_cast<std::uint64_t>(question.limit.kind));
    mix(question.limit.amount);
    for (const chess::Move move : question.excluded) {
        mix(move.raw() + std::uint64_t{1}); // a move may be 0, the end is not a move
    }
    return static_cast<std::size_t>(hash);
}

namespace {

bool mates_at_once(const Evaluation& fact) {
    if (fact.score != chess::Score::mate_in(1)) {
        return false;
    }
    const auto position = chess::Position::unpack(fact.question.position);
    return position && position->is_legal(*fact.move) &&
           position->after(*fact.move).terminal() == chess::Terminal::checkmate;
}

} // namespace

double least_effort(const Limit& limit) {
    constexpr double a_ply = 0.6;
    constexpr double a_factor_of_2 = 1.0;
    constexpr double limit_rounding = 1e-6; // rounding errors
    return effort(limit) - (limit.kind == Limit::Kind::depth ? a_ply : a_factor_of_2) -
           limit_rounding;
}

bool large_enough(const Basis& basis, const Evaluation& fact) {
    return effort(fact.question.limit) >= basis.least_effort || (fact.move && mates_at_once(fact));
}

bool counts(const Basis& basis, const Evaluation& fact) {
    return fact.move && fact.score && fact.bound == Bound::exact &&
           !base::contains(fact.question.excluded, *fact.move) && large_enough(basis, fact);
}

Evaluation provisional(Evaluation fact, const Basis& basis) {
    constexpr double inside = 1.5e-6; // of the rounding errors of least_effort() and limit_of()
    Limit& limit = fact.question.limit;
    limit.amount = std::min(limit.amount, limit_of(limit.kind, basis.least_effort + inside).amount);
    return fact;
}

std::vector<chess::Position> repeated_before(const chess::Position& start,
                                             std::span<const chess::Move> moves) {
    std::vector<chess::Position> once;
    std::vector<chess::Position> repeated;
    chess::Position position = start;
    for (const chess::Move move : moves) {
        if (position.is_irreversible(move)) {
            once.clear();
            repeated.clear();
        } else if (!base::contains(once, position)) {
            once.push_back(position);
        } else if (!base::contains(repeated, position)) {
            repeated.push_back(position);
        }
        position.play(move);
    }
    std::erase(repeated, position);
    return repeated;
}

} // namespace adjourn::analysis
