#include "real.hpp"

#include "contenders.hpp"
#include "crew.hpp"
#include "progress.hpp"
#include "solutions.hpp"
#include "strategies/recorded_trees.hpp"
#include "strategies/roots.hpp"
#include "strategies/verdict.hpp"

#include <algorithm>
#include <fstream>
#include <ostream>
#include <stdexcept>

namespace adjourn::bench {

namespace {

using Set = StrategiesOptions::Set;

// cp: what is so close to a contender's own best is judged, so that what the reference finds best
// is most likely there.
constexpr int judged_near = 50;

// The choices; where values are compared, also what a contender has near its own best.
std::vector<chess::Move> to_be_judged(const std::vector<Assessment>& assessments, bool values) {
    std::vector<chess::Move> moves;
    for (const Assessment& assessment : assessments) {
        moves.push_back(assessment.move);
        int best = 0;
        for (const auto& [move, value] : assessment.values) {
            best = move == assessment.values.begin()->first ? value : std::max(best, value);
        }
        for (const auto& [move, value] : assessment.values) {
            if (values && value >= best - judged_near) {
                moves.push_back(move);
            }
        }
    }
    std::ranges::sort(moves);
    moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
    return moves;
}

JudgedRoot judged_root(const StrategiesOptions& options, const chess::Position& root, bool values,
                       Crew& crew) {
    JudgedRoot result{assessments_of(options, root, crew), {}};
    const auto moves = to_be_judged(result.assessments, values);
    if (moves.size() < 2) {
        return result; // all chose alike: there is nothing to compare
    }
    for (const chess::Move move : moves) {
        const auto value = judgement_of(root, move, options.reference, crew.reference());
        if (!value) {
            throw std::runtime_error("the reference has no answer at " + root.fen());
        }
        result.values.emplace(move, *value);
    }
    return result;
}

std::vector<chess::Position> choose_roots(const StrategiesOptions& options, Crew& crew) {
    std::vector<std::vector<chess::Position>> suites;
    for (const auto& file : options.epd) {
        suites.push_back(read_positions(file));
    }
    std::vector<chess::Position> roots;
    Progress progress{"roots", options.roots};
    for (const chess::Position& position : mixed(std::move(suites), options.seed)) {
        const bool wanted =
            options.set == Set::all || in_tune_set(position) == (options.set == Set::tune);
        if (wanted && is_contested(position, crew.member())) {
            roots.push_back(position);
            progress.step();
            if (roots.size() == options.roots) {
                return roots;
            }
        }
    }
    throw std::runtime_error("only " + std::to_string(roots.size()) +
                             " contested positions in the files");
}

// The trees of the first strategy; the reference was asked where contenders disagree.
void record(const StrategiesOptions& options, const std::vector<chess::Position>& roots,
            const std::vector<JudgedRoot>& judged) {
    std::vector<RecordedTree> trees;
    for (std::size_t i = 0; i < roots.size(); ++i) {
        trees.push_back(
            {roots[i], judged[i].assessments[options.rivals.size()].facts, judged[i].values});
    }
    record_trees(options.record, trees);
}

} // namespace

void compare_on_positions(const StrategiesOptions& options, std::ostream& out) {
    if (options.solutions) {
        compare_on_solutions(options, out);
        return;
    }
    Crew crew{options};
    const std::vector<chess::Position> roots = choose_roots(options, crew);
    std::vector<JudgedRoot> judged;
    Progress progress{"contested positions", roots.size()};
    for (const chess::Position& root : roots) {
        judged.push_back(judged_root(options, root, judged.size() < options.value_roots, crew));
        progress.step();
    }
    const Conversation::Counts counts = crew.counts();
    if (!options.record.empty()) {
        record(options, roots, judged);
    }
    out << counts.searches << " new searches, " << counts.hits << " kept ones, " << counts.repeated
        << " repeated to warm an engine";
    if (counts.differed > 0) {
        out << ", of which " << counts.differed << " ended otherwise";
    }
    out << ".\nNodes of each contender: " << options.nodes * options.budget
        << "; of each of the reference's two searches: " << options.reference
        << "; set: " << name_of(options.set) << ".\n";
    Bootstrap how;
    how.seed = options.seed;
    print_verdict(names_of(options), judged, how, out);
}

} // namespace adjourn::bench
