#include "base/standard_streams.hpp"
#include "base/text.hpp"
#include "bench/benches.hpp"
#include "bench/strategies/contenders.hpp"
#include "bench/strategies/recorded_trees.hpp"
#include "bench/strategies/verdict.hpp"
#include "chess/epd.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <numeric>
#include <random>
#include <stdexcept>
#include <unordered_set>

namespace adjourn::bench {

namespace {

using Set = StrategiesOptions::Set;

// A line on the error stream of a terminal that says how far a loop is, and when it may end.
class Progress {
public:
    Progress(std::string what, std::size_t of) : what_{std::move(what)}, of_{of} {}

    // One more is done. The time left is as if the rest took as long as what is done, kept answers
    // included.
    void step() {
        ++done_;
        const std::chrono::duration<double> past = std::chrono::steady_clock::now() - begin_;
        const auto left = static_cast<long>(past.count() / static_cast<double>(done_) *
                                            static_cast<double>(of_ - done_));
        const std::string done = what_ + ' ' + std::to_string(done_) + '/' + std::to_string(of_);
        if (done_ == of_) {
            base::rewrite_line(done + "                    ");
            std::cerr << '\n';
        } else {
            base::rewrite_line(done + ", " + std::to_string(left / 60) + " min " +
                               std::to_string(left % 60) + " s left   ");
        }
    }

private:
    std::string what_;
    std::size_t of_;
    std::size_t done_ = 0;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// The records of an EPD (or FEN) file; lines that are none are skipped.
std::vector<chess::EpdRecord> read_records(const std::filesystem::path& file) {
    std::ifstream in{file};
    if (!in) {
        throw std::runtime_error(file.string() + ": cannot be read");
    }
    std::vector<chess::EpdRecord> records;
    for (std::string line; std::getline(in, line);) {
        if (auto record = chess::parse_epd(line)) {
            records.push_back(std::move(*record));
        }
    }
    return records;
}

// std::shuffle differs between libraries.
template <class Item>
void shuffle(std::vector<Item>& items, std::mt19937_64& random) {
    for (std::size_t i = items.size(); i > 1; --i) {
        std::swap(items[i - 1], items[random() % i]);
    }
}

using Seen = std::unordered_set<chess::PackedPosition, chess::PackedPositionHash>;

bool in_set(const chess::Position& root, Set set) {
    return set == Set::all || in_tune_set(root) == (set == Set::tune);
}

// All positions that have a legal move, each once, in an order that takes one of each file in turn;
// within a file the order is drawn by the seed.
std::vector<chess::Position> mixed_positions(const StrategiesOptions& options) {
    std::mt19937_64 random{options.seed};
    std::vector<std::vector<chess::Position>> suites;
    std::size_t longest = 0;
    for (const auto& file : options.epd) {
        auto& suite = suites.emplace_back();
        for (const chess::EpdRecord& record : read_records(file)) {
            if (record.position.has_legal_move()) {
                suite.push_back(record.position);
            }
        }
        shuffle(suite, random);
        longest = std::max(longest, suite.size());
    }
    std::vector<chess::Position> result;
    Seen seen;
    for (std::size_t i = 0; i < longest; ++i) {
        for (const auto& suite : suites) {
            if (i < suite.size() && seen.insert(suite[i].packed()).second) {
                result.push_back(suite[i]);
            }
        }
    }
    return result;
}

// Writes the first strategy's tree, where that is wanted.
class Record {
public:
    explicit Record(const StrategiesOptions& options) : options_{options} {}

    void add(const chess::Position& root, const std::vector<Assessment>& assessments,
             const std::map<chess::Move, Judgement>& judged) {
        if (!options_.record.empty()) {
            trees_.push_back({root, assessments[options_.rivals.size()].facts, judged});
        }
    }
    void write() const {
        if (!options_.record.empty()) {
            write_recorded_trees(options_.record, trees_);
        }
    }

private:
    const StrategiesOptions& options_;
    std::vector<RecordedTree> trees_;
};

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
    std::vector<chess::Position> roots;
    Progress progress{"roots", options.roots};
    for (const chess::Position& position : mixed_positions(options)) {
        if (in_set(position, options.set) && is_contested(position, crew.member())) {
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

// On contested positions: the reference is the judge.
void compare_on_positions(const StrategiesOptions& options, std::ostream& out) {
    Crew crew{options};
    std::vector<JudgedRoot> judged;
    const std::vector<chess::Position> roots = choose_roots(options, crew);
    Record record{options};
    Progress progress{"contested positions", roots.size()};
    for (const chess::Position& root : roots) {
        judged.push_back(judged_root(options, root, judged.size() < options.value_roots, crew));
        record.add(root, judged.back().assessments, judged.back().values);
        progress.step();
    }
    record.write();
    const Conversation::Counts counts = crew.counts();
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
    Seen seen;
    for (const auto& file : options.epd) {
        for (const chess::EpdRecord& record : read_records(file)) {
            const auto verdict = chess::verdict_of(record);
            if (verdict && !(verdict->best.empty() && verdict->avoid.empty()) &&
                record.position.legal_moves().size() >= 2 &&
                seen.insert(record.position.packed()).second &&
                in_set(record.position, options.set)) {
                all.push_back({record.position, verdict->best, verdict->avoid});
            }
        }
    }
    std::mt19937_64 random{options.seed};
    shuffle(all, random);
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
               "more than " + names.front() + ", of 100", "only it / only " + names.front(),
               "p (McNemar)"}};
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
                        c == 0 ? "" : std::to_string(only) + " / " + std::to_string(other),
                        c == 0 ? "" : number(mcnemar(only, other), 3)});
    }
    print_table(rows, out);
}

