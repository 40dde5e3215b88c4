#include "bench/benches.hpp"

#include "base/number.hpp"
#include "bench/arguments.hpp"
#include "bench/match.hpp"

#include <algorithm>
#include <cmath>
#include <expected>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>

namespace adjourn::bench {

namespace {

bool read_word(std::string_view word, search::Options& into) {
    static const std::map<std::string, std::function<void(search::Options&)>, std::less<>> words{
        {"full-width", [](search::Options& o) { o.selection = search::Selection::full_width; }},
        {"interest", [](search::Options& o) { o.selection = search::Selection::interest; }},
        {"none", [](search::Options& o) { o.quiescence = search::Quiescence::none; }},
        {"captures", [](search::Options& o) { o.quiescence = search::Quiescence::captures; }},
        {"consistency",
         [](search::Options& o) { o.quiescence = search::Quiescence::consistency; }}};
    const auto known = words.find(word);
    if (known == words.end()) {
        return false;
    }
    known->second(into);
    return true;
}

// False: there is none of that name, or not with that number.
bool read_setting(std::string_view name, int value, search::Options& into) {
    const std::map<std::string_view, int*> numbers{{"threshold", &into.consistency.threshold},
                                                   {"loosening", &into.consistency.loosening},
                                                   {"most_plies", &into.consistency.most_plies},
                                                   {"most_nodes", &into.consistency.most_nodes}};
    if (const auto known = numbers.find(name); known != numbers.end()) {
        *known->second = value;
        return true;
    }
    const auto& table = into.interest.table();
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (name == table[i].name) {
            into.interest.set(static_cast<search::InterestTerm>(i), value);
            return true;
        }
    }
    return false;
}

// A search as people write it, parts separated by commas, each of which changes what stands in
// Options: full-width | interest; none | captures | consistency; threshold, loosening, most_plies,
// most_nodes, and the names of the table of interest weights with a number:
// "interest,consistency,dull=40". The error names the part.
std::expected<search::Options, std::string> parse_configuration(std::string_view text) {
    search::Options options;
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), part.size() + 1));
        const std::size_t equals = part.find('=');
        bool read = false;
        if (equals == std::string_view::npos) {
            read = read_word(part, options);
        } else if (const auto value = base::parse_number<int>(part.substr(equals + 1));
                   value && *value >= -100'000 && *value <= 100'000) {
            read = read_setting(part.substr(0, equals), *value, options);
        }
        if (!read) {
            return std::unexpected("\"" + std::string{part} + "\"");
        }
    }
    return options;
}

// One a line, FEN or EPD, `most` at most. The error names file and line.
std::expected<std::vector<chess::Position>, std::string>
read_openings(const std::filesystem::path& epd, std::uint64_t most) {
    std::ifstream file{epd};
    if (!file) {
        return std::unexpected("cannot read " + epd.string());
    }
    std::vector<chess::Position> openings;
    std::uint64_t number = 0;
    for (std::string line; openings.size() < most && std::getline(file, line);) {
        ++number;
        const auto position = chess::Position::from_fen(line);
        if (!position) {
            return std::unexpected(epd.string() + ", line " + std::to_string(number) + ": " +
                                   position.error().message);
        }
        openings.push_back(*position);
    }
    return openings;
}

struct SearchesOptions {
    std::string first = "interest";
    std::string second = "full-width";
    std::vector<double> ratios{0.05, 0.2, 1};
    std::uint64_t nodes = 20'000;
    std::uint64_t games = 20;
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
    const auto openings = read_openings(options.epd, pairs);
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
