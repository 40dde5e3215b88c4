#include "bench/benches.hpp"

#include "analysis/confidence.hpp"
#include "analysis/root_answer.hpp"
#include "analysis/verdict.hpp"
#include "base/text.hpp"
#include "bench/arguments.hpp"
#include "bench/strategies/assessments.hpp"
#include "bench/strategies/recorded_trees.hpp"
#include "bench/strategies/statistics.hpp"
#include "chess/epd.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <optional>
#include <ostream>
#include <stdexcept>

namespace adjourn::bench {

namespace {

using analysis::AnswerGroup;
using analysis::Graph;
using analysis::NodeId;

// A tree is looked at with a 64th of its nodes, and again each time that it has twice as many.
constexpr int sizes = 7;
constexpr int contested = 30; // cp, as the server says it
constexpr int quarter = 2;    // sizes between a quarter of the work and all of it
// Of these the answer is tried: what is said, and whether it stands after four times the work.
constexpr int first_tried = 2, last_tried = sizes - 1 - quarter;

struct Look {
    std::optional<chess::Move> answer;
    std::optional<double> cost; // of the verdict; none: there is no verdict
    int lead = 0;
    std::uint64_t evaluations = 0;
};
using Looks = std::array<Look, sizes>;

struct Tree {
    chess::Position root;
    analysis::Limit limit; // of its evaluations
    Looks looks;
};

// An answer, and whether it was the same after four times the work.
struct Trial {
    analysis::Fate fate;
    bool tune = false;
    int size = 0;
};

// 1/n of the nodes.
int share_of(int size) {
    return 1 << (sizes - 1 - size);
}

Tree look_at(const RecordedTree& recorded) {
    std::uint64_t all = 0;
    Tree tree{recorded.root, {analysis::Limit::Kind::nodes, ~std::uint64_t{0}}, {}};
    for (const analysis::Evaluation& fact : recorded.facts) {
        all += fact.question.limit.amount;
        tree.limit.amount = std::min(tree.limit.amount, fact.question.limit.amount);
    }
    Graph graph;
    const NodeId root = graph.intern(recorded.root);
    graph.add_root(root);
    std::uint64_t nodes = 0;
    std::size_t taken = 0;
    for (int size = 0; size < sizes; ++size) {
        while (taken < recorded.facts.size() &&
               nodes + recorded.facts[taken].question.limit.amount <=
                   all / static_cast<std::uint64_t>(share_of(size))) {
            const analysis::Evaluation& fact = recorded.facts[taken++];
            nodes += fact.question.limit.amount;
            graph.apply(fact);
            graph.intern(chess::Position::unpack(fact.question.position).value().after(*fact.move));
        }
        Look& look = tree.looks.at(static_cast<std::size_t>(size));
        look.evaluations = taken;
        const auto answer = analysis::anchored_answer(graph, root, {}, tree.limit);
        if (!answer) {
            continue;
        }
        look.answer = answer->move;
        const std::array line{root};
        const auto found =
            analysis::verdict(graph, line, answer->move, analysis::overruling_lead,
                              analysis::leaf_noise(analysis::measure_noise(graph), tree.limit));
        if (found) {
            look.cost = found->cost;
            look.lead = found->lead;
        }
    }
    return tree;
}

analysis::AnswerKind kind_of(const Tree& tree, int size) {
    const auto at = [&](int of) -> const Look& {
        return tree.looks.at(static_cast<std::size_t>(of));
    };
    const Look& look = at(size);
    const bool hard =
        size >= quarter && at(size - quarter).answer && at(size - quarter).answer != look.answer;
    const AnswerGroup group = hard                    ? AnswerGroup::hard
                              : look.lead > contested ? AnswerGroup::clear
                                                      : AnswerGroup::contested;
    return {group, analysis::size_class(tree.limit, look.evaluations)};
}

std::vector<Trial> trials_of(const Tree& tree) {
    std::vector<Trial> trials;
    for (int size = first_tried; size <= last_tried; ++size) {
        const Look& then = tree.looks.at(static_cast<std::size_t>(size));
        const Look& after = tree.looks.at(static_cast<std::size_t>(size + quarter));
        if (then.cost && after.answer) {
            const auto kind = kind_of(tree, size);
            trials.push_back(
                {{kind, *then.cost, analysis::Calibration{}.confidence(*then.cost, kind).chance,
                  then.answer == after.answer},
                 in_tune_set(tree.root),
                 size});
        }
    }
    return trials;
}

// Of the logistic curve over log(1 + cost), by Newton's method on the logarithm of the likelihood.
std::pair<double, double> fitted(const std::vector<Trial>& trials) {
    double a = 0, b = 1;
    for (int step = 0; step < 50; ++step) {
        double da = 0, db = 0, aa = 1e-9, ab = 0, bb = 1e-9;
        for (const auto& [fate, tune, size] : trials) {
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
    for (int size = first_tried; size <= last_tried; ++size) {
        print("1/" + std::to_string(share_of(size)) + " of the nodes",
              [size](const Trial& trial) { return trial.size == size; });
    }
}

// ---- a night over many analyses ----

constexpr int night_first = 1;            // the size that all begin with: an eighth …
constexpr int night_even = sizes - 1 - 2; // … of what each has if all have the same

struct Sleeper {
    const Tree* tree;
    std::vector<chess::Move> best, avoid; // published
    int size = night_first;

    bool solved(int at) const {
        const auto move = tree->looks.at(static_cast<std::size_t>(at)).answer;
        return move && (best.empty() ? !base::contains(avoid, *move) : base::contains(best, *move));
    }
};

// How urgent it is that one has twice the work; most first.
using Urgency = std::function<double(const Sleeper&)>;

// Which sizes they have in the morning: each step is paid for as the sizes double.
std::vector<Sleeper> slept(std::vector<Sleeper> all, const Urgency& urgency) {
    int left = static_cast<int>(all.size()) * ((1 << night_even) - (1 << night_first));
    for (;;) {
        Sleeper* next = nullptr;
        double most = 0;
        for (Sleeper& each : all) {
            if (each.size + 1 < sizes && 1 << each.size <= left) {
                const double now = urgency(each);
                if (next == nullptr || now > most) {
                    next = &each;
                    most = now;
                }
            }
        }
        if (next == nullptr) {
            return all;
        }
        left -= 1 << next->size++;
    }
}

double doubt(const Sleeper& of, const analysis::Calibration& curve) {
    const Look& look = of.tree->looks.at(static_cast<std::size_t>(of.size));
    return look.cost ? 1 - curve.confidence(*look.cost, kind_of(*of.tree, of.size)).chance : 1;
}

void print_night(const std::vector<Sleeper>& all, const analysis::Calibration& curve,
                 std::ostream& out) {
    const auto answer = [](const Sleeper& of, int size) {
        return of.tree->looks.at(static_cast<std::size_t>(size)).answer;
    };
    const std::vector<std::pair<std::string, Urgency>> ways{
        {"the same for all", [](const Sleeper& of) { return -of.size; }},
        {"the least sure twice", [&](const Sleeper& of) { return doubt(of, curve); }},
        {"the least sure for its nodes twice",
         [&](const Sleeper& of) { return doubt(of, curve) / (1 << of.size); }},
        {"whose answer changed twice",
         [&](const Sleeper& of) {
             return (answer(of, of.size) != answer(of, of.size - 1) ? 100 : 0) - of.size;
         }},
        {"who is to be solved soonest", // an oracle: it knows the future
         [&](const Sleeper& of) {
             for (int size = of.size; size < sizes; ++size) {
                 if (of.solved(size) && !of.solved(of.size)) {
                     return 1.0 / ((1 << size) - (1 << of.size));
                 }
             }
             return 0.0;
         }},
    };
    Rows rows{{"a night over " + std::to_string(all.size()), "solved", "only it / only the first",
               "p (McNemar)", "have all the work"}};
    std::vector<Sleeper> even;
    for (const auto& [name, urgency] : ways) {
        const auto morning = slept(all, urgency);
        if (even.empty()) {
            even = morning;
        }
        int solved = 0, only = 0, other = 0, most = 0;
        for (std::size_t i = 0; i < morning.size(); ++i) {
            const bool mine = morning[i].solved(morning[i].size);
            const bool first = even[i].solved(even[i].size);
            solved += mine ? 1 : 0;
            only += mine && !first ? 1 : 0;
            other += first && !mine ? 1 : 0;
            most += morning[i].size == sizes - 1 ? 1 : 0;
        }
        rows.push_back({name, std::to_string(solved),
                        std::to_string(only) + " / " + std::to_string(other),
                        number(mcnemar(only, other), 3), std::to_string(most)});
    }
    for (const int size : {night_first, sizes - 1}) {
        rows.push_back({"each 1/" + std::to_string(share_of(size)) + " of the tree",
                        std::to_string(std::ranges::count_if(
                            all, [size](const Sleeper& of) { return of.solved(size); })),
                        "", "", ""});
    }
    print_table(rows, out);
}

} // namespace

int run_confidence(const std::vector<std::string>& args, std::ostream& out) {
    bool list = false;
    std::vector<std::string> files, suites;
    const Arguments known{
        {"FILE", "", "trees that 'adjourn bench strategies --record' has written",
         [&files](const std::string& file) { return files.emplace_back(file), true; }},
        {"--epd", "FILE",
         "with published best moves: how a night is shared over the trees of its positions",
         [&suites](const std::string& file) { return suites.emplace_back(file), true; }},
        flag("--list", "a line for each answer: set, part of the nodes, cost, whether it stood",
             list)};
    if (const auto code = answer_arguments("confidence", known, args, out)) {
        return *code;
    }
    if (files.empty()) {
        std::cerr << "bench confidence: 'FILE' is missing: recorded trees\n";
        return 2;
    }
    std::vector<Tree> trees;
    std::map<chess::PackedPosition, chess::EpdVerdict> published;
    try {
        const auto opened = [](const std::string& path) {
            std::ifstream file{path};
            if (!file) {
                throw std::runtime_error("'" + path + "' cannot be read");
            }
            return file;
        };
        for (const std::string& path : files) {
            auto file = opened(path);
            for (const RecordedTree& tree : read_recorded_trees(file)) {
                trees.push_back(look_at(tree));
            }
        }
        for (const std::string& path : suites) {
            auto file = opened(path);
            for (std::string line; std::getline(file, line);) {
                if (const auto record = chess::parse_epd(line)) {
                    if (const auto verdict = chess::verdict_of(*record)) {
                        published.emplace(record->position.packed(), *verdict);
                    }
                }
            }
        }
    } catch (const std::runtime_error& problem) {
        std::cerr << "bench confidence: " << problem.what() << '\n';
        return 1;
    }
    std::vector<Trial> all;
    std::vector<Sleeper> sleepers;
    std::vector<analysis::Fate> fates;
    for (const Tree& tree : trees) {
        for (const Trial& trial : trials_of(tree)) {
            all.push_back(trial);
            fates.push_back(trial.fate);
        }
        const auto found = published.find(tree.root.packed());
        if (found != published.end() &&
            !(found->second.best.empty() && found->second.avoid.empty())) {
            sleepers.push_back({&tree, found->second.best, found->second.avoid});
        }
    }
    if (list) {
        for (const Trial& trial : all) {
            out << (trial.tune ? "tune " : "test ") << share_of(trial.size) << ' '
                << std::min(trial.fate.cost, 1e6) << ' ' << trial.fate.stood << '\n';
        }
        return 0;
    }
    out << trees.size() << " trees, ";
    print_reliabilities(all, out);
    if (!sleepers.empty()) {
        print_night(sleepers, analysis::Calibration{}, out);
    }
    return 0;
}

} // namespace adjourn::bench
