#include "bench/busy.hpp"

#include "server/scratch_directory.hpp"
#include "server/service.hpp"

#include <spdlog/spdlog.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iomanip>
#include <optional>
#include <thread>

namespace adjourn::bench {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct Arguments {
    int answer_ms = 20;
    int engines = 8;
    int movetime_ms = 200;
    int stockfish_engines = 2;
    int seconds = 10;
    int warmup = 3;
    std::string hash_engine;
    std::string stockfish;
    analysis::StrategyKind strategy = analysis::StrategyKind::halving;
};

std::optional<Arguments> parse(const std::vector<std::string>& args, std::ostream& out) {
    Arguments result;
    for (std::size_t i = 0; i < args.size(); ++i) {
        const auto number = [&](int least) -> std::optional<int> {
            int value = 0;
            if (++i < args.size()) {
                const std::string& text = args[i];
                const auto [end, error] =
                    std::from_chars(text.data(), text.data() + text.size(), value);
                if (error == std::errc{} && end == text.data() + text.size() && value >= least) {
                    return value;
                }
            }
            return std::nullopt;
        };
        const std::string name = args[i];
        std::optional<int> value = 0;
        if (name == "--hash-engine" || name == "--stockfish") {
            if (++i < args.size()) {
                (name == "--stockfish" ? result.stockfish : result.hash_engine) = args[i];
            } else {
                value.reset();
            }
        } else if (name == "--strategy") {
            const auto kind = ++i < args.size() ? analysis::parse_strategy(args[i]) : std::nullopt;
            if (kind) {
                result.strategy = *kind;
            } else {
                value.reset();
            }
        } else if (name == "--answer" && (value = number(1))) {
            result.answer_ms = *value;
        } else if (name == "--engines" && (value = number(0))) {
            result.engines = *value;
        } else if (name == "--movetime" && (value = number(1))) {
            result.movetime_ms = *value;
        } else if (name == "--stockfish-engines" && (value = number(0))) {
            result.stockfish_engines = *value;
        } else if (name == "--seconds" && (value = number(1))) {
            result.seconds = *value;
        } else if (name == "--warmup" && (value = number(0))) {
            result.warmup = *value;
        } else {
            value.reset();
        }
        if (!value) {
            out << "bench busy: '" << name << "' is unknown or lacks a sensible value\n";
            return std::nullopt;
        }
    }
    return result;
}

struct Reading {
    Clock::time_point at;
    double busy = 0; // seconds, all processes
    std::uint64_t jobs = 0;
};

Reading read(server::Service& service) {
    Reading reading;
    service.with_core([&](server::Core& core) {
        for (const auto& status : core.engines().front()->workers->status()) {
            reading.busy += std::chrono::duration<double>(status.busy).count();
            reading.jobs += status.jobs_done;
        }
    });
    reading.at = Clock::now();
    return reading;
}

bool measure(const std::string& title, engine_bridge::Profile profile, analysis::Limit limit,
             const Arguments& arguments, std::ostream& out) {
    const server::ScratchDirectory directory{fs::temp_directory_path(), "adjourn-busy-"};
    server::Config config;
    const double processes = static_cast<double>(profile.count);
    config.engines = {std::move(profile)};
    server::Service service{config, {directory.path(), false, ""}};
    service.start();
    server::NewAnalysis wanted{"busy", chess::Position::initial(), {}, "", limit, {}, 0, false};
    wanted.spec.strategy = analysis::default_parameters(arguments.strategy);
    service.with_core([&](server::Core& core) { (void)core.create(std::move(wanted)); });
    std::this_thread::sleep_for(std::chrono::seconds{arguments.warmup});
    const Reading before = read(service);
    std::this_thread::sleep_for(std::chrono::seconds{arguments.seconds});
    const Reading after = read(service);
    service.stop();
    const double wall = std::chrono::duration<double>(after.at - before.at).count();
    const double share = (after.busy - before.busy) / (wall * processes);
    out << std::left << std::setw(44) << title << std::right << std::fixed << std::setprecision(4)
        << std::setw(9) << share << std::setw(12) << std::setprecision(1)
        << static_cast<double>(after.jobs - before.jobs) / wall << std::endl;
    return after.jobs > before.jobs;
}

} // namespace

int run_busy(const std::vector<std::string>& args, std::ostream& out) {
    auto arguments = parse(args, out);
    if (!arguments) {
        return 2;
    }
    std::error_code error;
    if (arguments->hash_engine.empty()) {
        arguments->hash_engine =
            (fs::read_symlink("/proc/self/exe", error).parent_path() / "hash_engine").string();
    }
    if (arguments->stockfish.empty()) {
        arguments->stockfish = server::find_program("stockfish").value_or("");
    }
    spdlog::set_level(spdlog::level::warn);
    out << "engine time / (wall x processes)                busy   answers/s\n";
    bool measured = true;
    if (arguments->engines > 0) {
        engine_bridge::Profile profile;
        profile.name = "hash_engine";
        profile.command = {arguments->hash_engine};
        profile.count = static_cast<std::size_t>(arguments->engines);
        profile.options = {{"AnswerMs", std::to_string(arguments->answer_ms)}};
        measured &= measure(std::to_string(arguments->engines) + " hash_engine, " +
                                std::to_string(arguments->answer_ms) + " ms an answer",
                            profile, {analysis::Limit::Kind::depth, 8}, *arguments, out);
    }
    if (arguments->stockfish_engines > 0 && !arguments->stockfish.empty()) {
        engine_bridge::Profile profile;
        profile.name = "stockfish";
        profile.command = {arguments->stockfish};
        profile.count = static_cast<std::size_t>(arguments->stockfish_engines);
        profile.options = {{"Threads", "1"}, {"Hash", "16"}};
        measured &= measure(
            std::to_string(arguments->stockfish_engines) + " Stockfish, " +
                std::to_string(arguments->movetime_ms) + " ms an answer",
            profile,
            {analysis::Limit::Kind::movetime, static_cast<std::uint64_t>(arguments->movetime_ms)},
            *arguments, out);
    }
    return measured ? 0 : 1;
}

} // namespace adjourn::bench
