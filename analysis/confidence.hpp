// Confidence: how likely an answer is to stand after four times the work. A curve over the cost of
// what carries it, fitted on recorded trees and tested on others (docs/measurements/how-sure.md);
// what became of an engine's own answers corrects it.
#pragma once

#include "analysis/records.hpp"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace adjourn::analysis {

inline constexpr double confidence_times = 4; // the work

struct Confidence {
    double chance = 0; // 0 … 1
    char letter = 'F'; // A from 90 %, B from 80 %, … E from 50 %
};
// Of trees like those that it was tested on: the engine, the size of an evaluation, how many there
// are of them.
bool confidence_is_tested(std::string_view engine, const Limit& limit, std::size_t evaluations);

// The numbers are stored.
enum class AnswerGroup : std::uint8_t {
    contested = 0, // another move is near, as in the recorded trees
    clear = 1,     // none is
    hard = 2,      // the depths disagree: at a quarter of the work the answer was another one
};

// Answers of one kind are like each other.
struct AnswerKind {
    AnswerGroup group = AnswerGroup::contested;
    int size = 0; // size_class()

    friend auto operator<=>(const AnswerKind&, const AnswerKind&) = default;
};
// Of trees: in one class the evaluations are alike in size, and in number, but for a factor of 8.
int size_class(const Limit& limit, std::uint64_t evaluations);

// What became of an answer that has had four times the work.
struct Fate {
    AnswerKind kind;
    double cost = 0; // as in Verdict, then
    double said = 0; // the chance that was told then
    bool stood = false;
};

// Of the answers of one kind, shares 0 … 1. Nothing where there are none.
struct LikeThis {
    std::size_t answers = 0;
    double offset = 0;        // of the log odds
    double said = 0;          // the mean
    double stood = 0;         // how many did
    double low = 0, high = 0; // 95 % of that (Wilson), as if the answers were independent
};

// Calibration: the curve of one engine. Its log odds are those of the built-in curve and an offset
// of the engine, one of the group, and one of the kind. Each is likely to be small (a normal
// distribution), so few answers change little, and kinds learn from each other.
class Calibration {
public:
    Calibration() = default; // the built-in curve
    explicit Calibration(const std::vector<Fate>& fates);

    Confidence confidence(double cost, const AnswerKind& kind) const;
    LikeThis like(const AnswerKind& kind) const;

private:
    static constexpr std::size_t groups = 3;
    std::array<double, groups> groups_{}; // offsets, with the engine's
    std::map<AnswerKind, LikeThis> like_; // with the group's
};

} // namespace adjourn::analysis
