#include "bench/strategies/contenders.hpp"

#include "analysis/strategy.hpp"
#include "base/files.hpp"
#include "bench/engine_pipe.hpp"
#include "chess/notation.hpp"
#include "host/config.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>

namespace adjourn::bench {

namespace {

constexpr int several_lines = 4; // PVs

std::uint64_t nodes_of(const StrategiesOptions& options, const Variant& variant) {
    return variant.nodes != 0 ? variant.nodes : options.nodes;
}

constexpr std::chrono::hours program_patience{1};

std::string number_text(double number) {
    std::array<char, 32> buffer{};
    return {buffer.data(), std::to_chars(buffer.begin(), buffer.end(), number).ptr};
}

void write_profile(const StrategiesOptions& options, std::size_t processes,
                   const std::filesystem::path& file) {
    std::vector<std::string> engine = engine_command(options.stockfish);
    if (engine.front().contains('/')) { // else the configuration's directory counts
        engine.front() = std::filesystem::absolute(engine.front()).string();
    }
    std::ofstream out{file};
    out << "[[engine]]\nname = \"engine\"\ncommand = " << nlohmann::json(engine)
        << "\ncount = " << processes << "\noptions = { Hash = " << options.hash << " }\n";
    if (!out.flush()) {
        throw std::runtime_error(file.string() + ": cannot be written");
    }
}

std::vector<std::string> command_of(const StrategiesOptions& options, const Variant& variant,
                                    const chess::Position& root,
                                    const std::filesystem::path& directory) {
    const analysis::StrategyParameters& parameters = variant.parameters;
    std::vector<std::string> command{
        (base::program_file().parent_path() / "adjourn").string(),
        "analyse",
        root.fen(),
        "--data",
        (directory / "data").string(),
        "--config",
        (directory / "adjourn.toml").string(),
        "--nodes",
        std::to_string(nodes_of(options, variant)),
        "--total-nodes",
        std::to_string(options.nodes * options.budget),
        "--strategy",
        parameters.kind,
        "--distance",
        std::to_string(parameters.move_distance),
        "--floor",
        std::to_string(parameters.floor),
        "--floor-sigma",
        number_text(parameters.floor_sigma),
        "--anchor-threads",
        std::to_string(parameters.anchor_threads),
        "--json",
    };
    const auto own = analysis::strategy_of(parameters.kind).numbers();
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (parameters.own[i] != own[i].usual) {
            command.insert(command.end(), {"--set", std::string{own[i].name} + "=" +
                                                        number_text(parameters.own[i])});
        }
    }
    return command;
}

// What the program itself answers, `adjourn analyse` with several engine processes: the whole of
// it, with its scheduler and the long search beside the tree, on an empty data directory. nullopt:
// it knows no best move. No two runs are the same: the processes run side by side. Throws
// std::runtime_error where the program does not start, ends without an answer or says nothing for
// an hour.
std::optional<Assessment> assessment_of_program(const StrategiesOptions& options,
                                                const Variant& variant,
                                                const chess::Position& root) {
    const base::ScratchDirectory directory{std::filesystem::temp_directory_path(),
                                           "adjourn-bench-program-"};
    write_profile(options, variant.processes, directory.path() / "adjourn.toml");
    EnginePipe program{command_of(options, variant, root, directory.path())};
    const nlohmann::json answer = nlohmann::json::parse(
        program.line(EnginePipe::Clock::now() + program_patience), nullptr, false);
    if (!answer.is_object() || !answer.contains("best")) {
        throw std::runtime_error("adjourn analyse: no answer is understood");
    }
    const nlohmann::json& best = answer["best"];
    if (!best.is_object()) {
        return std::nullopt;
    }
    const auto move = chess::parse_uci(root, best["uci"].get_ref<const std::string&>());
    return move ? std::optional{Assessment{*move, {}}} : std::nullopt;
}

} // namespace

Crew::Crew(const StrategiesOptions& options)
    : options_{options}, kept_{options.cache.empty()
                                   ? server::default_data_directory() / "bench/searches"
                                   : options.cache} {
    for (const auto& file : options.known) {
        kept_.know(file);
    }
}

Conversation& Crew::get(const std::string& name, int threads, int hash) {
    return members_
        .try_emplace(name, engine_command(options_.stockfish),
                     std::map<std::string, std::string>{{"Threads", std::to_string(threads)},
                                                        {"Hash", std::to_string(hash)}},
                     kept_)
        .first->second;
}

Conversation& Crew::member() {
    return get("member", 1, options_.hash);
}

Conversation& Crew::with_threads() {
    return get("threads", options_.threads, options_.hash);
}

Conversation& Crew::reference() {
    return get("reference", 1, 2 * options_.hash);
}

Conversation::Counts Crew::counts() const {
    Conversation::Counts all;
    for (const auto& [name, member] : members_) {
        all += member.counts();
    }
    return all;
}

std::vector<std::string> names_of(const StrategiesOptions& options) {
    std::vector<std::string> names;
    for (const Rival rival : options.rivals) {
        names.push_back(rival == Rival::one_search ? "one search"
                        : rival == Rival::several  ? "multipv"
                                                   : std::to_string(options.threads) + " threads");
    }
    for (const Variant& variant : options.strategies) {
        names.push_back(variant.name);
    }
    return names;
}

std::vector<Assessment> assessments_of(const StrategiesOptions& options,
                                       const chess::Position& root, Crew& crew) {
    const std::uint64_t total = options.nodes * options.budget;
    std::vector<Assessment> assessments;
    const auto add = [&](std::optional<Assessment> assessment) {
        if (!assessment) {
            throw std::runtime_error("no answer at " + root.fen());
        }
        assessments.push_back(std::move(*assessment));
    };
    for (const Rival rival : options.rivals) {
        const bool threads = rival == Rival::threads;
        add(assessment_of_search(root, total, rival == Rival::several ? several_lines : 1,
                                 threads ? crew.with_threads() : crew.member()));
    }
    for (const Variant& variant : options.strategies) {
        add(variant.processes > 0
                ? assessment_of_program(options, variant, root)
                : assessment_of_tree(
                      {root, variant.parameters, nodes_of(options, variant), total, variant.margin},
                      crew.member()));
    }
    return assessments;
}

} // namespace adjourn::bench
