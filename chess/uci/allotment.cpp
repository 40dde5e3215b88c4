#include "chess/uci/allotment.hpp"

#include <algorithm>

namespace adjourn::chess::uci {

using std::chrono::milliseconds;

namespace {

constexpr int moves_ahead = 30;          // that a game without time control still lasts
constexpr double increment_share = 0.75; // the rest is saved
constexpr double patience = 2.5;         // maximum ÷ optimum
constexpr double largest_share = 0.35;   // of the clock, for one move of several
constexpr double last_share = 0.8;       // for the last move before the control

constexpr milliseconds least{1};

milliseconds rounded(double ms) {
    return milliseconds{static_cast<std::int64_t>(ms)};
}

} // namespace

Allotment allot(const Clock& clock, std::optional<int> moves_to_go, milliseconds overhead) {
    const int moves = std::clamp(moves_to_go.value_or(moves_ahead), 1, moves_ahead + 20);
    const auto left = static_cast<double>(clock.left.count());
    const auto increment = static_cast<double>(clock.increment.count());
    // Each move to come costs its overhead too, as far as increments don't pay for it.
    const double reserve = static_cast<double>(overhead.count());
    const double usable = std::max(0.0, left - reserve);
    const double spread = std::max(0.0, usable - std::max(0.0, reserve - increment) * (moves - 1));
    const double most = usable * (moves == 1 ? last_share : largest_share);
    const double optimum = std::min(spread / moves + increment_share * increment, most);
    return {std::max(least, rounded(optimum)),
            std::max(least, rounded(std::min(optimum * patience, most)))};
}

Allotment allot(milliseconds movetime, milliseconds overhead) {
    const milliseconds time = std::max({least, movetime - overhead, movetime / 2});
    return {time, time};
}

std::optional<Allotment> allot(const Go& go, Color mover, milliseconds overhead) {
    if (go.movetime) {
        return allot(*go.movetime, overhead);
    }
    if (!go.white && !go.black) {
        return std::nullopt;
    }
    return allot((mover == Color::white ? go.white : go.black).value_or(Clock{}), go.moves_to_go,
                 overhead);
}

bool enough(const Allotment& allotment, milliseconds elapsed, milliseconds stable_since) {
    return elapsed >= allotment.maximum ||
           (elapsed >= allotment.optimum && stable_since <= elapsed / 2);
}

} // namespace adjourn::chess::uci
