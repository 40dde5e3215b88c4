// Score: a value of a position or move, from the side to move: centipawns, mate in plies, or a
// tablebase result. Ordering, negation, the step "one ply further from the end" and text are here
// and nowhere else. Unbounded and bound-free: a bound is never a Score.
#pragma once

#include <compare>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

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

} // namespace adjourn::chess

#include "chess/score_inline.hpp"
