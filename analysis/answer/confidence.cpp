#include "analysis/confidence.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace adjourn::analysis {

namespace {

// Of the logistic curve over log(1 + cost): docs/measurements/how-sure.md has the fit.
constexpr double at_nothing = -0.772;
constexpr double by_cost = 1.184;
constexpr double where_hard = -0.3;
// Nobody has seen what is surer than this.
constexpr double surest = 0.99;
constexpr double most_odds = 4.7; // a little more than that

constexpr std::string_view tested_engine = "Stockfish 15.1";
constexpr double smallest_tested = 12, largest_tested = 14; // log2 of nodes
constexpr std::size_t fewest_tested = 8, most_tested = 60;

// Standard deviations of the offsets. The recorded trees of some sizes were 19 points off the
// curve, twice 0.4; of contested ones it was tested, of clear ones not, of hard ones on few.
constexpr double of_engine = 0.4, of_kind = 0.25;
constexpr std::array of_group{0.25, 0.5, 0.75};

double log_odds(double cost, AnswerGroup group) {
    const double grade = at_nothing + by_cost * std::log1p(std::min(cost, 1e6));
    return std::min(grade, most_odds) + (group == AnswerGroup::hard ? where_hard : 0);
}

double chance_of(double odds) {
    return 1 / (1 + std::exp(-odds));
}

// The likeliest offset of these, beside one that they have already. By Newton's method with the
// most that p(1 − p) can be, a quarter: no step goes too far, whatever stood.
double offset_of(const std::vector<Fate>& fates, double beside, double deviation) {
    const double tie = 1 / (deviation * deviation);
    const double bend = tie + 0.25 * static_cast<double>(fates.size());
    double offset = 0, step = 1;
    for (int i = 0; i < 200 && std::abs(step) > 1e-6; ++i) {
        double up = -offset * tie;
        for (const Fate& fate : fates) {
            const double odds = log_odds(fate.cost, fate.kind.group) + beside + offset;
            up += (fate.stood ? 1 : 0) - chance_of(odds);
        }
        step = up / bend;
        offset += step;
    }
    return offset;
}

std::size_t index_of(AnswerGroup group) {
    return static_cast<std::size_t>(group);
}

} // namespace

bool confidence_is_tested(std::string_view engine, const Limit& limit, std::size_t evaluations) {
    const double size = effort(limit);
    return engine == tested_engine && size >= smallest_tested && size <= largest_tested &&
           evaluations >= fewest_tested && evaluations <= most_tested;
}

int size_class(const Limit& limit, std::uint64_t evaluations) {
    constexpr double doublings = 3; // in a class
    const double many = std::log2(static_cast<double>(std::max<std::uint64_t>(1, evaluations)));
    const double size = std::clamp(effort(limit), 0.0, 1'000.0); // a damaged limit may be anything
    return 100 * static_cast<int>(size / doublings) + static_cast<int>(many / doublings);
}

Calibration::Calibration(const std::vector<Fate>& fates) {
    std::array<std::vector<Fate>, groups> of_groups;
    std::map<AnswerKind, std::vector<Fate>> of_kinds;
    for (const Fate& fate : fates) {
        of_groups[index_of(fate.kind.group)].push_back(fate);
        of_kinds[fate.kind].push_back(fate);
    }
    const double engine = offset_of(fates, 0, of_engine);
    for (std::size_t i = 0; i < groups; ++i) {
        groups_[i] = engine + offset_of(of_groups[i], engine, of_group[i]);
    }
    for (const auto& [kind, all] : of_kinds) {
        const double group = groups_[index_of(kind.group)];
        LikeThis like;
        like.answers = all.size();
        like.offset = group + offset_of(all, group, of_kind);
        const auto n = static_cast<double>(all.size());
        for (const Fate& fate : all) {
            like.said += fate.said / n;
            like.stood += fate.stood ? 1 / n : 0;
        }
        constexpr double z = 1.96, square = z * z;
        const double spread = like.stood * (1 - like.stood) / n + square / (4 * n * n);
        const double middle = (like.stood + square / (2 * n)) / (1 + square / n);
        const double half = z * std::sqrt(std::max(0.0, spread)) / (1 + square / n);
        like.low = middle - half;
        like.high = middle + half;
        like_.emplace(kind, like);
    }
}

Confidence Calibration::confidence(double cost, const AnswerKind& kind) const {
    const auto like = like_.find(kind);
    const double offset = like == like_.end() ? groups_[index_of(kind.group)] : like->second.offset;
    const double chance = std::min(surest, chance_of(log_odds(cost, kind.group) + offset));
    constexpr std::array letters{'A', 'B', 'C', 'D', 'E'};
    for (std::size_t i = 0; i < letters.size(); ++i) {
        if (chance >= 0.9 - 0.1 * static_cast<double>(i)) {
            return {chance, letters[i]};
        }
    }
    return {chance, 'F'};
}

LikeThis Calibration::like(const AnswerKind& kind) const {
    const auto found = like_.find(kind);
    return found == like_.end() ? LikeThis{} : found->second;
}

} // namespace adjourn::analysis
