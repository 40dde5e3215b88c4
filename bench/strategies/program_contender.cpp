#include "program_contender.hpp"

#include "analysis/strategy.hpp"
#include "base/files.hpp"
#include "chess/notation.hpp"
#include "engine_pipe.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <chrono>
#include <fstream>
#include <stdexcept>

namespace adjourn::bench {

namespace {

constexpr std::chrono::hours program_patience{1};

std::string number_text(double number) {
    std::array<char, 32> buffer{};
    return {buffer.data(), std::to_chars(buffer.begin(), buffer.end(), number).ptr};
}

void write_profile(const ProgramRequest& request, const std::filesystem::path& file) {
    std::vector<std::string> engine = request.engine;
    if (engine.front().contains('/')) { // else the configuration's directory counts
        engine.front() = std::filesystem::absolute(engine.front()).string();
    }
    std::ofstream out{file};
    out << "[[engine]]\nname = \"engine\"\ncommand = " << nlohmann::json(engine)
        << "\ncount = " << request.processes << "\noptions = { Hash = " << request.hash << " }\n";
    if (!out.flush()) {
        throw std::runtime_error(file.string() + ": cannot be written");
    }
}

std::vector<std::string> command_of(const ProgramRequest& request,
                                    const std::filesystem::path& directory) {
    const analysis::StrategyParameters& parameters = request.parameters;
    std::vector<std::string> command{
        (base::program_file().parent_path() / "adjourn").string(),
        "analyse",
        request.root.fen(),
        "--data",
        (directory / "data").string(),
        "--config",
        (directory / "adjourn.toml").string(),
        "--nodes",
        std::to_string(request.nodes),
        "--total-nodes",
        std::to_string(request.total),
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

} // namespace

std::optional<Assessment> assessment_of_program(const ProgramRequest& request) {
    const base::ScratchDirectory directory{std::filesystem::temp_directory_path(),
                                           "adjourn-bench-program-"};
    write_profile(request, directory.path() / "adjourn.toml");
    EnginePipe program{command_of(request, directory.path())};
    const nlohmann::json answer = nlohmann::json::parse(
        program.line(EnginePipe::Clock::now() + program_patience), nullptr, false);
    if (!answer.is_object() || !answer.contains("best")) {
        throw std::runtime_error("adjourn analyse: no answer is understood");
    }
    const nlohmann::json& best = answer["best"];
    if (!best.is_object()) {
        return std::nullopt;
    }
    const auto move = chess::parse_uci(request.root, best["uci"].get_ref<const std::string&>());
    return move ? std::optional{Assessment{*move, {}}} : std::nullopt;
}

} // namespace adjourn::bench
