#include "bench/searches.hpp"

#include "arguments.hpp"
#include "searches/configuration.hpp"
#include "searches/fit.hpp"
#include "searches/match.hpp"
#include "searches/openings.hpp"
#include "searches/tune.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <sstream>

namespace adjourn::bench {

namespace {

struct SearchesOptions {
    std::string first = "interest";
    std::string second = "full-width";
    std::vector<double> ratios{0.05, 0.2, 1};
    std::uint64_t nodes = 20'000;
    std::uint64_t games = 20;
    std::uint64_t skip = 0;
    std::filesystem::path epd = "bench/data/openings.epd";
    bool fit = false;
    bool tune = false;
};

Argument configuration(std::string name, std::string help, std::string& into) {
    return {std::move(name), "WORDS", with_default(std::move(help), into),
            [&into](const std::string& text) {
                into = text;
                return !text.empty() && parse_configuration(text);
            }};
}

Arguments searches_arguments(SearchesOptions& options) {
    return {
        configuration("--first", "what is tried", options.first),
        configuration("--second", "what it plays against", options.second),
        {"--ratios", "LIST", "nodes of the first for each of the second (default 0.05,0.2,1)",
         [&options](const std::string& text) {
             options.ratios.clear();
             std::istringstream list{text};
             for (std::string part; std::getline(list, part, ',');) {
                 double ratio = 0;
                 if (!read_number(part, ratio, 0.0001, 10'000)) {
                     return false;
                 }
                 options.ratios.push_back(ratio);
             }
             return !options.ratios.empty();
         }},
        number("--nodes", "N", "of the second, a move", options.nodes, 1, 1'000'000'000),
        number("--games", "N", "a row, two of each opening", options.games, 2, 1'000'000),
        number("--skip", "N", "openings at the beginning of the file", options.skip, 0),
        path("--epd", "FILE", "openings", options.epd),
        flag("--fit", "instead: weights and curve of chances, by games of --second", options.fit),
        flag("--tune", "instead: weights of interest, by games of --first", options.tune)};
}

// The openings, or none after a message.
std::vector<chess::Position> openings_of(const SearchesOptions& options, std::uint64_t least,
                                         std::uint64_t most) {
    auto openings = read_openings(options.epd, options.skip, most);
    if (!openings || openings->size() < least) {
        std::cerr << "bench searches: "
                  << (openings ? options.epd.string() + ": too few openings" : openings.error())
                  << '\n';
        return {};
    }
    return *openings;
}

std::string elo_text(double score) {
    const double elo = elo_of(score);
    std::ostringstream text;
    text << std::showpos << std::fixed << std::setprecision(0);
    if (std::isfinite(elo)) {
        text << elo;
    } else {
        text << (elo > 0 ? "+inf" : "-inf");
    }
    return text.str();
}

void print_row(double ratio, std::uint64_t nodes, const MatchScore& score, std::ostream& out) {
    const double value = score.score();
    const double error = score.error();
    out << std::fixed << std::setprecision(2) << std::setw(6) << ratio << std::setw(9) << nodes
        << std::setw(7) << score.games() << std::setw(7) << score.wins << std::setw(6)
        << score.draws << std::setw(6) << score.losses << std::setprecision(1) << std::setw(8)
        << 100 * value << " ± " << std::setw(4) << 100 * error << "   " << elo_text(value) << " ["
        << elo_text(value - error) << ", " << elo_text(value + error) << "]" << std::setw(8)
        << score.first_seconds << std::setw(8) << score.second_seconds << std::endl;
}

int play_matches(const SearchesOptions& options, std::ostream& out) {
    const auto openings = openings_of(options, options.games / 2, options.games / 2);
    if (openings.empty()) {
        return 1;
    }
    out << options.first << " against " << options.second << ", which has " << options.nodes
        << " nodes a move\n"
        << " ratio    nodes  games   wins draws  lost   score %          Elo [95 %]   processor, "
           "s\n";
    for (const double ratio : options.ratios) {
        const auto nodes = static_cast<std::uint64_t>(
            std::max(1.0, std::round(ratio * static_cast<double>(options.nodes))));
        const Contestant first{*parse_configuration(options.first), nodes};
        const Contestant second{*parse_configuration(options.second), options.nodes};
        MatchScore score;
        for (const chess::Position& opening : openings) {
            play_pair(opening, first, second, score);
        }
        print_row(ratio, nodes, score, out);
    }
    return 0;
}

// Of --fit: how labels are made, and how far weights may go that the positions say little of.
constexpr double recall = 0.95;
constexpr double looseness = 3;

int fit_evaluation(const SearchesOptions& options, std::ostream& out) {
    if (options.games < fewest_games_to_fit) {
        std::cerr << "bench searches: --fit wants " << fewest_games_to_fit
                  << " games or more, since every tenth is held out\n";
        return 2;
    }
    const auto openings = openings_of(options, 1, options.games);
    if (openings.empty()) {
        return 1;
    }
    const auto positions = label_positions(
        openings, {*parse_configuration(options.second), options.nodes}, options.games, recall);
    const WeightsFit fit = fit_weights(positions, search::evaluation_weights(), looseness);
    const ChancesFit chances = fit_chances(positions);
    out << options.games << " games of " << options.second << " from " << openings.size()
        << " openings, " << options.nodes << " nodes a move: " << positions.size()
        << " quiet positions\n"
        << std::fixed << std::setprecision(1) << "scale of the evaluation: " << fit.scale
        << " cp; chances by the search: middle " << chances.middle << ", spread " << chances.spread
        << " cp\n"
        << std::setprecision(4) << "cross entropy of games held out: " << fit.before << " before, "
        << fit.after << " after\n";
    print_weights(fit.weights, out);
    return 0;
}

int tune_interest(const SearchesOptions& options, std::ostream& out) {
    const Contestant player{*parse_configuration(options.first), options.nodes};
    if (player.options.selection != search::Selection::interest) {
        std::cerr << "bench searches: --tune wants a --first of interest; " << options.first
                  << " has none of its weights\n";
        return 2;
    }
    const std::uint64_t pairs = options.games / 2;
    const auto openings = openings_of(options, 1, pairs);
    if (openings.empty()) {
        return 1;
    }
    const std::vector<Tuned> before = tuned_numbers(player.options.interest);
    const std::vector<Tuned> after = tune_by_games(openings, player, pairs);
    out << 2 * pairs << " games of " << options.first << " against itself from " << openings.size()
        << " openings, " << options.nodes << " nodes a move\n";
    for (std::size_t i = 0; i < before.size(); ++i) {
        out << std::left << std::setw(14) << before[i].name << std::right << std::fixed
            << std::setprecision(0) << std::setw(7) << before[i].value << std::setprecision(1)
            << std::setw(9) << after[i].value << '\n';
    }
    out << words_of(after) << '\n';
    return 0;
}

} // namespace

int run_searches(const std::vector<std::string>& args, std::ostream& out) {
    SearchesOptions options;
    if (const auto code = answer_arguments("searches", searches_arguments(options), args, out)) {
        return *code;
    }
    if (options.fit && options.tune) {
        std::cerr << "bench searches: --fit and --tune are two commands\n";
        return 2;
    }
    return options.fit    ? fit_evaluation(options, out)
           : options.tune ? tune_interest(options, out)
                          : play_matches(options, out);
}

} // namespace adjourn::bench
