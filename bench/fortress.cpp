#include "bench/fortress.hpp"

#include "analysis/fortress.hpp"
#include "analysis/strategy.hpp"
#include "arguments.hpp"
#include "base/number.hpp"
#include "bench/strategies/assessments.hpp"
#include "bench/strategies/kept_searches.hpp"
#include "bench/strategies/options.hpp"
#include "bench/strategies/statistics.hpp"
#include "chess/epd.hpp"
#include "host/config.hpp"
#include "strategies/progress.hpp"
#include "strategies/table.hpp"
#include "strategies/uci_engine.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>

namespace adjourn::bench {

namespace {

// What somebody knows of a position, in the order of the table.
constexpr std::array fortress_kinds{"fortress", "drawn-by-tables", "won-by-tables", "won-game",
                                    "mate"};
constexpr std::size_t last_drawn = 1;
constexpr std::size_t fewest_plies_to_mate = 19; // nearer ones are found before they are asked for

struct FortressOptions {
    std::vector<std::filesystem::path> epd;
    std::vector<std::filesystem::path> recorded;
    std::size_t most = 60;
    std::uint64_t nodes = 8'000;
    std::size_t sizes = 4;
    std::uint64_t times = 4;
    std::size_t tree = 24;
    std::uint64_t seed = 1;
    int ahead = 100;
    double minutes = 0;
    int hash = 64;
    std::filesystem::path cache;
    std::filesystem::path record;
    std::string stockfish;
};

Arguments fortress_arguments(FortressOptions& to) {
    return {
        {"FILE", "", "signs that --record has written; then nothing is searched",
         [&to](const std::string& file) { return to.recorded.emplace_back(file), !file.empty(); }},
        {"--epd", "FILE", "positions, may be given again",
         [&to](const std::string& file) { return to.epd.emplace_back(file), !file.empty(); }},
        number("--most", "N", "positions of a kind in each half where a side is ahead", to.most),
        number("--nodes", "N", "of the smallest search, and of the tree's", to.nodes),
        number("--times", "N", "nodes of a search for each of the one before", to.times, 2, 64),
        number("--sizes", "N", "searches of a position", to.sizes, 1, 16),
        number("--tree", "N", "evaluations of the tree", to.tree, 1),
        number("--ahead", "CP", "by so much a side is ahead", to.ahead, 1),
        number("--seed", "S", "of the sample", to.seed, 0),
        number("--minutes", "N", "ends with what is done then; 0: without end", to.minutes, 0),
        number("--hash", "MB", "of the engine", to.hash),
        path("--cache", "FILE", "answers, kept (default: in the data directory)", to.cache),
        path("--record", "FILE", "the signs", to.record),
        text("--stockfish", "PATH", "(default: the one that is installed)", to.stockfish)};
}

struct Example {
    chess::Position position;
    std::size_t kind = 0;
    std::optional<chess::Color> won; // where only one side's advantage tells something
};

// A position of which the record tells how it ends.
std::optional<Example> example_of(const std::string& line) {
    auto record = chess::parse_epd(line);
    if (!record || !record->position.has_legal_move()) {
        return std::nullopt;
    }
    Example example{record->position, fortress_kinds.size(), {}};
    for (const chess::EpdOperation& operation : record->operations) {
        std::string said = operation.opcode;
        for (const std::string& word : operation.operands) {
            said += ' ' + word;
        }
        if (said == "c0 draw" || said == "c0 win") { // of positions that tables know
            example.kind = said == "c0 draw" ? 1 : 2;
        } else if (said == "draw" || said.contains("= draw") || said.contains("fortress")) {
            example.kind = 0;
        } else if (said.contains("Result: 1-0") || said.contains("Result: 0-1")) {
            example.kind = 3;
            example.won = said.contains("1-0") ? chess::Color::white : chess::Color::black;
        }
    }
    const auto verdict = chess::verdict_of(*record);
    if (verdict && verdict->score && verdict->score->kind() == chess::Score::Kind::mate &&
        verdict->score->plies() >= static_cast<int>(fewest_plies_to_mate)) {
        example.kind = 4;
    }
    return example.kind < fortress_kinds.size() ? std::optional{std::move(example)} : std::nullopt;
}

// Of all files, each kind in an order drawn by the seed.
std::vector<Example> examples_of(const FortressOptions& options) {
    std::vector<Example> all;
    for (const auto& file : options.epd) {
        std::ifstream in{file};
        if (!in) {
            throw std::runtime_error(file.string() + ": cannot be read");
        }
        for (std::string line; std::getline(in, line);) {
            if (auto example = example_of(line)) {
                all.push_back(std::move(*example));
            }
        }
    }
    std::mt19937_64 random{options.seed};
    for (std::size_t i = all.size(); i > 1; --i) { // std::shuffle differs between libraries
        std::swap(all[i - 1], all[random() % i]);
    }
    std::ranges::stable_sort(all, {}, &Example::kind);
    return all;
}

struct FortressTrial {
    bool tune = false;
    std::size_t kind = 0;
    analysis::FortressSigns signs;
};

bool is_ahead(const chess::Score& score, int least) {
    return score.is_cp() && std::abs(score.centipawns()) >= least;
}

class Searching {
public:
    explicit Searching(const FortressOptions& options)
        : options_{options}, engine_{engine_command(options.stockfish),
                                     {{"Threads", "1"}, {"Hash", std::to_string(options.hash)}}},
          kept_{options.cache.empty() ? server::default_data_directory() / "bench/searches"
                                      : options.cache},
          conversation_{engine_, kept_} {}

