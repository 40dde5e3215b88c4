#include "bench/benches.hpp"

#include "analysis/strategy.hpp"
#include "base/files.hpp"
#include "bench/arguments.hpp"
#include "core/engines/installed_engines.hpp"
#include "host/service.hpp"

#include <spdlog/spdlog.h>

#include <chrono>
#include <filesystem>
#include <iomanip>
#include <thread>

namespace adjourn::bench {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct BusyOptions {
    int answer_ms = 20;
    int engines = 8;
    int movetime_ms = 200;
    int stockfish_engines = 2;
    int seconds = 10;
    int warmup = 3;
    std::string hash_engine;
    std::string stockfish;
    std::string strategy = "halving";
};

Arguments arguments(BusyOptions& to) {
    std::vector<std::pair<std::string, std::string>> kinds;
    for (const std::string& kind : analysis::strategy_names()) {
        kinds.emplace_back(kind, kind);
    }
    return {number("--answer", "MS", "time of an answer of hash_engine", to.answer_ms),
            number("--engines", "N", "processes of hash_engine, 0 leaves them out", to.engines, 0),
            number("--movetime", "MS", "time of an answer of Stockfish", to.movetime_ms),
            number("--stockfish-engines", "N", "processes of Stockfish, 0 leaves them out",
                   to.stockfish_engines, 0),
            choice("--strategy", "how the tree grows", std::move(kinds), to.strategy),
            number("--seconds", "S", "measured for each row", to.seconds),
            number("--warmup", "S", "before that", to.warmup, 0),
            text("--hash-engine", "PATH", "(default: beside this program)", to.hash_engine),
            text("--stockfish", "PATH", "(default: the one that is installed)", to.stockfish)};
}

constexpr std::chrono::minutes most_wait{2}; // for the first answer

struct Reading {
    Clock::time_point at;
    double busy = 0; // seconds, all processes
    std::uint64_t jobs = 0;
};

Reading read(server::Service& service) {
    Reading reading;
    service.with_core([&](server::Core& core) {
        for (const auto& status : core.engines().all().front()->status()) {
            reading.busy += std::chrono::duration<double>(status.busy).count();
            reading.jobs += status.jobs_done;
        }
    });
    reading.at = Clock::now();
    return reading;
}

bool measure(const std::string& title, engine_bridge::Profile profile, analysis::Limit limit,
             const BusyOptions& options, std::ostream& out) {
    const base::ScratchDirectory directory{fs::temp_directory_path(), "adjourn-busy-"};
    server::Config config;
    const double processes = static_cast<double>(profile.count);
    config.engines = {std::move(profile)};
    server::Service service{config, {directory.path(), false, ""}};
    service.start();
    server::NewAnalysis wanted{"busy", chess::Position::initial(), {}, "", limit, {}, 0, false};
    wanted.spec.strategy = analysis::default_parameters(options.strategy);
    service.with_core([&](server::Core& core) { (void)core.create(std::move(wanted)); });
    std::this_thread::sleep_for(std::chrono::seconds{options.warmup});
    const Reading before = read(service);
    std::this_thread::sleep_for(std::chrono::seconds{options.seconds});
    Reading after = read(service);
    // A machine that does other work may not even have begun: an answer belongs to each row.
    while (after.jobs == before.jobs && after.at - before.at < most_wait) {
        std::this_thread::sleep_for(std::chrono::milliseconds{100});
        after = read(service);
    }
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
    BusyOptions options;
    if (const auto code = answer_arguments("busy", arguments(options), args, out)) {
        return *code;
    }
    if (options.hash_engine.empty()) {
        options.hash_engine = (base::program_file().parent_path() / "hash_engine").string();
    }
    if (options.stockfish.empty()) {
        options.stockfish = server::find_program("stockfish").value_or("");
    }
    spdlog::set_level(spdlog::level::warn);
    out << "engine time / (wall x processes)                busy   answers/s\n";
    bool measured = true;
    if (options.engines > 0) {
        engine_bridge::Profile profile;
        profile.name = "hash_engine";
        profile.command = {options.hash_engine};
        profile.count = static_cast<std::size_t>(options.engines);
        profile.options = {{"AnswerMs", std::to_string(options.answer_ms)}};
        measured &= measure(std::to_string(options.engines) + " hash_engine, " +
                                std::to_string(options.answer_ms) + " ms an answer",
                            profile, {analysis::Limit::Kind::depth, 8}, options, out);
    }
    if (options.stockfish_engines > 0 && !options.stockfish.empty()) {
        engine_bridge::Profile profile;
        profile.name = "stockfish";
        profile.command = {options.stockfish};
        profile.count = static_cast<std::size_t>(options.stockfish_engines);
        profile.options = {{"Threads", "1"}, {"Hash", "16"}};
        measured &= measure(
            std::to_string(options.stockfish_engines) + " Stockfish, " +
                std::to_string(options.movetime_ms) + " ms an answer",
            profile,
            {analysis::Limit::Kind::movetime, static_cast<std::uint64_t>(options.movetime_ms)},
            options, out);
    }
    return measured ? 0 : 1;
}

} // namespace adjourn::bench
