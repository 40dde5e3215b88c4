#include "bench/benches.hpp"

#include "arguments.hpp"
#include "searches/configuration.hpp"
#include "searches/match.hpp"
#include "searches/openings.hpp"

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
};

Argument configuration(std::string name, std::string help, std::string& into) {
    return {std::move(name), "WORDS", with_default(std::move(help), into),
            [&into](const std::string& text) {
                into = text;
                return !text.empty() && parse_configuration(text);
            }};
}

Arguments searches_arguments(SearchesOptions& options) {
    return {configuration("--first", "what is tried", options.first),
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
            path("--epd", "FILE", "openings", options.epd)};
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
    const std::uint64_t pairs = options.games / 2;
    const auto openings = read_openings(options.epd, options.skip, pairs);
    if (!openings || openings->size() < pairs) {
        std::cerr << "bench searches: "
                  << (openings ? options.epd.string() + ": too few openings" : openings.error())
                  << '\n';
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
        for (const chess::Position& opening : *openings) {
            play_pair(opening, first, second, score);
        }
        print_row(ratio, nodes, score, out);
    }
    return 0;
}

} // namespace

int run_searches(const std::vector<std::string>& args, std::ostream& out) {
    SearchesOptions options;
    if (const auto code = answer_arguments("searches", searches_arguments(options), args, out)) {
        return *code;
    }
    return play_matches(options, out);
}

} // namespace adjourn::bench
