#include "bench/benches.hpp"

#include "base/text.hpp"
#include "bench/arguments.hpp"
#include "bench/strategies/grown_trees.hpp"
#include "bench/strategies/statistics.hpp"
#include "chess/epd.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <ostream>
#include <stdexcept>

namespace adjourn::bench {

namespace {

constexpr int begun = 1;                  // the look that all begin with: an eighth …
constexpr int even_share = looks - 1 - 2; // … of what each has if all have the same

// One of the analyses of a night.
struct Asleep {
    const GrownTree* tree;
    std::vector<chess::Move> best, avoid; // published
    int look = begun;

    double doubt() const {
        const auto cost = tree->look(look).cost;
        return cost ? 1 - analysis::Calibration{}.confidence(*cost, tree->kind(look)).chance : 1;
    }
    bool changed() const { return tree->look(look).answer != tree->look(look - 1).answer; }
    bool solved(int at) const {
        const auto move = tree->look(at).answer;
        return move && (best.empty() ? !base::contains(avoid, *move) : base::contains(best, *move));
    }
};

// How urgent it is that one has twice the work; most first.
using Urgency = std::function<double(const Asleep&)>;

// An oracle: what the next nodes bring.
double future(const Asleep& of) {
    for (int at = of.look; at < looks; ++at) {
        if (of.solved(at) && !of.solved(of.look)) {
            return 1.0 / ((1 << at) - (1 << of.look));
        }
    }
    return 0;
}

// How far each is in the morning: work is counted in that of look 0.
std::vector<Asleep> slept(std::vector<Asleep> all, const Urgency& urgency) {
    int left = static_cast<int>(all.size()) * ((1 << even_share) - (1 << begun));
    for (;;) {
        Asleep* next = nullptr;
        double most = 0;
        for (Asleep& each : all) {
            if (each.look + 1 < looks && 1 << each.look <= left) {
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
        left -= 1 << next->look++;
    }
}

void print(const std::vector<Asleep>& all, std::ostream& out) {
    const std::vector<std::pair<std::string, Urgency>> ways{
        {"the same for all", [](const Asleep& of) { return -of.look; }},
        {"the least sure twice", &Asleep::doubt},
        {"the least sure for its nodes twice",
         [](const Asleep& of) { return of.doubt() / (1 << of.look); }},
        {"whose answer changed twice",
         [](const Asleep& of) { return (of.changed() ? looks : 0) - of.look; }},
        {"who is to be solved soonest", future}};
    Rows rows{{"a night over " + std::to_string(all.size()), "solved", "only it / only the first",
               "p (McNemar)", "have all the work"}};
    const auto even = slept(all, ways.front().second);
    for (const auto& [name, urgency] : ways) {
        const auto morning = slept(all, urgency);
        int solved = 0, only = 0, other = 0, most = 0;
        for (std::size_t i = 0; i < morning.size(); ++i) {
            const bool mine = morning[i].solved(morning[i].look);
            const bool first = even[i].solved(even[i].look);
            solved += mine ? 1 : 0;
            only += mine && !first ? 1 : 0;
            other += first && !mine ? 1 : 0;
            most += morning[i].look == looks - 1 ? 1 : 0;
        }
        rows.push_back({name, std::to_string(solved),
                        std::to_string(only) + " / " + std::to_string(other),
                        number(mcnemar(only, other), 3), std::to_string(most)});
    }
    for (const int look : {begun, looks - 1}) {
        rows.push_back({"each 1/" + std::to_string(share_of(look)) + " of the tree",
                        std::to_string(std::ranges::count_if(
                            all, [look](const Asleep& of) { return of.solved(look); })),
                        "", "", ""});
    }
    print_table(rows, out);
}

// The moves that the records of EPD files tell, by position.
std::map<chess::PackedPosition, chess::EpdVerdict>
published_in(const std::vector<std::string>& suites) {
    std::map<chess::PackedPosition, chess::EpdVerdict> all;
    for (const std::string& path : suites) {
        std::ifstream file{path};
        if (!file) {
            throw std::runtime_error("'" + path + "' cannot be read");
        }
        for (std::string line; std::getline(file, line);) {
            const auto record = chess::parse_epd(line);
            const auto verdict =
                record ? chess::verdict_of(*record) : std::unexpected<std::string>{record.error()};
            if (verdict && !(verdict->best.empty() && verdict->avoid.empty())) {
                all.emplace(record->position.packed(), *verdict);
            }
        }
    }
    return all;
}

} // namespace

int run_night(const std::vector<std::string>& args, std::ostream& out) {
    std::vector<std::string> files, suites;
    const Arguments known{
        {"FILE", "", "trees that 'adjourn bench strategies --record' has written",
         [&files](const std::string& file) { return files.emplace_back(file), true; }},
        {"--epd", "FILE", "the published best moves of their positions, may be given again",
         [&suites](const std::string& file) { return suites.emplace_back(file), true; }}};
    if (const auto code = answer_arguments("night", known, args, out)) {
        return *code;
    }
    if (files.empty() || suites.empty()) {
        std::cerr << "bench night: '" << (files.empty() ? "FILE" : "--epd")
                  << "' is missing: " << (files.empty() ? "recorded trees" : "published best moves")
                  << '\n';
        return 2;
    }
    try {
        const auto published = published_in(suites);
        const auto trees = read_grown_trees(files);
        std::vector<Asleep> all;
        for (const GrownTree& tree : trees) {
            if (const auto found = published.find(tree.root.packed()); found != published.end()) {
                all.push_back({&tree, found->second.best, found->second.avoid});
            }
        }
        if (all.empty()) {
            throw std::runtime_error("no tree's root is in the EPD files");
        }
        print(all, out);
    } catch (const std::runtime_error& problem) {
        std::cerr << "bench night: " << problem.what() << '\n';
        return 1;
    }
    return 0;
}

} // namespace adjourn::bench
