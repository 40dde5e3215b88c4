#include "chess/winning_chances.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace adjourn::chess {

namespace {

constexpr int most_cp = 1'000;

double mean_of(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) {
        sum += value;
    }
    return sum / static_cast<double>(values.size());
}

// How much the game swings in these positions: their standard deviation, within bounds.
double volatility(const std::vector<double>& values) {
    const double mean = mean_of(values);
    double squares = 0;
    for (const double value : values) {
        squares += (value - mean) * (value - mean);
    }
    return std::clamp(std::sqrt(squares / static_cast<double>(values.size())), 0.5, 12.0);
}

struct SideAccuracy {
    double weighted = 0;
    double weights = 0;
    double inverse = 0;
    std::size_t moves = 0;

    void add(double accuracy, double weight) {
        weighted += accuracy * weight;
        weights += weight;
        inverse += 1 / std::max(accuracy, 1e-3); // a zero would make the mean 0 for good
        ++moves;
    }
    std::optional<double> accuracy() const {
        if (moves == 0) {
            return std::nullopt;
        }
        return (weighted / weights + static_cast<double>(moves) / inverse) / 2;
    }
};

} // namespace

double win_percent(Score score) {
    return 50 + 50 * winning_chances(score);
}

double winning_chances(Score score) {
    const int cp = std::clamp(score.rank(), -most_cp, most_cp);
    return 2 / (1 + std::exp(-0.00368208 * cp)) - 1;
}

double move_accuracy(double before, double after) {
    if (after >= before) {
        return 100;
    }
    const double raw =
        103.1668100711649 * std::exp(-0.04354415386753951 * (before - after)) - 3.166924740191411;
    return std::clamp(raw + 1, 0.0, 100.0); // one is added as the searches are not sure, either
}

GameAccuracy game_accuracy(const std::vector<double>& white, Color first) {
    if (white.size() < 2) {
        return {};
    }
    const std::size_t moves = white.size() - 1;
    const std::size_t window = std::min(std::clamp<std::size_t>(moves / 10, 2, 8), white.size());
    std::array<SideAccuracy, 2> sides{};
    for (std::size_t i = 0; i < moves; ++i) {
        // The first moves share the first window.
        const std::size_t begin = i + 2 > window ? i + 2 - window : 0;
        const auto from = white.begin() + static_cast<std::ptrdiff_t>(begin);
        const double weight = volatility({from, from + static_cast<std::ptrdiff_t>(window)});
        const bool whites = (i % 2 == 0) == (first == Color::white);
        const double before = whites ? white[i] : 100 - white[i];
        const double after = whites ? white[i + 1] : 100 - white[i + 1];
        sides[whites ? 0 : 1].add(move_accuracy(before, after), weight);
    }
    return {sides[0].accuracy(), sides[1].accuracy()};
}

int nag_of_loss(double loss) {
    return loss >= 0.3 ? 4 : loss >= 0.2 ? 2 : loss >= 0.1 ? 6 : 0;
}

} // namespace adjourn::chess
