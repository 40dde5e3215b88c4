#include "bench/strategies/options.hpp"

#include "analysis/strategy.hpp"
#include "bench/arguments.hpp"

#include <algorithm>
#include <iostream>
#include <optional>
#include <sstream>

namespace adjourn::bench {

namespace {

std::vector<std::string> split(const std::string& text, char by = ',') {
    std::vector<std::string> parts;
    std::istringstream in{text};
    for (std::string part; std::getline(in, part, by);) {
        parts.push_back(part);
    }
    return parts;
}

bool set(analysis::StrategyParameters& to, const std::string& name, const std::string& value) {
    if (name == "distance") {
        return read_number(value, to.move_distance, 0);
    }
    if (name == "floor") {
        return read_number(value, to.floor, 0);
    }
    if (name == "floor_sigma") {
        return read_number(value, to.floor_sigma, 0, 10);
    }
    if (name == "anchor_threads") {
        return read_number(value, to.anchor_threads, -1, 512);
    }
    const auto own = analysis::strategy_of(to.kind).numbers();
    const auto known = std::ranges::find(own, name, &analysis::OwnNumber::name);
    if (known != own.end()) {
        return read_number(value, to.own[static_cast<std::size_t>(known - own.begin())],
                           known->least, known->most);
    }
    return false;
}

std::optional<Variant> parse_variant(const std::string& spec) {
    const std::vector<std::string> parts = split(spec, ':');
    if (parts.empty() || analysis::find_strategy(parts.front()) == nullptr) {
        return std::nullopt;
    }
    Variant variant{spec, analysis::default_parameters(parts.front()), 0};
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::size_t equals = parts[i].find('=');
        if (equals == std::string::npos) {
            return std::nullopt;
        }
        const std::string name = parts[i].substr(0, equals);
        const std::string value = parts[i].substr(equals + 1);
        if (!(name == "nodes"       ? read_number(value, variant.nodes, 1)
              : name == "margin"    ? read_number(value, variant.margin, 1, 1'000)
              : name == "processes" ? read_number(value, variant.processes, 1, 1'024)
                                    : set(variant.parameters, name, value))) {
            return std::nullopt;
        }
    }
    return variant;
}

bool read_variants(const std::string& text, std::vector<Variant>& into) {
    into.clear();
    for (const std::string& part : split(text)) {
        auto variant = parse_variant(part);
        if (!variant) {
            return false;
        }
        into.push_back(std::move(*variant));
    }
    return !into.empty();
}

bool read_rivals(const std::string& text, std::vector<Rival>& into) {
    into.clear();
    for (const std::string& part : split(text == "none" ? "" : text)) {
        if (part == "long") {
            into.push_back(Rival::one_search);
        } else if (part == "multipv") {
            into.push_back(Rival::several);
        } else if (part == "threads") {
            into.push_back(Rival::threads);
        } else {
            return false;
        }
    }
    return text == "none" || !into.empty();
}

using Set = StrategiesOptions::Set;

const std::vector<std::pair<std::string, Set>> sets{
    {"tune", Set::tune}, {"test", Set::test}, {"all", Set::all}};

Arguments arguments(StrategiesOptions& to) {
    return {
        {"--epd", "FILE", "root positions, may be given again",
         [&to](const std::string& text) { return to.epd.emplace_back(text), true; }},
        number("--roots", "N", "root positions", to.roots),
        choice<Set>("--set", "roots: parameters are chosen on `tune`, and then tried on `test`",
                    sets, to.set),
        flag("--solutions", "roots: hard ones, whose best moves the files tell (bm, am)",
             to.solutions),
        flag("--mates", "roots: mates of 8 to 30 moves that the files tell (dm, bm #n)", to.mates),
        flag("--draws", "roots: all are fortresses; of how many is that found", to.draws),
        number("--seed", "S", "of the sample and the bootstrap", to.seed, 0),
        number("--nodes", "N", "of an evaluation", to.nodes),
        number("--budget", "N", "evaluations a root; their nodes are those of every contender",
               to.budget),
        {"--strategies", "SPEC,SPEC...",
         "KIND[:NAME=VALUE...], \"anchored:court=0.3\" (default all)",
         [&to](const std::string& text) { return read_variants(text, to.strategies); }},
        {"--rivals", "NAME,NAME...", "beside them: long, multipv, threads; or none (default all)",
         [&to](const std::string& text) { return read_rivals(text, to.rivals); }},
        number("--threads", "N", "of the rival threads", to.threads, 1, 1'024),
        number("--reference", "N", "nodes of each of the two searches that judge a move",
               to.reference),
        number("--value-roots", "N", "roots where all that lies near the best is judged",
               to.value_roots, 0),
        path("--cache", "FILE", "kept searches (default bench/searches in the data directory)",
             to.cache),
        {"--known", "FILE", "kept searches that are only read, may be given again",
         [&to](const std::string& text) { return to.known.emplace_back(text), true; }},
        path("--record", "FILE", "the first strategy's trees, and what the reference says of them",
             to.record),
        number("--hash", "MB", "of an engine; twice that for the reference", to.hash),
        text("--stockfish", "PATH", "the engine (default: the one that is installed)",
             to.stockfish),
    };
}

} // namespace

std::string name_of(Set set) {
    return std::ranges::find(sets, set, &std::pair<std::string, Set>::second)->first;
}

std::expected<StrategiesOptions, int> read_options(const std::vector<std::string>& args,
                                                   std::ostream& out) {
    StrategiesOptions options;
    if (const auto code = answer_arguments("strategies", arguments(options), args, out)) {
        return std::unexpected(*code);
    }
    if (options.epd.empty()) {
        std::cerr << "bench strategies: '--epd' is missing: root positions\n";
        return std::unexpected(2);
    }
    if (options.solutions + options.mates + options.draws > 1) {
        std::cerr << "bench strategies: one of '--solutions', '--mates' and '--draws'\n";
        return std::unexpected(2);
    }
    if (options.strategies.empty()) {
        for (const std::string& kind : analysis::strategy_names()) {
            options.strategies.push_back({kind, analysis::default_parameters(kind), 0});
        }
    }
    return options;
}

} // namespace adjourn::bench
