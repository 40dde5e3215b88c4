// Score: a value of a position or move, from the side to move: centipawns, mate in plies, or a
// tablebase result. Ordering, negation, the step "one ply further from the end" and text are here
// and nowhere else. Unbounded and bound-free: a bound is never a Score.
#pragma once

#include "chess/types.hpp"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::chess {

enum class Wdl : std::int8_t {
    loss = -2,
    blessed_loss = -1, // a loss that the 50-move rule turns into a draw
    draw = 0,
    cursed_win = 1,
    win = 2,
};

// Total order by value: mate for us (sooner first) > tablebase win (shorter DTZ first) > centipawns
// > tablebase loss > mated. Cursed win, tablebase draw and blessed loss all have the value 0, as cp
// 0 has: equivalent in the order but not equal (operator== compares what the score says).
class Score {
public:
    enum class Kind : std::uint8_t { cp, mate, tablebase };

    // Clamped to ±max_cp.
    static constexpr Score cp(int value);
    // Mate given by the side to move in `plies` (odd in practice).
    static constexpr Score mate_in(int plies);
    // The side to move is mated in `plies`; 0 = is mated now.
    static constexpr Score mated_in(int plies);
    // dtz: plies ≥ 0 to the next zeroing move (or conversion) of the winning side.
    static constexpr Score tablebase(Wdl wdl, int dtz);

    static constexpr int max_cp = 100'000;
    static constexpr int max_plies = 9'999;

    constexpr Kind kind() const { return kind_; }
    constexpr bool is_cp() const { return kind_ == Kind::cp; }
    // Precondition: is_cp().
    constexpr int centipawns() const { return value_; }
    // Plies to mate (kind mate) or DTZ (kind tablebase); always ≥ 0.
    constexpr int plies() const;
    constexpr Wdl wdl() const; // precondition: kind tablebase
    // Game-theoretically decided: mate, or a tablebase win or loss.
    constexpr bool is_win() const { return value_ > max_cp; }
    constexpr bool is_loss() const { return value_ < -max_cp; }

    // Position on one integer scale, for arithmetic on gaps and for windows: cp as they are, wins
    // and losses beyond ±max_cp. Two scores are equivalent iff their ranks are equal.
    constexpr int rank() const { return value_; }

    // Seen from the other side.
    constexpr Score operator-() const;
    // The value of a move from the value of the position it leads to, both from their own mover's
    // side: negated, and mate or tablebase distance one ply longer.
    constexpr Score backed_up() const;
    // The inverse of backed_up() (distance never below 0).
    constexpr Score followed() const;

    friend constexpr bool operator==(Score, Score) = default;
    friend constexpr std::weak_ordering operator<=>(Score a, Score b) {
        return a.value_ <=> b.value_;
    }

    // Stable 32-bit form for the store; inverse fails on forms that encode() never makes.
    constexpr std::uint32_t encode() const;
    static constexpr std::expected<Score, int> decode(std::uint32_t code);

private:
    constexpr Score(Kind kind, Wdl wdl, int value) : value_(value), kind_(kind), wdl_(wdl) {}

    static constexpr int mate_base = 300'000;
    static constexpr int tablebase_base = 200'000;

    // 32 bits in all: the graph holds millions of scores.
    std::int32_t value_ : 24;
    Kind kind_ : 4;
    Wdl wdl_ : 4; // only for tablebase, else draw
};

// What others may say of a position, engines, machines and files alike. Another number is refused,
// never taken to the nearest limit.
inline constexpr int most_told_mate = 246;  // moves, of either sign
inline constexpr int most_told_cp = 29'753; // of either sign; mates as centipawns are beyond
inline constexpr int most_told_depth = 245; // plies, of a file: what a limit of ours can be
// Whether a score, made of what somebody has told, is within: a score is one of centipawns or a
// mate.
constexpr bool may_be_told(Score score);
// Moves to the mate that the side to move gives or, negative, suffers; 0: it is mated.
constexpr std::optional<Score> told_mate(std::int64_t moves);
constexpr std::optional<Score> told_cp(std::int64_t centipawns);

// "+0.23", "-1.50", "#5", "#-3" (moves), "TB win (12)": from the point of view of whoever it is
// told for.
std::string to_text(Score score);
// PGN [%eval …] body: "0.23" or "#-3". A tablebase win is 200.00 less a hundredth per ply of DTZ.
std::string to_eval_text(Score white_score);

// The constexpr bodies of score.hpp.

constexpr Score Score::cp(int value) {
    return {Kind::cp, Wdl::draw, std::clamp(value, -max_cp, max_cp)};
}

constexpr Score Score::mate_in(int plies) {
    return {Kind::mate, Wdl::draw, mate_base - std::clamp(plies, 0, max_plies)};
}

constexpr Score Score::mated_in(int plies) {
    return {Kind::mate, Wdl::draw, -mate_base + std::clamp(plies, 0, max_plies)};
}

