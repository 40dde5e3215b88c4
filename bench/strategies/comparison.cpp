#include "bench/strategies/comparison.hpp"

#include "table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <ostream>

namespace adjourn::bench {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

bool measured_at(const Contender& contender, std::size_t evaluations) {
    return contender.only.empty() || std::find(contender.only.begin(), contender.only.end(),
                                               evaluations) != contender.only.end();
}

void print_quality(const std::vector<Contender>& contenders, const ComparisonOptions& options,
                   std::ostream& out) {
    Rows rows{{"regret, cp, after"}};
    for (const std::size_t budget : options.budgets) {
        rows[0].push_back(std::to_string(budget));
    }
    rows[0].push_back("move within " + number(options.tolerance, 0) + " cp");
    const std::size_t roots = contenders.front().regret.size();
    for (const Contender& contender : contenders) {
        std::vector<std::string> row{contender.name};
        for (const std::size_t budget : options.budgets) {
            row.push_back(measured_at(contender, budget)
                              ? cell(bootstrap(
                                         roots,
                                         [&](std::span<const std::size_t> items) {
                                             return mean_regret(contender, items, budget);
                                         },
                                         options.bootstrap),
                                     1)
                              : "");
        }
        std::vector<double> good;
        for (const auto& regret : contender.regret) {
            good.push_back(regret[options.budgets.back() - 1] <= options.tolerance ? 100 : 0);
        }
        row.push_back(cell(bootstrap_mean(good, options.bootstrap), 0) + " %");
        rows.push_back(std::move(row));
    }
    print_table(rows, out);
}

void print_pairs(const std::vector<Contender>& contenders, const Contender& against,
                 const ComparisonOptions& options, std::ostream& out) {
    Rows rows{{"less regret than " + against.name}};
    std::vector<std::size_t> budgets;
    for (const std::size_t budget : options.budgets) {
        if (measured_at(against, budget)) {
            budgets.push_back(budget);
            rows[0].push_back("after " + std::to_string(budget) + ", cp");
        }
    }
    rows[0].push_back("better / same / worse");
    for (const Contender& contender : contenders) {
        if (&contender == &against) {
            continue;
        }
        std::vector<std::string> row{contender.name};
        for (const std::size_t budget : budgets) {
            if (!measured_at(contender, budget)) {
                row.emplace_back("");
                continue;
            }
            std::vector<double> gains;
            for (std::size_t i = 0; i < contender.regret.size(); ++i) {
                gains.push_back(against.regret[i][budget - 1] - contender.regret[i][budget - 1]);
            }
            row.push_back(cell(bootstrap_mean(gains, options.bootstrap), 1));
        }
        int better = 0;
        int worse = 0;
        const std::size_t last = budgets.back() - 1;
        for (std::size_t i = 0; i < contender.regret.size(); ++i) {
            const double gain = against.regret[i][last] - contender.regret[i][last];
            better += gain > options.tolerance ? 1 : 0;
            worse += gain < -options.tolerance ? 1 : 0;
        }
        const int all = static_cast<int>(contender.regret.size());
        row.push_back(std::to_string(better) + " / " + std::to_string(all - better - worse) +
                      " / " + std::to_string(worse));
        rows.push_back(std::move(row));
    }
    print_table(rows, out);
}

// Per root; the budget where it is not held.
std::vector<double> holding(const Contender& contender, double tolerance) {
    std::vector<double> result;
    for (const auto& regret : contender.regret) {
        result.push_back(
            static_cast<double>(holds_from(regret, tolerance).value_or(regret.size())));
    }
    return result;
}

double ratio_of_sums(const std::vector<double>& above, const std::vector<double>& below,
                     std::span<const std::size_t> items) {
    double a = 0;
    double b = 0;
    for (const std::size_t item : items) {
        a += above[item];
        b += below[item];
    }
    return a / b;
}

void print_decisions(const std::vector<Contender>& contenders, const Contender* yardstick,
                     const ComparisonOptions& options, std::ostream& out) {
    Rows rows{{"evaluations until the reference's move is", "reached (mean)", "held (mean)",
               "held at the end", "held: share of " + options.yardstick + "'s"}};
    for (const Contender& contender : contenders) {
        if (!contender.only.empty()) {
            continue;
        }
        std::vector<double> reached;
        std::vector<double> held;
        for (const auto& regret : contender.regret) {
            reached.push_back(
                static_cast<double>(reached_at(regret, options.tolerance).value_or(regret.size())));
            held.push_back(holds_from(regret, options.tolerance) ? 100 : 0);
        }
        const std::vector<double> needed = holding(contender, options.tolerance);
        std::vector<std::string> row{contender.name,
                                     cell(bootstrap_mean(reached, options.bootstrap), 1),
                                     cell(bootstrap_mean(needed, options.bootstrap), 1),
                                     cell(bootstrap_mean(held, options.bootstrap), 0) + " %"};
        if (yardstick != nullptr) {
            const std::vector<double> theirs = holding(*yardstick, options.tolerance);
            row.push_back(cell(bootstrap(
                                   needed.size(),
                                   [&](std::span<const std::size_t> items) {
                                       return ratio_of_sums(needed, theirs, items);
                                   },
                                   options.bootstrap),
                               2));
        } else {
            row.emplace_back("");
        }
        rows.push_back(std::move(row));
    }
    print_table(rows, out);
}

void print_speed(const std::vector<Contender>& contenders, const Contender& yardstick,
                 const ComparisonOptions& options, std::ostream& out) {
    Rows rows{{"evaluations for the quality of " + yardstick.name + " at"}};
    for (const std::size_t budget : options.budgets) {
        rows[0].push_back(std::to_string(budget));
    }
    for (const Contender& contender : contenders) {
        if (!contender.only.empty()) {
            continue;
        }
        std::vector<std::string> row{contender.name};
        for (const std::size_t budget : options.budgets) {
            const Interval needed = bootstrap(
                contender.regret.size(),
                [&](std::span<const std::size_t> items) {
                    const auto count =
                        evaluations_for(contender, items, mean_regret(yardstick, items, budget));
                    return count ? static_cast<double>(*count) : infinite;
                },
                options.bootstrap);
            row.push_back(cell(needed, 0));
        }
        rows.push_back(std::move(row));
    }
    print_table(rows, out);
}

} // namespace