// On hard positions of which the best moves are published, so that no engine is the judge: those
// with operations bm or am that one search with a tenth of the nodes does not solve.
void compare_on_solutions(const StrategiesOptions& options, std::ostream& out) {
    Crew crew{options};
    Record record{options};
    std::vector<Tried> tried;
    Progress progress{"hard positions", options.roots};
    for (const Exercise& exercise : exercises(options)) {
        const auto easy = assessment_of_search(
            exercise.root, options.nodes * options.budget / easy_part, 1, crew.member());
        if (!easy || exercise.solved_by(easy->move)) {
            continue;
        }
        tried.push_back({exercise, assessments_of(options, exercise.root, crew)});
        record.add(exercise.root, tried.back().assessments, {});
        progress.step();
        if (tried.size() == options.roots) {
            break;
        }
    }
    record.write();
    if (tried.empty()) {
        throw std::runtime_error("no hard position was finished");
    }
    out << "Nodes of each contender: " << options.nodes * options.budget
        << "; set: " << name_of(options.set) << ".\n";
    print(options, tried, out);
}

// A root whose result is known: a mate in so many plies, or 0.
struct Known {
    chess::Position root;
    chess::Score result;

    bool right(chess::Score said) const {
        return result.is_win()    ? said.is_win()
               : result.is_loss() ? said.is_loss()
                                  : said.rank() == 0;
    }
    bool wrong(chess::Score said) const {
        return (said.is_win() || said.is_loss()) && !right(said);
    }
};

constexpr int shortest_mate = 8, longest_mate = 30; // moves
constexpr int fewest_men = 8;

bool is_wanted_mate(const chess::EpdRecord& record, chess::Score score) {
    const std::string fen = record.position.fen();
    const auto men = std::count_if(fen.begin(), std::ranges::find(fen, ' '), [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    });
    const int moves = (score.plies() + 1) / 2;
    return score.kind() == chess::Score::Kind::mate && moves >= shortest_mate &&
           moves <= longest_mate && men >= fewest_men;
}

// Each once, in an order drawn by the seed.
std::vector<Known> known_results(const StrategiesOptions& options) {
    std::vector<Known> all;
    Seen seen;
    for (const auto& file : options.epd) {
        for (const chess::EpdRecord& record : read_records(file)) {
            const auto verdict = chess::verdict_of(record);
            const auto told = verdict ? verdict->score : std::nullopt;
            const bool wanted = options.draws || (told && is_wanted_mate(record, *told));
            if (wanted && record.position.has_legal_move() &&
                in_set(record.position, options.set) &&
                seen.insert(record.position.packed()).second) {
                all.push_back({record.position, options.draws ? chess::Score::cp(0) : *told});
            }
        }
    }
    std::mt19937_64 random{options.seed};
    shuffle(all, random);
    return all;
}

void print_results(const StrategiesOptions& options, const std::vector<Known>& roots,
                   const std::vector<std::vector<Assessment>>& said, std::ostream& out) {
    const std::vector<std::string> names = names_of(options);
    Rows rows{{"of " + std::to_string(roots.size()) + " known results", "right", "wrong",
               "right and shown", "no longer than known", "moves longer, mean"}};
    for (std::size_t c = 0; c < names.size(); ++c) {
        int right = 0, wrong = 0, shown = 0, shortest = 0, plies = 0;
        for (std::size_t i = 0; i < roots.size(); ++i) {
            const Assessment& one = said[i][c];
            const chess::Score score = one.score.value_or(chess::Score::cp(1));
            wrong += roots[i].wrong(score) ? 1 : 0;
            if (roots[i].right(score)) {
                const int longer = score.plies() - roots[i].result.plies();
                ++right;
                shown += one.shown ? 1 : 0;
                shortest += longer <= 0 ? 1 : 0;
                plies += std::max(0, longer);
            }
        }
        rows.push_back({names[c], std::to_string(right), std::to_string(wrong),
                        std::to_string(shown), std::to_string(shortest),
                        right == 0 ? "" : number(plies / 2.0 / right, 2)});
    }
    print_table(rows, out);
}

// On positions whose result is known, so that nobody has to judge: mates that one search with a
// tenth of the nodes does not see, or all fortresses of the files.
void compare_on_results(const StrategiesOptions& options, std::ostream& out) {
    Crew crew{options};
    std::vector<Known> roots;
    std::vector<std::vector<Assessment>> said;
    Progress progress{"known results", options.roots};
    for (const Known& known : known_results(options)) {
        const auto easy = assessment_of_search(
            known.root, std::max<std::uint64_t>(1, options.nodes * options.budget / easy_part), 1,
            crew.member());
        if (!easy || (options.mates && known.right(*easy->score))) {
            continue;
        }
        roots.push_back(known);
        said.push_back(assessments_of(options, known.root, crew));
        progress.step();
        if (roots.size() == options.roots) {
            break;
        }
    }
    if (roots.empty()) {
        throw std::runtime_error("no position with a known result was finished");
    }
    out << "Nodes of each contender: " << options.nodes * options.budget
        << "; set: " << name_of(options.set) << ".\n";
    print_results(options, roots, said, out);
}

} // namespace

int run_strategies(const std::vector<std::string>& args, std::ostream& out) {
    const auto options = read_options(args, out);
    if (!options) {
        return options.error();
    }
    spdlog::set_level(spdlog::level::warn);
    try {
        (options->solutions                 ? compare_on_solutions
         : options->mates || options->draws ? compare_on_results
                                            : compare_on_positions)(*options, out);
    } catch (const std::runtime_error& problem) {
        std::cerr << "bench strategies: " << problem.what() << '\n';
        return 1;
    }
    return 0;
}

} // namespace adjourn::bench
