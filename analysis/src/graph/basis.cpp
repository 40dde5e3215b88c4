#include "analysis/basis.hpp"

namespace adjourn::analysis {

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

} // namespace adjourn::analysis
