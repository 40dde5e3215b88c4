#include "solutions.hpp"

#include "base/text.hpp"
#include "chess/epd.hpp"
#include "contenders.hpp"
#include "progress.hpp"
#include "strategies/statistics.hpp"
#include "table.hpp"

#include <algorithm>
#include <fstream>
#include <numeric>
#include <ostream>
#include <random>
#include <stdexcept>
#include <unordered_set>

namespace adjourn::bench {

namespace {

using Set = StrategiesOptions::Set;

constexpr std::uint64_t easy_part = 10; // of the nodes: what so many solve is left out

struct Exercise {
    chess::Position root;
    std::vector<chess::Move> best;
    std::vector<chess::Move> avoid;

    bool solved_by(chess::Move move) const {
        return best.empty() ? !base::contains(avoid, move) : base::contains(best, move);
    }
};

// Each once, in an order drawn by the seed.
std::vector<Exercise> exercises(const StrategiesOptions& options) {
    std::vector<Exercise> all;
    std::unordered_set<chess::PackedPosition, chess::PackedPositionHash> seen;
    for (const auto& path : options.epd) {
        std::ifstream in{path};
        if (!in) {
            throw std::runtime_error(path.string() + ": cannot be read");
        }
        for (std::string line; std::getline(in, line);) {
            const auto record = chess::parse_epd(line);
            const auto verdict = record ? chess::verdict_of(*record)
                                        : std::expected<chess::EpdVerdict, std::string>{};
            if (!record || !verdict || (verdict->best.empty() && verdict->avoid.empty()) ||
                record->position.legal_moves().size() < 2 ||
                !seen.insert(record->position.packed()).second) {
                continue;
            }
            if (options.set == Set::all ||
                in_tune_set(record->position) == (options.set == Set::tune)) {
                all.push_back({record->position, verdict->best, verdict->avoid});
            }
        }
    }
    std::mt19937_64 random{options.seed};
    for (std::size_t i = all.size(); i > 1; --i) { // std::shuffle differs between libraries
        std::swap(all[i - 1], all[random() % i]);
    }
    return all;
}

struct Tried {
    Exercise exercise;
    std::vector<Assessment> assessments;
};

void print(const StrategiesOptions& options, const std::vector<Tried>& tried, std::ostream& out) {
    const std::vector<std::string> names = names_of(options);
    const auto solved = [&](std::size_t i, std::size_t c) {
        return tried[i].exercise.solved_by(tried[i].assessments[c].move);
    };
    Bootstrap how;
    how.seed = options.seed;
    Rows rows{{"of " + std::to_string(tried.size()) + " hard positions", "solved", "share",
               "more than " + names.front() + ", of 100", "only it / only " + names.front()}};
    for (std::size_t c = 0; c < names.size(); ++c) {
        std::vector<double> own, more;
        int only = 0, other = 0;
        for (std::size_t i = 0; i < tried.size(); ++i) {
            own.push_back(solved(i, c) ? 100 : 0);
            more.push_back(own.back() - (solved(i, 0) ? 100 : 0));
            only += more.back() > 0 ? 1 : 0;
            other += more.back() < 0 ? 1 : 0;
        }
        rows.push_back({names[c], number(std::accumulate(own.begin(), own.end(), 0.0) / 100, 0),
                        cell(bootstrap_mean(own, how), 0) + " %",
                        c == 0 ? "" : cell(bootstrap_mean(more, how), 1),
                        c == 0 ? "" : std::to_string(only) + " / " + std::to_string(other)});
    }
    print_table(rows, out);
}

} // namespace

void compare_on_solutions(const StrategiesOptions& options, std::ostream& out) {
    Crew crew{options};
    std::vector<Tried> tried;
    Progress progress{"hard positions", options.roots};
    for (const Exercise& exercise : exercises(options)) {
        const auto easy = assessment_of_search(
            exercise.root, options.nodes * options.budget / easy_part, 1, crew.member());
        if (!easy || exercise.solved_by(easy->move)) {
            continue;
        }
        tried.push_back({exercise, assessments_of(options, exercise.root, crew)});
        progress.step();
        if (tried.size() == options.roots) {
            break;
        }
    }
    if (!options.record.empty()) {
        std::vector<RecordedTree> trees;
        for (const Tried& each : tried) {
            trees.push_back(
                {each.exercise.root, each.assessments[options.rivals.size()].facts, {}});
        }
        record_trees(options.record, trees);
    }
    if (tried.empty()) {
        throw std::runtime_error("no hard position was finished");
    }
    out << "Nodes of each contender: " << options.nodes * options.budget
        << "; set: " << name_of(options.set) << ".\n";
    print(options, tried, out);
}

} // namespace adjourn::bench
