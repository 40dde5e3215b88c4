#include "bench/benches.hpp"

#include "bench/arguments.hpp"
#include "bench/strategies/assessments.hpp"
#include "bench/strategies/grown_trees.hpp"
#include "bench/strategies/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <numeric>
#include <ostream>
#include <stdexcept>

namespace adjourn::bench {

namespace {

using analysis::AnswerGroup;

// Of these looks the answer is tried: what is said, and whether it stands after four times the
// work.
constexpr int first_tried = 2, last_tried = looks - 1 - quarter;

// An answer, and whether it was the same after four times the work.
struct Trial {
    analysis::Fate fate;
    bool tune = false;
    int look = 0;
};

std::vector<Trial> trials_of(const GrownTree& tree) {
    std::vector<Trial> trials;
    for (int number = first_tried; number <= last_tried; ++number) {
        const Look &then = tree.look(number), &after = tree.look(number + quarter);
        if (then.cost && after.answer) {
            const auto kind = tree.kind(number);
            trials.push_back(
                {{kind, *then.cost, analysis::Calibration{}.confidence(*then.cost, kind).chance,
                  then.answer == after.answer},
                 in_tune_set(tree.root),
                 number});
        }
    }
    return trials;
}

// Of the logistic curve over log(1 + cost), by Newton's method on the logarithm of the likelihood.
std::pair<double, double> fitted(const std::vector<Trial>& trials) {
    double a = 0, b = 1;
    for (int step = 0; step < 50; ++step) {
        double da = 0, db = 0, aa = 1e-9, ab = 0, bb = 1e-9;
        for (const auto& [fate, tune, look] : trials) {
            const double x = std::log1p(std::min(fate.cost, 1e6));
            const double p = 1 / (1 + std::exp(-(a + b * x)));
            const double off = (fate.stood ? 1 : 0) - p, weight = p * (1 - p);
            da += off;
            db += off * x;
            aa += weight;
            ab += weight * x;
            bb += weight * x * x;
        }
        const double determinant = aa * bb - ab * ab;
        // No step is longer: far from the best one the curve is too flat to trust.
        constexpr double longest = 1;
        a += std::clamp((da * bb - db * ab) / determinant, -longest, longest);
        b += std::clamp((db * aa - da * ab) / determinant, -longest, longest);
    }
    return {a, b};
}

using Told = std::function<double(const Trial&)>; // the chance that is said

// A row for each tenth, and one for all.
void print_reliability(const std::string& name, const std::vector<Trial>& trials, const Told& told,
                       std::ostream& out) {
    if (trials.empty()) {
        return;
    }
    Rows rows{{name + ": said, %", "answers", "mean of what was said, %", "stood, %"}};
    const auto add = [&](const std::string& what, double least, double most) {
        std::vector<double> stood, said;
        for (const Trial& trial : trials) {
            const double chance = 100 * told(trial);
            if (chance >= least && chance < most) {
                stood.push_back(trial.fate.stood ? 100 : 0);
                said.push_back(chance);
            }
        }
        if (!stood.empty()) {
            rows.push_back({what, std::to_string(stood.size()),
                            number(std::accumulate(said.begin(), said.end(), 0.0) /
                                       static_cast<double>(said.size()),
                                   1),
                            cell(bootstrap_mean(stood), 0)});
        }
    };
    for (int tenth = 0; tenth < 10; ++tenth) {
        add(std::to_string(10 * tenth) + " to " + std::to_string(10 * tenth + 10), 10 * tenth,
            10 * tenth + 10);
    }
    add("all", 0, 101);
    print_table(rows, out);
}

// By the built-in curve, and by what it becomes when the fates of *tune* are known.
void print_reliabilities(const std::vector<Trial>& all, std::ostream& out) {
    std::vector<Trial> tune, test;
    std::vector<analysis::Fate> known;
    for (const Trial& trial : all) {
        (trial.tune ? tune : test).push_back(trial);
        if (trial.tune) {
            known.push_back(trial.fate);
        }
    }
    out << tune.size() << " answers of tune, " << test.size() << " of test.\n";
    const auto [a, b] = fitted(tune);
    out << "Fitted on tune: chance = 1 / (1 + exp(-(" << number(a, 3) << " + " << number(b, 3)
        << " · ln(1 + cost))))\n\n";
    const analysis::Calibration learned{known};
    const Told built_in = [](const Trial& trial) { return trial.fate.said; };
    const Told corrected = [&](const Trial& trial) {
        return learned.confidence(trial.fate.cost, trial.fate.kind).chance;
    };
    const auto print = [&](const std::string& name, const auto& wanted) {
        std::vector<Trial> of;
        std::ranges::copy_if(test, std::back_inserter(of), wanted);
        print_reliability(name + ", built in", of, built_in, out);
        print_reliability(name + ", corrected by tune", of, corrected, out);
    };
    print_reliability("tune, built in", tune, built_in, out);
    print("test", [](const Trial&) { return true; });
    for (const auto& [group, name] : {std::pair{AnswerGroup::contested, "contested"},
                                      {AnswerGroup::clear, "clear"},
                                      {AnswerGroup::hard, "hard"}}) {
        print(name, [group](const Trial& trial) { return trial.fate.kind.group == group; });
    }
    for (int number = first_tried; number <= last_tried; ++number) {
        print("1/" + std::to_string(share_of(number)) + " of the nodes",
              [number](const Trial& trial) { return trial.look == number; });
    }
}

} // namespace

int run_confidence(const std::vector<std::string>& args, std::ostream& out) {
    bool list = false;
    std::vector<std::string> files;
    const Arguments known{
        {"FILE", "", "trees that 'adjourn bench strategies --record' has written",
         [&files](const std::string& file) { return files.emplace_back(file), true; }},
        flag("--list", "a line for each answer: set, part of the nodes, cost, whether it stood",
             list)};
    if (const auto code = answer_arguments("confidence", known, args, out)) {
        return *code;
    }
    if (files.empty()) {
        std::cerr << "bench confidence: 'FILE' is missing: recorded trees\n";
        return 2;
    }
    std::vector<Trial> all;
    try {
        const auto trees = read_grown_trees(files);
        for (const GrownTree& tree : trees) {
            const auto more = trials_of(tree);
            all.insert(all.end(), more.begin(), more.end());
        }
        if (!list) {
            out << trees.size() << " trees, ";
        }
    } catch (const std::runtime_error& problem) {
        std::cerr << "bench confidence: " << problem.what() << '\n';
        return 1;
    }
    if (list) {
        for (const Trial& trial : all) {
            out << (trial.tune ? "tune " : "test ") << share_of(trial.look) << ' '
                << std::min(trial.fate.cost, 1e6) << ' ' << trial.fate.stood << '\n';
        }
        return 0;
    }
    print_reliabilities(all, out);
    return 0;
}

} // namespace adjourn::bench
