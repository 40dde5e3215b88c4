#include "engine/chances.hpp"

#include <cmath>

namespace adjourn::engine {

namespace {

// A game is won as often as lost or drawn together at `middle` centipawns; `spread` is how slowly
// that changes.
constexpr double middle = 70;
constexpr double spread = 110;

int permille_won(double centipawns) {
    return static_cast<int>(std::lround(1'000 / (1 + std::exp((middle - centipawns) / spread))));
}

} // namespace

chess::WinDrawLoss chances(chess::Score score) {
    if (score.is_win() || score.is_loss()) {
        return score.is_win() ? chess::WinDrawLoss{1'000, 0, 0} : chess::WinDrawLoss{0, 0, 1'000};
    }
    const double centipawns = score.is_cp() ? score.centipawns() : 0;
    const int win = permille_won(centipawns);
    const int loss = permille_won(-centipawns);
    return {static_cast<std::uint16_t>(win), static_cast<std::uint16_t>(1'000 - win - loss),
            static_cast<std::uint16_t>(loss)};
}

} // namespace adjourn::engine
