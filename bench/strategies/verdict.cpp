#include "bench/strategies/verdict.hpp"

#include "bench/strategies/recorded_trees.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <ostream>

namespace adjourn::bench {

namespace {

using Values = std::map<chess::Move, double>;

constexpr double decided = 1'000; // cp; the values of assessments are within that
constexpr double tolerance = 5;   // cp: moves so close to the best one count as the same
constexpr double near = 50;       // cp: values are compared of moves so close to the best one
// Contenders that the others are compared with; where they do not take part, these tables lack.
const std::string choice_yardstick = "one search";
const std::string value_yardstick = "multipv";

double worse_than_best(const Values& values, chess::Move move) {
    if (values.empty()) {
        return 0;
    }
    double best = values.begin()->second;
    for (const auto& [other, value] : values) {
        best = std::max(best, value);
    }
    return best - values.at(move);
}

Values means(const JudgedRoot& root) {
    Values values;
    for (const auto& [move, judgement] : root.values) {
        values.emplace(move, judgement.value());
    }
    return values;
}

// Centipawns that the choice is worth less than the best judged move; 0 where all chose alike.
double regret(const JudgedRoot& root, std::size_t contender) {
    return worse_than_best(means(root), root.assessments[contender].move);
}

std::vector<double> regrets(const std::vector<JudgedRoot>& roots, std::size_t contender) {
    std::vector<double> result;
    result.reserve(roots.size());
    for (const JudgedRoot& root : roots) {
        result.push_back(regret(root, contender));
    }
    return result;
}

std::optional<std::size_t> find(const std::vector<std::string>& names, const std::string& name) {
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? std::nullopt
                                : std::optional{static_cast<std::size_t>(found - names.begin())};
}

void print_choices(const std::vector<std::string>& names, const std::vector<JudgedRoot>& roots,
                   const Bootstrap& how, std::ostream& out) {
    const auto yardstick = find(names, choice_yardstick);
    const std::string within = number(tolerance, 0) + " cp";
    Rows rows{{"decision", "regret, cp", "within " + within}};
    if (yardstick) {
        const std::string& name = names[*yardstick];
        rows[0].insert(rows[0].end(), {"less than " + name + ", cp", "better / same / worse",
                                       "same move as " + name});
    }
    for (std::size_t c = 0; c < names.size(); ++c) {
        const std::vector<double> own = regrets(roots, c);
        std::vector<double> good;
        good.reserve(own.size());
        for (const double value : own) {
            good.push_back(value <= tolerance ? 100 : 0);
        }
        std::vector<std::string> row{names[c], cell(bootstrap_mean(own, how), 1),
                                     cell(bootstrap_mean(good, how), 0) + " %"};
        if (yardstick && *yardstick != c) {
            const std::vector<double> theirs = regrets(roots, *yardstick);
            std::vector<double> gains;
            int better = 0;
            int worse = 0;
            int same = 0;
            for (std::size_t i = 0; i < own.size(); ++i) {
                gains.push_back(theirs[i] - own[i]);
                better += gains.back() > tolerance ? 1 : 0;
                worse += gains.back() < -tolerance ? 1 : 0;
                same +=
                    roots[i].assessments[c].move == roots[i].assessments[*yardstick].move ? 1 : 0;
            }
            const int all = static_cast<int>(own.size());
            row.push_back(cell(bootstrap_mean(gains, how), 1));
            row.push_back(std::to_string(better) + " / " + std::to_string(all - better - worse) +
                          " / " + std::to_string(worse));
            row.push_back(std::to_string(same));
        } else if (yardstick) {
            row.insert(row.end(), {"", "", std::to_string(own.size())});
        }
        rows.push_back(std::move(row));
    }
    print_table(rows, out);
}

// Sums over one root's moves near the best one.
struct Errors {
    double count = 0;  // moves
    double valued = 0; // of these, with a value by the contender
    double sum = 0;    // of its errors
    double common = 0; // moves that the yardstick has a value of, too
    double own = 0;    // errors on these
    double theirs = 0;
};

// Which of a contender's numbers is judged.
enum class Judged : std::uint8_t { value, estimate };

// What the contender says of the moves; where nothing is estimated (mates, tables), the value.
Values said_of(const Assessment& assessment, Judged judged) {
    Values said;
    for (const auto& [move, value] : assessment.values) {
        const auto estimate = assessment.estimates.find(move);
        const bool estimated = judged == Judged::estimate && estimate != assessment.estimates.end();
        said.emplace(move, estimated ? std::clamp(estimate->second.cp, -decided, decided) : value);
    }
    return said;
}

Errors errors_at(const JudgedRoot& root, std::size_t contender, Judged judged,
                 std::optional<std::size_t> yardstick) {
    Errors errors;
    const Values values = means(root);
    const Values assessments = said_of(root.assessments[contender], judged);
    for (const auto& [move, value] : values) {
        if (worse_than_best(values, move) > near) {
            continue;
        }
        ++errors.count;
        const auto own = assessments.find(move);
        if (own == assessments.end()) {
            continue;
        }
        ++errors.valued;
        errors.sum += std::abs(own->second - value);
        if (yardstick) {
            const auto& others = root.assessments[*yardstick].values;
            if (const auto other = others.find(move); other != others.end()) {
                ++errors.common;
                errors.own += std::abs(own->second - value);
                errors.theirs += std::abs(other->second - value);
            }
        }
    }
    return errors;
}

void print_values(const std::vector<std::string>& names, const std::vector<JudgedRoot>& roots,
                  const Bootstrap& how, std::ostream& out) {
    const auto yardstick = find(names, value_yardstick);
    Rows rows{{"moves within " + number(near, 0) + " cp of the best", "have a value", "error, cp"}};
    if (yardstick) {
        rows[0].insert(rows[0].end(),
                       {"moves that " + names[*yardstick] + " has, too", "less error than it, cp"});
    }
    const auto add_row = [&](std::size_t c, Judged judged) {
        std::vector<Errors> errors;
        errors.reserve(roots.size());
        for (const JudgedRoot& root : roots) {
            errors.push_back(errors_at(root, c, judged, yardstick));
        }
        const auto total = [&](double Errors::*part, std::span<const std::size_t> items) {
            double sum = 0;
            for (const std::size_t item : items) {
                sum += errors[item].*part;
            }
            return sum;
        };
        std::vector<std::size_t> all(errors.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i] = i;
        }
        const std::string name = judged == Judged::estimate ? names[c] + ", estimates" : names[c];
        std::vector<std::string> row{name, number(total(&Errors::valued, all), 0) + " of " +
                                               number(total(&Errors::count, all), 0)};
        const auto error = [&](std::span<const std::size_t> items) {
            return total(&Errors::sum, items) / total(&Errors::valued, items);
        };
        row.push_back(total(&Errors::valued, all) > 0 ? cell(bootstrap(roots.size(), error, how), 1)
                                                      : "");
        if (yardstick) {
            const auto less = [&](std::span<const std::size_t> items) {
                return (total(&Errors::theirs, items) - total(&Errors::own, items)) /
                       total(&Errors::common, items);
            };
            row.push_back(number(total(&Errors::common, all), 0));
            row.push_back(c != *yardstick && total(&Errors::common, all) > 0
                              ? cell(bootstrap(roots.size(), less, how), 1)
                              : "");
        }
        rows.push_back(std::move(row));
    };
    for (std::size_t c = 0; c < names.size(); ++c) {
        add_row(c, Judged::value);
        if (std::ranges::any_of(roots, [&](const JudgedRoot& root) {
                return !root.assessments[c].estimates.empty();
            })) {
            add_row(c, Judged::estimate);
        }
    }
    print_table(rows, out);
}

// Whether the intervals of the estimates keep what they promise.
void print_estimates(const std::vector<std::string>& names, const std::vector<JudgedRoot>& roots,
                     const Bootstrap& how, std::ostream& out) {
    Rows rows{{"90 % intervals of estimates", "of moves", "half width, cp", "hold the reference"}};
    for (std::size_t c = 0; c < names.size(); ++c) {
        std::vector<double> moves(roots.size());
        std::vector<double> held(roots.size());
        double width = 0;
        double count = 0;
        for (std::size_t i = 0; i < roots.size(); ++i) {
            const Coverage coverage =
                coverage_of(roots[i].assessments[c].estimates, roots[i].values, near);
            moves[i] = static_cast<double>(coverage.moves);
            held[i] = static_cast<double>(coverage.held);
            count += moves[i];
            width += coverage.half_widths;
        }
        if (count == 0) {
            continue;
        }
        const auto share = [&](std::span<const std::size_t> items) {
            double all = 0;
            double good = 0;
            for (const std::size_t item : items) {
                all += moves[item];
                good += held[item];
            }
            return 100 * good / all;
        };
        rows.push_back({names[c], number(count, 0), number(width / count, 1),
                        cell(bootstrap(roots.size(), share, how), 0) + " %"});
    }
    if (rows.size() > 1) {
        print_table(rows, out);
    }
}

// How far the reference's two forms differ, and what it costs to choose by the one and to be judged
// by the other: no contender can be shown to be better than that.
void print_floor(const std::vector<JudgedRoot>& roots, const Bootstrap& how, std::ostream& out) {
    std::vector<double> differences;
    std::vector<double> by_root;
    std::vector<double> by_child;
    for (const JudgedRoot& root : roots) {
        Values at_root;
        Values below;
        for (const auto& [move, judgement] : root.values) {
            at_root.emplace(move, judgement.at_root);
            below.emplace(move, judgement.below);
            differences.push_back(std::abs(judgement.at_root - judgement.below));
        }
        if (at_root.empty()) {
            by_root.push_back(0);
            by_child.push_back(0);
            continue;
        }
        const auto best = [](const Values& values) {
            return std::ranges::max_element(values, {}, [](const auto& v) { return v.second; })
                ->first;
        };
        by_root.push_back(worse_than_best(below, best(at_root)));
        by_child.push_back(worse_than_best(at_root, best(below)));
    }
    if (differences.empty()) {
        return;
    }
    out << "Noise of the reference: its two forms differ by "
        << cell(bootstrap_mean(differences, how), 1)
        << " cp a move; to choose by the search at the root and be judged by the one below costs "
        << cell(bootstrap_mean(by_root, how), 1) << " cp, the other way round "
        << cell(bootstrap_mean(by_child, how), 1) << " cp.\n\n";
}

} // namespace

void print_verdict(const std::vector<std::string>& contenders, const std::vector<JudgedRoot>& roots,
                   const Bootstrap& how, std::ostream& out) {
    out << "Mean [95 % interval] over " << roots.size() << " roots; " << contenders.size() - 1
        << " comparisons, not corrected for their number\n\n";
    print_floor(roots, how, out);
    print_choices(contenders, roots, how, out);
    print_values(contenders, roots, how, out);
    print_estimates(contenders, roots, how, out);
}

} // namespace adjourn::bench
