// A match between two UCI engines. Exit code 1 if either did what no engine may: an illegal move or
// variation, a flag fallen, a crash, silence.
//
//     match --first "build/release/adjourn uci --data /tmp/x" --second stockfish --tc 10+0.1
#include "chess/epd.hpp"
#include "chess/notation.hpp"
#include "game.hpp"

#include <CLI/CLI.hpp>

#include <array>
#include <fstream>
#include <iostream>
#include <sstream>

namespace {

using namespace adjourn;
using namespace adjourn::match;

constexpr std::array openings{"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6",  "1. d4 d5 2. c4 e6 3. Nc3 Nf6",
                              "1. e4 c5 2. Nf3 d6 3. d4 cxd4",  "1. d4 Nf6 2. c4 g6 3. Nc3 Bg7",
                              "1. e4 e6 2. d4 d5 3. Nc3 Bb4",   "1. c4 e5 2. Nc3 Nf6 3. g3 d5",
                              "1. e4 c6 2. d4 d5 3. e5 Bf5",    "1. d4 d5 2. c4 c6 3. Nf3 Nf6",
                              "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5", "1. Nf3 d5 2. g3 Nf6 3. Bg2 e6"};

struct Options {
    std::array<std::string, 2> commands;
    std::array<std::vector<std::string>, 2> settings;
    std::string control = "10+0.1";
    std::string go;
    std::size_t games = 20;
    std::string positions;
    std::size_t plies = 600;
    double silence = 1.5;
    bool print_moves = false;
};

std::vector<std::string> words(const std::string& text) {
    std::istringstream in{text};
    std::vector<std::string> out;
    for (std::string word; in >> word;) {
        out.push_back(word);
    }
    return out;
}

TimeControl control_of(const std::string& text) {
    const std::size_t plus = text.find('+');
    const double base = std::stod(text.substr(0, plus));
    const double increment = plus == std::string::npos ? 0 : std::stod(text.substr(plus + 1));
    return {std::chrono::milliseconds{static_cast<std::int64_t>(base * 1000)},
            std::chrono::milliseconds{static_cast<std::int64_t>(increment * 1000)}};
}

std::vector<GamePlan> plans_of(const Options& options) {
    std::vector<GamePlan> plans;
    GamePlan plan;
    plan.control = control_of(options.control);
    plan.go = options.go;
    plan.most_plies = options.plies;
    plan.longest_silence =
        std::chrono::milliseconds{static_cast<std::int64_t>(options.silence * 1000)};
    if (options.positions.empty()) {
        for (const char* opening : openings) {
            plan.opening = *chess::parse_line(plan.start, opening);
            plans.push_back(plan);
        }
        return plans;
    }
    std::ifstream in{options.positions};
    for (std::string line; std::getline(in, line);) {
        if (const auto record = chess::parse_epd(line)) {
            plan.start = record->position;
            plans.push_back(plan);
        }
    }
    if (plans.empty()) {
        throw std::runtime_error{"no position in " + options.positions};
    }
    return plans;
}

PlayerSetup setup_of(const Options& options, std::size_t which) {
    PlayerSetup setup{which == 0 ? "first" : "second", words(options.commands[which]), {}};
    for (const std::string& setting : options.settings[which]) {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos) {
            throw std::runtime_error{"'" + setting + "' is not NAME=VALUE"};
        }
        setup.options[setting.substr(0, equals)] = setting.substr(equals + 1);
    }
    return setup;
}

class Match {
public:
    explicit Match(const Options& options) : options_{options} {}

    int run() {
        try {
            const std::vector<GamePlan> plans = plans_of(options_);
            Player first{setup_of(options_, 0)};
            Player second{setup_of(options_, 1)};
            for (std::size_t game = 0; game < options_.games; ++game) {
                const bool first_is_white = game % 2 == 0;
                const GamePlan& plan = plans[game / 2 % plans.size()];
                report(game, first_is_white,
                       first_is_white ? play(first, second, plan) : play(second, first, plan));
            }
        } catch (const PlayerError& error) {
            ++faults_;
            std::cout << "fault: " << error.what() << std::endl;
        }
        std::cout << "first: " << won_ << " won, " << drawn_ << " drawn, " << lost_ << " lost; "
                  << plies_ << " plies, its least time left " << least_left_.count() << " ms; "
                  << faults_ << " faults" << std::endl;
        return faults_ == 0 && won_ + drawn_ + lost_ == options_.games ? 0 : 1;
    }

private:
    void report(std::size_t game, bool first_is_white, const GameResult& result) {
        const int score = first_is_white ? result.white : -result.white;
        won_ += score > 0 ? 1 : 0;
        lost_ += score < 0 ? 1 : 0;
        drawn_ += score == 0 ? 1 : 0;
        faults_ += result.faults.size();
        plies_ += result.plies;
        least_left_ = std::min(least_left_, result.least_left[first_is_white ? 0 : 1]);
        std::cout << "game " << game + 1 << ": first is " << (first_is_white ? "white" : "black")
                  << ", "
                  << (score > 0   ? "won"
                      : score < 0 ? "lost"
                                  : "drawn")
                  << " by " << result.reason << " after " << result.plies << " plies\n";
        for (const std::string& fault : result.faults) {
            std::cout << "fault: " << fault << '\n';
        }
        if (options_.print_moves) {
            std::cout << result.moves << '\n';
        }
        std::cout << std::flush;
    }

    const Options& options_;
    std::size_t won_ = 0;
    std::size_t drawn_ = 0;
    std::size_t lost_ = 0;
    std::size_t faults_ = 0;
    std::size_t plies_ = 0;
    std::chrono::milliseconds least_left_{24 * 3600 * 1000};
};

} // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app{"a match between two UCI engines"};
    app.add_option("--first", options.commands[0], "command of the first engine")->required();
    app.add_option("--second", options.commands[1], "command of the second")->required();
    app.add_option("--option1", options.settings[0], "NAME=VALUE of the first");
    app.add_option("--option2", options.settings[1], "NAME=VALUE of the second");
    app.add_option("--tc", options.control, "seconds + increment (default 10+0.1)");
    app.add_option("--go", options.go, "instead: \"movetime 50\", \"nodes 100000\", of each move");
    app.add_option("--games", options.games, "(default 20)");
    app.add_option("--positions", options.positions, "FEN or EPD file to start from");
    app.add_option("--plies", options.plies, "then a game is drawn (default 600)");
    app.add_option("--silence", options.silence,
                   "seconds that an engine may say nothing in a search (default 1.5)");
    app.add_flag("--moves", options.print_moves, "print the games");
    CLI11_PARSE(app, argc, argv);
    try {
        return Match{options}.run();
    } catch (const std::exception& error) {
        std::cerr << "match: " << error.what() << '\n';
        return 2;
    }
}