    // nullopt: nobody is ahead, or not the one who won.
    std::optional<analysis::FortressSigns> signs_of(const Example& example) {
        analysis::FortressSigns signs;
        engine_.new_game();
        std::uint64_t nodes = options_.nodes;
        Found last;
        for (std::size_t i = 0; i < options_.sizes; ++i, nodes *= options_.times) {
            last = engine_.search({example.position, nodes, {}, 1});
            // At once where there is no hope: most positions are not searched far.
            if (last.lines.empty() ||
                !is_ahead(last.lines.front().score,
                          i + 1 == options_.sizes ? options_.ahead : options_.ahead / 2)) {
                return std::nullopt;
            }
            signs.course.push_back({analysis::effort({analysis::Limit::Kind::nodes, nodes}),
                                    last.lines.front().score});
        }
        const bool mover = signs.course.back().score.centipawns() > 0;
        if (example.won && mover != (*example.won == example.position.turn())) {
            return std::nullopt;
        }
        signs.line = last.pv.size();
        signs.quiet = analysis::quiet_plies(example.position, last.pv);
        add_tree(example.position, signs);
        return signs;
    }

private:
    void add_tree(const chess::Position& root, analysis::FortressSigns& signs) {
        const auto found = assessment_of_tree({root, analysis::default_parameters("halving"),
                                               options_.nodes, options_.nodes * options_.tree},
                                              conversation_);
        if (!found) {
            return;
        }
        analysis::Graph graph;
        const analysis::NodeId node = graph.intern(root);
        graph.add_root(node);
        for (const analysis::Evaluation& fact : found->facts) {
            graph.apply(fact);
        }
        const std::array line{node};
        signs.idea = graph.idea(node);
        signs.alpha = analysis::LineValues{graph, line}.alpha();
        constexpr std::size_t most_around = 512;
        signs.around = analysis::positions_around(graph, node, most_around);
    }

