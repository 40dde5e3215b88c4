#include "tune.hpp"

#include "configuration.hpp"
#include "openings.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <random>

namespace adjourn::bench {

using search::InterestTerm;

namespace {

// Of a hundred, what is left: never more than all.
bool is_share(InterestTerm term) {
    switch (term) {
    case InterestTerm::losing:
    case InterestTerm::same_from:
    case InterestTerm::same_piece:
    case InterestTerm::same_kind:
    case InterestTerm::same_target:
    case InterestTerm::beyond: return true;
    default: return false;
    }
}

Tuned tuned_weight(InterestTerm term, const search::InterestWeight& weight) {
    const double value = weight.points;
    if (is_share(term)) {
        return {weight.name, value, 4, 1, 100};
    }
    const double reach = std::max(4.0, std::abs(value) / 5);
    switch (term) {
    case InterestTerm::tie: return {weight.name, value, reach, -200, 0}; // lowers
    case InterestTerm::least: return {weight.name, value, 3, 1, 100};
    case InterestTerm::carry: return {weight.name, value, 2, 0, 100};
    default: return {weight.name, value, reach, 0, 10'000};
    }
}

// Either neighbour, as near as the number is to it: what is small moves, too.
int rounded_by_chance(double value, std::mt19937_64& random) {
    const double below = std::floor(value);
    const double share = static_cast<double>(random() >> 11) * 0x1p-53;
    return static_cast<int>(below) + (share < value - below ? 1 : 0);
}

} // namespace

std::vector<Tuned> tuned_numbers(const search::InterestOptions& from) {
    std::vector<Tuned> numbers;
    const auto& table = from.weights.table();
    for (std::size_t i = 0; i < table.size(); ++i) {
        numbers.push_back(tuned_weight(static_cast<InterestTerm>(i), table[i]));
    }
    numbers.push_back({"step", static_cast<double>(from.step), 2, 1, 200});
    numbers.push_back({"entry", static_cast<double>(from.entry), 6, 0, 500});
    return numbers;
}

std::vector<Tuned> tune(std::vector<Tuned> numbers, std::uint64_t pairs, std::uint64_t seed,
                        const CompareBoth& compare) {
    constexpr double alpha = 0.602;
    constexpr double gamma = 0.101;
    constexpr double rate = 0.006; // at the end: of the reach, for each half point more
    const auto whole = static_cast<double>(pairs);
    const double steady = whole / 10;
    std::mt19937_64 random{seed};
    for (std::uint64_t pair = 0; pair < pairs; ++pair) {
        const double k = static_cast<double>(pair) + 1;
        const double wider = std::pow(whole / k, gamma);
        const double faster = std::pow((steady + whole) / (steady + k), alpha) / (wider * wider);
        std::vector<int> up;
        std::vector<int> down;
        std::vector<double> moved;
        for (const Tuned& number : numbers) {
            moved.push_back((random() & 1) == 0 ? number.reach * wider : -number.reach * wider);
            const auto bounded = [&](double value) {
                return rounded_by_chance(std::clamp(value, number.least, number.most), random);
            };
            up.push_back(bounded(number.value + moved.back()));
            down.push_back(bounded(number.value - moved.back()));
        }
        const double better = compare(up, down, pair);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            numbers[i].value = std::clamp(numbers[i].value + rate * faster * better * moved[i],
                                          numbers[i].least, numbers[i].most);
        }
    }
    return numbers;
}

std::string words_of(const std::vector<Tuned>& numbers) {
    std::string words;
    for (const Tuned& number : numbers) {
        words += (words.empty() ? "" : ",") + number.name + "=" +
                 std::to_string(std::lround(number.value));
    }
    return words;
}

std::vector<Tuned> tune_by_games(const std::vector<chess::Position>& openings,
                                 const Contestant& player, std::uint64_t pairs) {
    const std::vector<Tuned> numbers = tuned_numbers(player.options.interest);
    const auto with = [&](const std::vector<int>& values) {
        Contestant changed = player;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const bool known = read_setting(numbers[i].name, values[i], changed.options);
            assert(known);
            (void)known;
        }
        return changed;
    };
    constexpr std::uint64_t seed = 1;
    return tune(numbers, pairs, seed,
                [&](const std::vector<int>& up, const std::vector<int>& down, std::uint64_t pair) {
                    MatchScore score;
                    play_pair(opening_of(openings, pair), with(up), with(down), score);
                    return double(score.wins - score.losses);
                });
}

} // namespace adjourn::bench
