#include "bench/strategies/options.hpp"

#include "arguments.hpp"

#include <algorithm>
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

bool read_counts(const std::string& text, std::vector<std::size_t>& into) {
    into.clear();
    for (const std::string& part : split(text)) {
        if (!read_number(part, into.emplace_back(), 1)) {
            return false;
        }
    }
    std::sort(into.begin(), into.end());
    return !into.empty();
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

bool set(analysis::StrategyParameters& to, const std::string& name, const std::string& value) {
    if (name == "distance") {
        return read_number(value, to.move_distance, 0);
    }
    if (name == "floor") {
        return read_number(value, to.floor, 0);
    }
    for (const analysis::CostParameter& known : analysis::cost_parameters()) {
        if (known.name == name) {
            return read_number(value, to.costs.*known.value, known.least, known.most);
        }
    }
    return false;
}

using Stage = StrategiesOptions::Stage;

Arguments arguments(StrategiesOptions& to) {
    const auto counts = [](const char* name, const char* help, std::vector<std::size_t>& into) {
        return Argument{name, "N,N...", help,
                        [&into](const std::string& text) { return read_counts(text, into); }};
    };
    return {
        {"--epd", "FILE", "root positions, may be given again; without: made-up trees",
         [&to](const std::string& text) { return to.epd.emplace_back(text), true; }},
        path("--cache", "DIR", "where answers are kept (default bench in the data directory)",
             to.cache),
        choice<Stage>(
            "--stage", "only choose roots and ask the reference, only follow the courses",
            {{"reference", Stage::reference}, {"courses", Stage::courses}, {"all", Stage::all}},
            to.stage),
        number("--roots", "N", "root positions, or made-up trees", to.roots),
        number("--seed", "S", "of the sample, the trees and the bootstrap", to.seed, 0),
        number("--nodes", "N", "of an evaluation", to.nodes),
        number("--reference", "X", "nodes of the reference, in those of an evaluation",
               to.reference),
        number("--budget", "N", "evaluations a root", to.budget),
        counts("--at", "columns of the tables, in evaluations (default: halves of the budget)",
               to.budgets),
        counts("--long", "one search with the nodes of N evaluations takes part", to.longs),
        number("--processes", "N", "engines; each root is asked one by one", to.processes),
        {"--threads", "N", "N threads against N workers, equal wall time (default: not measured)",
         [&to](const std::string& text) { return read_number(text, to.threads, 1); }},
        number("--thread-roots", "N", "roots of that", to.thread_roots),
        {"--strategies", "SPEC,SPEC...", "KIND[:NAME=VALUE...], \"dropout:step=0.5\" (default all)",
         [&to](const std::string& text) { return read_variants(text, to.strategies); }},
        number("--root-distance", "CP", "a root has two moves so close to each other",
               to.root_distance, 0),
        choice<RootChoice>("--choice", "how a strategy's root move is chosen",
                           {{"verified", RootChoice::verified}, {"settled", RootChoice::settled}},
                           to.choice),
        number("--tolerance", "CP", "a move so little worse counts as the best", to.tolerance, 0),
        number("--noise", "CP", "of made-up answers", to.noise, 0),
        text("--stockfish", "PATH", "the engine (default: the one that is installed)",
             to.stockfish),
    };
}

} // namespace

std::optional<Variant> parse_variant(const std::string& spec) {
    const std::vector<std::string> parts = split(spec, ':');
    const auto kind = parts.empty() ? std::nullopt : analysis::parse_strategy(parts.front());
    if (!kind) {
        return std::nullopt;
    }
    Variant variant{spec, analysis::default_parameters(*kind)};
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::size_t equals = parts[i].find('=');
        if (equals == std::string::npos ||
            !set(variant.parameters, parts[i].substr(0, equals), parts[i].substr(equals + 1))) {
            return std::nullopt;
        }
    }
    return variant;
}

void explain_options(std::ostream& out) {
    StrategiesOptions options;
    print_help("strategies", arguments(options), out);
}

std::expected<StrategiesOptions, std::string> parse_options(const std::vector<std::string>& args) {
    StrategiesOptions options;
    if (auto read = read_arguments(arguments(options), args); !read) {
        return std::unexpected(std::move(read.error()));
    }
    const auto beyond = [&](std::size_t count) { return count > options.budget; };
    std::erase_if(options.budgets, beyond);
    std::erase_if(options.longs, beyond);
    if (options.budgets.empty()) {
        for (std::size_t count = options.budget; count >= 5; count /= 2) {
            options.budgets.insert(options.budgets.begin(), count);
        }
    }
    if (options.budgets.empty() || options.budgets.back() != options.budget) {
        options.budgets.push_back(options.budget);
    }
    if (options.strategies.empty()) {
        for (const analysis::StrategyKind kind : analysis::strategy_kinds()) {
            options.strategies.push_back(
                {std::string{analysis::to_text(kind)}, analysis::default_parameters(kind)});
        }
    }
    return options;
}

} // namespace adjourn::bench
