// WinDrawLoss: how likely an engine takes each result to be, in permille, from one side's point of
// view. What UCI calls "wdl". It stands beside a score and never in its place.
#pragma once

#include <cstdint>
#include <optional>

namespace adjourn::chess {

struct WinDrawLoss {
    std::uint16_t win = 0;
    std::uint16_t draw = 1'000;
    std::uint16_t loss = 0;

    // The three are 1,000 in all; of numbers that were rounded, up to 2 more or less, the draw
    // takes what is missing. nullopt: they are no such numbers.
    static constexpr std::optional<WinDrawLoss> of(int win, int draw, int loss) {
        constexpr int all = 1'000, rounding = 2;
        const int missing = all - win - draw - loss;
        if (win < 0 || draw < 0 || loss < 0 || win > all || draw > all || loss > all ||
            missing > rounding || missing < -rounding || draw + missing < 0) {
            return std::nullopt;
        }
        return WinDrawLoss{static_cast<std::uint16_t>(win),
                           static_cast<std::uint16_t>(draw + missing),
                           static_cast<std::uint16_t>(loss)};
    }

    // The other side's.
    constexpr WinDrawLoss operator-() const { return {loss, draw, win}; }
    // Points that the side may expect of a game, 0 to 1.
    constexpr double expected() const { return (win + draw / 2.0) / 1'000; }

    friend bool operator==(const WinDrawLoss&, const WinDrawLoss&) = default;
};

} // namespace adjourn::chess