std::optional<std::size_t> holds_from(const std::vector<double>& regret, double tolerance) {
    std::size_t from = regret.size();
    while (from > 0 && regret[from - 1] <= tolerance) {
        --from;
    }
    return from == regret.size() ? std::nullopt : std::optional{from + 1};
}

std::optional<std::size_t> reached_at(const std::vector<double>& regret, double tolerance) {
    const auto found = std::find_if(regret.begin(), regret.end(),
                                    [&](double value) { return value <= tolerance; });
    return found == regret.end()
               ? std::nullopt
               : std::optional{static_cast<std::size_t>(found - regret.begin()) + 1};
}

double mean_regret(const Contender& contender, std::span<const std::size_t> roots,
                   std::size_t evaluations) {
    double sum = 0;
    for (const std::size_t root : roots) {
        sum += contender.regret[root][evaluations - 1];
    }
    return sum / static_cast<double>(roots.size());
}

std::optional<std::size_t> evaluations_for(const Contender& contender,
                                           std::span<const std::size_t> roots, double goal) {
    constexpr double rounding = 1e-9;
    const std::size_t budget = contender.regret.front().size();
    std::size_t from = budget + 1;
    while (from > 1 && mean_regret(contender, roots, from - 1) <= goal + rounding) {
        --from;
    }
    return from > budget ? std::nullopt : std::optional{from};
}

void print_comparison(const std::vector<Contender>& contenders, const ComparisonOptions& options,
                      std::ostream& out) {
    const auto named = [&](const std::string& name) {
        const auto found = std::find_if(contenders.begin(), contenders.end(),
                                        [&](const Contender& c) { return c.name == name; });
        return found == contenders.end() ? nullptr : &*found;
    };
    out << "Mean [95 % interval] over " << contenders.front().regret.size() << " roots\n\n";
    print_quality(contenders, options, out);
    const Contender* yardstick = named(options.yardstick);
    for (const Contender& contender : contenders) {
        if (&contender == yardstick || !contender.only.empty()) {
            print_pairs(contenders, contender, options, out);
        }
    }
    print_decisions(contenders, yardstick, options, out);
    if (yardstick != nullptr) {
        print_speed(contenders, *yardstick, options, out);
    }
}

} // namespace adjourn::bench
