#include "bench/benches.hpp"

#include "analysis/confidence.hpp"
#include "analysis/root_answer.hpp"
#include "analysis/verdict.hpp"
#include "bench/arguments.hpp"
#include "bench/strategies/assessments.hpp"
#include "bench/strategies/recorded_trees.hpp"
#include "bench/strategies/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iostream>
#include <numeric>
#include <optional>
#include <ostream>
#include <stdexcept>

namespace adjourn::bench {

namespace {

using analysis::Graph;
using analysis::NodeId;

constexpr std::uint64_t times = 4;
// Of all nodes of a tree: where the answer is asked for; four times as many are there.
constexpr std::array<std::uint64_t, 3> parts{16, 8, 4};

// An answer, and whether it was the same after four times the work.
struct Trial {
    double cost = 0;
    bool stood = false;
    bool tune = false;
    std::uint64_t part = 0;
    bool hard = false; // with a quarter of the nodes the answer was another one
};

struct Grown {
    Graph graph;
    NodeId root{};
    std::size_t taken = 0; // facts
    std::uint64_t nodes = 0;
};

// Takes facts as they came, up to so many nodes.
void grow(Grown& to, const RecordedTree& tree, std::uint64_t nodes) {
    while (to.taken < tree.facts.size() &&
           to.nodes + tree.facts[to.taken].question.limit.amount <= nodes) {
        const analysis::Evaluation& fact = tree.facts[to.taken++];
        to.nodes += fact.question.limit.amount;
        to.graph.apply(fact);
        to.graph.intern(chess::Position::unpack(fact.question.position).value().after(*fact.move));
    }
}

std::vector<Trial> trials_of(const RecordedTree& tree) {
    std::uint64_t all = 0;
    analysis::Limit limit{analysis::Limit::Kind::nodes, ~std::uint64_t{0}};
    for (const analysis::Evaluation& fact : tree.facts) {
        all += fact.question.limit.amount;
        limit.amount = std::min(limit.amount, fact.question.limit.amount);
    }
    const auto answer = [&](const Grown& grown) {
        return analysis::anchored_answer(grown.graph, grown.root, {}, limit);
    };
    Grown grown;
    grown.root = grown.graph.intern(tree.root);
    grown.graph.add_root(grown.root);
    Grown later;
    later.root = later.graph.intern(tree.root);
    later.graph.add_root(later.root);
    Grown earlier;
    earlier.root = earlier.graph.intern(tree.root);
    earlier.graph.add_root(earlier.root);
    std::vector<Trial> trials;
    for (const std::uint64_t part : parts) {
        grow(earlier, tree, all / (times * part));
        grow(grown, tree, all / part);
        grow(later, tree, all * times / part);
        const auto before = answer(earlier), then = answer(grown), after = answer(later);
        if (!then || !after) {
            continue;
        }
        const std::array line{grown.root};
        const auto found =
            analysis::verdict(grown.graph, line, then->move, analysis::overruling_lead,
                              analysis::leaf_noise(analysis::measure_noise(grown.graph), limit));
        if (found) {
            trials.push_back({found->cost, then->move == after->move, in_tune_set(tree.root), part,
                              before && before->move != then->move});
        }
    }
    return trials;
}

// Of the logistic curve over log(1 + cost), by Newton's method on the logarithm of the likelihood.
std::pair<double, double> fitted(const std::vector<Trial>& trials) {
    double a = 0, b = 1;
    for (int step = 0; step < 50; ++step) {
        double da = 0, db = 0, aa = 1e-9, ab = 0, bb = 1e-9;
        for (const Trial& trial : trials) {
            const double x = std::log1p(std::min(trial.cost, 1e6));
            const double p = 1 / (1 + std::exp(-(a + b * x)));
            const double off = (trial.stood ? 1 : 0) - p, weight = p * (1 - p);
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

void print_reliability(const std::string& name, const std::vector<Trial>& trials,
                       std::ostream& out) {
    Rows rows{{name + ": said, %", "answers", "mean of what was said, %", "stood, %"}};
    for (int tenth = 0; tenth < 10; ++tenth) {
        std::vector<double> stood, said;
        for (const Trial& trial : trials) {
            const auto group =
                trial.hard ? analysis::AnswerGroup::hard : analysis::AnswerGroup::contested;
            const double chance =
                100 * analysis::Calibration{}.confidence(trial.cost, {group, 0}).chance;
            if (chance >= 10 * tenth && chance < 10 * tenth + 10) {
                stood.push_back(trial.stood ? 100 : 0);
                said.push_back(chance);
            }
        }
        if (!stood.empty()) {
            rows.push_back({std::to_string(10 * tenth) + " to " + std::to_string(10 * tenth + 10),
                            std::to_string(stood.size()),
                            number(std::accumulate(said.begin(), said.end(), 0.0) /
                                       static_cast<double>(said.size()),
                                   1),
                            cell(bootstrap_mean(stood), 0)});
        }
    }
    print_table(rows, out);
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
    std::size_t trees = 0;
    try {
        for (const std::string& path : files) {
            std::ifstream file{path};
            if (!file) {
                throw std::runtime_error("it cannot be read");
            }
            for (const RecordedTree& tree : read_recorded_trees(file)) {
                ++trees;
                const auto more = trials_of(tree);
                all.insert(all.end(), more.begin(), more.end());
            }
        }
    } catch (const std::runtime_error& problem) {
        std::cerr << "bench confidence: " << problem.what() << '\n';
        return 1;
    }
    if (list) {
        for (const Trial& trial : all) {
            out << (trial.tune ? "tune " : "test ") << trial.part << ' '
                << std::min(trial.cost, 1e6) << ' ' << trial.stood << '\n';
        }
        return 0;
    }
    std::vector<Trial> tune, test;
    for (const Trial& trial : all) {
        (trial.tune ? tune : test).push_back(trial);
    }
    out << trees << " trees, " << tune.size() << " answers of tune, " << test.size()
        << " of test.\n";
    const auto [a, b] = fitted(tune);
    out << "Fitted on tune: chance = 1 / (1 + exp(-(" << number(a, 3) << " + " << number(b, 3)
        << " · ln(1 + cost))))\n\n";
    print_reliability("tune", tune, out);
    print_reliability("test", test, out);
    for (const bool hard : {false, true}) {
        std::vector<Trial> of;
        std::ranges::copy_if(test, std::back_inserter(of),
                             [&](const Trial& trial) { return trial.hard == hard; });
        print_reliability(hard ? "test, another answer with a quarter of the nodes"
                               : "test, the same answer with a quarter of the nodes",
                          of, out);
    }
    for (const std::uint64_t part : parts) {
        std::vector<Trial> of;
        std::ranges::copy_if(test, std::back_inserter(of),
                             [&](const Trial& trial) { return trial.part == part; });
        print_reliability("test, 1/" + std::to_string(part) + " of the nodes", of, out);
    }
    return 0;
}

} // namespace adjourn::bench