    const FortressOptions& options_;
    UciEngine engine_;
    KeptSearches kept_;
    Conversation conversation_;
};

std::string rank_text(const std::optional<chess::Score>& score) {
    return score ? std::to_string(score->rank()) : "-";
}

void write_fortress_trial(const FortressTrial& trial, std::ostream& out) {
    out << (trial.tune ? "tune " : "test ") << fortress_kinds.at(trial.kind) << ' ';
    for (std::size_t i = 0; i < trial.signs.course.size(); ++i) {
        const auto& [effort, score] = trial.signs.course[i];
        out << (i == 0 ? "" : ",") << number(effort, 2) << ':' << score.centipawns();
    }
    out << ' ' << rank_text(trial.signs.idea) << ' ' << rank_text(trial.signs.alpha) << ' '
        << trial.signs.around << ' ' << trial.signs.quiet << ' ' << trial.signs.line << '\n';
}

// The inverse of write_fortress_trial().
std::optional<FortressTrial> read_fortress_trial(const std::string& line) {
    std::istringstream in{line};
    std::string set, kind, course, idea, alpha;
    FortressTrial trial;
    in >> set >> kind >> course >> idea >> alpha >> trial.signs.around >> trial.signs.quiet >>
        trial.signs.line;
    const auto found = std::ranges::find(fortress_kinds, kind);
    if (!in || (set != "tune" && set != "test") || found == fortress_kinds.end()) {
        return std::nullopt;
    }
    trial.tune = set == "tune";
    trial.kind = static_cast<std::size_t>(found - fortress_kinds.begin());
    std::istringstream points{course};
    for (std::string point; std::getline(points, point, ',');) {
        const std::size_t colon = point.find(':');
        const auto effort = base::parse_number<double>(point.substr(0, colon));
        const auto score = colon == std::string::npos
                               ? std::nullopt
                               : base::parse_number<int>(point.substr(colon + 1));
        if (!effort || !score) {
            return std::nullopt;
        }
        trial.signs.course.push_back({*effort, chess::Score::cp(*score)});
    }
    for (const auto& [text, into] :
         {std::pair{&idea, &trial.signs.idea}, {&alpha, &trial.signs.alpha}}) {
        if (const auto score = base::parse_number<int>(*text)) {
            *into = chess::Score::cp(*score);
        }
    }
    return trial;
}

std::vector<FortressTrial> recorded_fortresses(const FortressOptions& options) {
    std::vector<FortressTrial> trials;
    for (const auto& file : options.recorded) {
        std::ifstream in{file};
        std::size_t number = 0;
        for (std::string line; std::getline(in, line);) {
            ++number;
            auto trial = read_fortress_trial(line);
            if (!trial) {
                throw std::runtime_error(file.string() + ": line " + std::to_string(number) +
                                         " is no record of signs");
            }
            trials.push_back(std::move(*trial));
        }
        if (number == 0) {
            throw std::runtime_error(file.string() + ": cannot be read, or is empty");
        }
    }
    return trials;
}

// Wilson's interval of a share, 95 %, in percent: a bootstrap of no case at all would say that
// there is none.
Interval share_of(std::size_t count, std::size_t all) {
    constexpr double z = 1.96;
    const double n = static_cast<double>(all), p = static_cast<double>(count) / n;
    const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
    const double half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n);
    return {100 * std::max(0.0, middle - half), 100 * p, 100 * (middle + half)};
}

void print_lamps(const std::vector<FortressTrial>& trials, std::ostream& out) {
    Rows rows{{"positions", "half", "of them", "lit", "share, %"}};
    const auto add = [&](const std::string& name, bool tune, std::size_t first, std::size_t last) {
        std::size_t all = 0, lit = 0;
        for (const FortressTrial& trial : trials) {
            if (trial.tune == tune && trial.kind >= first && trial.kind <= last) {
                ++all;
                lit += analysis::fortress_of(trial.signs).lit ? 1 : 0;
            }
        }
        if (all > 0) {
            rows.push_back({name, tune ? "tune" : "test", std::to_string(all), std::to_string(lit),
                            cell(share_of(lit, all), 1)});
        }
    };
    for (const bool tune : {true, false}) {
        for (std::size_t kind = 0; kind < fortress_kinds.size(); ++kind) {
            add(fortress_kinds[kind], tune, kind, kind);
        }
        add("all that are drawn", tune, 0, last_drawn);
        add("all that are won", tune, last_drawn + 1, fortress_kinds.size() - 1);
    }
    print_table(rows, out);
}

std::vector<FortressTrial> searched_fortresses(const FortressOptions& options) {
    const auto begin = std::chrono::steady_clock::now();
    Searching searching{options};
    std::map<std::pair<std::size_t, bool>, std::size_t> counts;
    std::vector<FortressTrial> trials;
    std::ofstream record;
    if (!options.record.empty()) {
        record.open(options.record);
        if (!record) {
            throw std::runtime_error(options.record.string() + ": cannot be written");
        }
    }
    const std::vector<Example> all = examples_of(options);
    Progress progress{"positions", all.size()};
    for (const Example& example : all) {
        progress.step();
        const bool tune = in_tune_set(example.position);
        std::size_t& count = counts[{example.kind, tune}];
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
        if (count >= options.most ||
            (options.minutes > 0 && passed.count() > 60 * options.minutes)) {
            continue;
        }
        if (auto signs = searching.signs_of(example)) {
            ++count;
            trials.push_back({tune, example.kind, std::move(*signs)});
            if (record.is_open()) {
                write_fortress_trial(trials.back(), record);
                record.flush();
            }
        }
    }
    return trials;
}

} // namespace

int run_fortress(const std::vector<std::string>& args, std::ostream& out) {
    FortressOptions options;
    if (const auto code = answer_arguments("fortress", fortress_arguments(options), args, out)) {
        return *code;
    }
    if (options.epd.empty() == options.recorded.empty()) {
        std::cerr
            << "bench fortress: give --epd FILE to search, or FILE that --record has written\n";
        return 2;
    }
    try {
        print_lamps(
            options.epd.empty() ? recorded_fortresses(options) : searched_fortresses(options), out);
    } catch (const std::runtime_error& problem) {
        std::cerr << "bench fortress: " << problem.what() << '\n';
        return 1;
    }
    return 0;
}

} // namespace adjourn::bench