constexpr Score Score::tablebase(Wdl wdl, int dtz) {
    const int distance = std::clamp(dtz, 0, max_plies);
    switch (wdl) {
    case Wdl::win: return {Kind::tablebase, wdl, tablebase_base - distance};
    case Wdl::loss: return {Kind::tablebase, wdl, -tablebase_base + distance};
    default: return {Kind::tablebase, wdl, 0};
    }
}

constexpr int Score::plies() const {
    const int magnitude = value_ < 0 ? -value_ : value_;
    switch (kind_) {
    case Kind::mate: return mate_base - magnitude;
    case Kind::tablebase: return magnitude == 0 ? 0 : tablebase_base - magnitude;
    default: return 0;
    }
}

constexpr Wdl Score::wdl() const {
    return wdl_;
}

constexpr Score Score::operator-() const {
    return {kind_, static_cast<Wdl>(-static_cast<int>(wdl_)), -value_};
}

constexpr Score Score::backed_up() const {
    Score result = -*this;
    if (result.is_win() && plies() < max_plies) {
        --result.value_;
    } else if (result.is_loss() && plies() < max_plies) {
        ++result.value_;
    }
    return result;
}

constexpr Score Score::followed() const {
    Score result = -*this;
    if (plies() > 0) {
        if (result.is_win()) {
            ++result.value_;
        } else if (result.is_loss()) {
            --result.value_;
        }
    }
    return result;
}

constexpr std::uint32_t Score::encode() const {
    return static_cast<std::uint32_t>(value_ + (1 << 20)) |
           static_cast<std::uint32_t>(kind_) << 24 |
           static_cast<std::uint32_t>(static_cast<int>(wdl_) + 2) << 28;
}

constexpr std::expected<Score, int> Score::decode(std::uint32_t code) {
    const auto value = static_cast<std::int32_t>(code & 0xffffff) - (1 << 20);
    const auto kind = (code >> 24) & 15;
    const auto wdl = static_cast<int>(code >> 28) - 2;
    if (kind > 2 || wdl < -2 || wdl > 2) {
        return std::unexpected(1);
    }
    const Score score{static_cast<Kind>(kind), static_cast<Wdl>(wdl), value};
    const int distance = score.plies();
    Score expected = cp(value);
    if (score.kind_ == Kind::mate) {
        expected = value > 0 ? mate_in(distance) : mated_in(distance);
    } else if (score.kind_ == Kind::tablebase) {
        expected = tablebase(score.wdl_, distance);
    }
    if (expected != score) {
        return std::unexpected(1);
    }
    return score;
}

constexpr bool may_be_told(Score score) {
    const int plies = 2 * most_told_mate - (score.is_win() ? 1 : 0);
    return score.kind() == Score::Kind::mate
               ? score.plies() <= plies
               : score.rank() >= -most_told_cp && score.rank() <= most_told_cp;
}

constexpr std::optional<Score> told_mate(std::int64_t moves) {
    if (moves < -most_told_mate || moves > most_told_mate) {
        return std::nullopt;
    }
    const int plies = 2 * static_cast<int>(moves);
    return moves > 0 ? Score::mate_in(plies - 1) : Score::mated_in(-plies);
}

constexpr std::optional<Score> told_cp(std::int64_t centipawns) {
    return centipawns < -most_told_cp || centipawns > most_told_cp
               ? std::nullopt
               : std::optional{Score::cp(static_cast<int>(centipawns))};
}

// Bound: how an engine means the score of an info line, for the side to move: as it is, at least
// so good (lower), or at most so good (upper).

enum class Bound : std::uint8_t { exact, lower, upper };

// WinDrawLoss: how likely an engine takes each result to be, in permille, from one side's point of
// view. What UCI calls "wdl". It stands beside a score and never in its place.

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

// What scores are worth in chances to win, and how well a game was played by them. All formulas are
// those of lichess (https://lichess.org/page/accuracy; lila, AccuracyPercent and WinPercent).

// From 0 (lost) to 100 (won), 50 is even; of the side that the score is of. Scores beyond 10 pawns
// and mates count as 10 pawns.
double win_percent(Score score);
// The same from -1 to 1.
double winning_chances(Score score);

// How well a move was played, 0 to 100: by win_percent of its mover before and after it.
double move_accuracy(double before, double after);

// Of one game: for each side the mean of the volatility-weighted mean and the harmonic mean of its
// moves' accuracies. `white` are White's win percentages of all positions from before the first
// move to after the last; `first` is who moves first. Nothing for a side that has not moved.
struct GameAccuracy {
    std::optional<double> white;
    std::optional<double> black;
};
GameAccuracy game_accuracy(const std::vector<double>& white, Color first);

// What a move loses in winning chances (0 to 2) as a NAG: 6 (dubious, from 0.1), 2 (mistake, from
// 0.2), 4 (blunder, from 0.3); 0 below.
int nag_of_loss(double loss);

} // namespace adjourn::chess
