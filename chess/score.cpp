#include "chess/score.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>

namespace adjourn::chess {

namespace {

// Moves of the side that mates, from plies: 1 ply is move 1, 2 plies (mated) too.
int moves_of(int plies) {
    return (plies + 1) / 2;
}

std::string pawns(int centipawns, bool with_plus) {
    char text[32];
    const int magnitude = centipawns < 0 ? -centipawns : centipawns;
    const char* sign = centipawns < 0 ? "-" : (with_plus && centipawns > 0 ? "+" : "");
    std::snprintf(text, sizeof text, "%s%d.%02d", sign, magnitude / 100, magnitude % 100);
    return text;
}

std::string mate(Score score) {
    // "#-0" is the side to move mated on the board: the sign says who has lost.
    return (score.is_loss() ? "#-" : "#") + std::to_string(moves_of(score.plies()));
}

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

std::string to_text(Score score) {
    switch (score.kind()) {
    case Score::Kind::mate: return mate(score);
    case Score::Kind::tablebase: break;
    default: return pawns(score.centipawns(), true);
    }
    switch (score.wdl()) {
    case Wdl::win: return "TB win (" + std::to_string(score.plies()) + ")";
    case Wdl::loss: return "TB loss (" + std::to_string(score.plies()) + ")";
    case Wdl::cursed_win: return "TB cursed win";
    case Wdl::blessed_loss: return "TB blessed loss";
    default: return "TB draw";
    }
}

// A tablebase win is 200.00 pawns less a hundredth for each ply of DTZ: no engine says so much
// without a mate, and shorter stays better for programs that only compare numbers.
std::string to_eval_text(Score white_score) {
    switch (white_score.kind()) {
    case Score::Kind::mate: return mate(white_score);
    case Score::Kind::tablebase: break;
    default: return pawns(white_score.centipawns(), false);
    }
    const int value = 20'000 - white_score.plies();
    if (white_score.is_win()) {
        return pawns(value, false);
    }
    return white_score.is_loss() ? pawns(-value, false) : pawns(0, false);
}

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
