#include "bench/strategies/options.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <sstream>

namespace adjourn::bench {

namespace {

template <class Number>
bool read(std::string_view text, Number& into, Number least = 1) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < least) {
        return false;
    }
    into = value;
    return true;
}

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
        if (!read(part, into.emplace_back())) {
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
        return read(value, to.move_distance, 0);
    }
    if (name == "floor") {
        return read(value, to.floor, 0);
    }
    for (const analysis::CostParameter& known : analysis::cost_parameters()) {
        if (known.name == name) {
            return read(value, to.costs.*known.value, known.least) &&
                   to.costs.*known.value <= known.most;
        }
    }
    return false;
}

template <class Value>
bool pick(const std::map<std::string, Value>& values, const std::string& text, Value& into) {
    const auto found = values.find(text);
    if (found == values.end()) {
        return false;
    }
    into = found->second;
    return true;
}

using Stage = StrategiesOptions::Stage;

std::map<std::string, std::function<bool(const std::string&)>> readers(StrategiesOptions& to) {
    return {
        {"--epd", [&](const std::string& text) { return to.epd.emplace_back(text), true; }},
        {"--cache", [&](const std::string& text) { return to.cache = text, !text.empty(); }},
        {"--stage",
         [&](const std::string& text) {
             return pick<Stage>({{"reference", Stage::reference},
                                 {"courses", Stage::courses},
                                 {"all", Stage::all}},
                                text, to.stage);
         }},
        {"--roots", [&](const std::string& text) { return read(text, to.roots); }},
        {"--seed", [&](const std::string& text) { return read<std::uint64_t>(text, to.seed, 0); }},
        {"--nodes", [&](const std::string& text) { return read(text, to.nodes); }},
        {"--reference", [&](const std::string& text) { return read(text, to.reference); }},
        {"--budget", [&](const std::string& text) { return read(text, to.budget); }},
        {"--at", [&](const std::string& text) { return read_counts(text, to.budgets); }},
        {"--long", [&](const std::string& text) { return read_counts(text, to.longs); }},
        {"--processes", [&](const std::string& text) { return read(text, to.processes); }},
        {"--threads", [&](const std::string& text) { return read(text, to.threads); }},
        {"--thread-roots", [&](const std::string& text) { return read(text, to.thread_roots); }},
        {"--strategies",
         [&](const std::string& text) { return read_variants(text, to.strategies); }},
        {"--root-distance",
         [&](const std::string& text) { return read(text, to.root_distance, 0); }},
        {"--choice",
         [&](const std::string& text) {
             return pick<RootChoice>(
                 {{"verified", RootChoice::verified}, {"settled", RootChoice::settled}}, text,
                 to.choice);
         }},
        {"--tolerance",
         [&](const std::string& text) {
             std::size_t cp = 0;
             const bool good = read<std::size_t>(text, cp, 0);
             to.tolerance = static_cast<double>(cp);
             return good;
         }},
        {"--noise", [&](const std::string& text) { return read(text, to.noise, 0.0); }},
        {"--stockfish", [&](const std::string& text) { return to.stockfish = text, true; }},
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

std::expected<StrategiesOptions, std::string> parse_options(const std::vector<std::string>& args) {
    StrategiesOptions options;
    const auto known = readers(options);
    for (std::size_t i = 0; i < args.size(); i += 2) {
        const auto reader = known.find(args[i]);
        if (reader == known.end()) {
            return std::unexpected("'" + args[i] + "' is unknown");
        }
        if (i + 1 == args.size() || !reader->second(args[i + 1])) {
            return std::unexpected("'" + args[i] + "' lacks a sensible value");
        }
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
