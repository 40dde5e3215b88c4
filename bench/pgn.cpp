#include "bench/benches.hpp"

#include "base/files.hpp"
#include "bench/arguments.hpp"
#include "bench/made_up.hpp"
#include "bench/process_use.hpp"
#include "chess/pgn.hpp"
#include "files/import/import.hpp"
#include "storage/open.hpp"

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iomanip>
#include <optional>
#include <ostream>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace adjourn::bench {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* debians_own = "/usr/games/pgn-extract";

constexpr int longest_game = 160; // plies

struct PgnOptions {
    std::size_t games = 5'000;
    std::size_t repeat = 3;
    fs::path directory = fs::temp_directory_path();
    std::string pgn_extract = access(debians_own, X_OK) == 0 ? debians_own : "pgn-extract";
};

Arguments arguments(PgnOptions& to) {
    return {number("--games", "N", "made-up games of up to 160 plies", to.games),
            number("--repeat", "N", "the best of so many runs counts", to.repeat),
            path("--directory", "DIR", "where the store is made, and removed", to.directory),
            text("--pgn-extract", "PATH", "reads the same", to.pgn_extract)};
}

class MoveCounter : public chess::PgnVisitor {
public:
    void move(const chess::Position&, chess::Move) override { ++moves; }
    void error(const chess::PgnError&) override { ++errors; }

    std::size_t moves = 0;
    std::size_t errors = 0;
};

// Seconds of the fastest of so many runs; nullopt if one fails.
std::optional<double> fastest(std::size_t repeat, const std::function<bool()>& run) {
    std::optional<double> best;
    for (std::size_t i = 0; i < repeat; ++i) {
        const auto start = Clock::now();
        if (!run()) {
            return std::nullopt;
        }
        const double seconds = seconds_since(start);
        best = std::min(best.value_or(seconds), seconds);
    }
    return best;
}

// `pgn-extract -r FILE`, its words thrown away.
bool run_pgn_extract(const std::string& program, const std::string& file) {
    std::vector<std::string> words{program, "-r", "-s", file};
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t process = -1;
    const int failed =
        posix_spawnp(&process, program.c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    return failed == 0 && waitpid(process, &status, 0) == process && WIFEXITED(status) &&
           WEXITSTATUS(status) != 127;
}

// Into new stores under `directory`; the report of the last run.
std::optional<double> import_into(const PgnOptions& options, const fs::path& directory,
                                  const std::string& text, server::ImportReport& report) {
    std::size_t number = 0;
    return fastest(options.repeat, [&] {
        const auto store =
            storage::open_store(directory / std::to_string(number++), storage::OpenMode::owner);
        storage::AnalysisRecord record;
        record.root_fen = chess::Position::initial().fen();
        store->insert(record, {});
        store->flush();
        server::ImportOptions wanted;
        wanted.name = "bench.pgn";
        wanted.target =
            server::ImportTarget{analysis::AnalysisId{1}, chess::Position::initial(), {}};
        std::istringstream in{text};
        const auto done = server::import_text(*store, server::ImportFormat::pgn, in, wanted);
        if (done) {
            report = *done;
        }
        return done.has_value();
    });
}

} // namespace

int run_pgn(const std::vector<std::string>& args, std::ostream& out) {
    PgnOptions options;
    if (const auto code = answer_arguments("pgn", arguments(options), args, out)) {
        return *code;
    }
    const std::string text = made_up_games(options.games, 1, longest_game, false);
    MoveCounter counter;
    const auto ours = fastest(options.repeat, [&] {
        counter = {};
        chess::PgnReader reader{std::string_view{text}};
        while (reader.read_game(counter)) {
        }
        return true;
    });
    fs::create_directories(options.directory);
    const base::ScratchDirectory scratch{options.directory, "adjourn-bench-"};
    const fs::path file = scratch.path() / "games.pgn";
    std::ofstream{file, std::ios::binary} << text;
    const auto theirs = fastest(
        options.repeat, [&] { return run_pgn_extract(options.pgn_extract, file.string()); });
    server::ImportReport report;
    const auto import = import_into(options, scratch.path(), text, report);

    const auto row = [&](const char* what, std::optional<double> seconds, std::size_t count) {
        out << std::left << std::setw(44) << what << std::right << std::fixed;
        if (seconds) {
            out << std::setw(9) << std::setprecision(3) << *seconds << std::setw(12)
                << std::setprecision(0) << static_cast<double>(count) / *seconds << '\n';
        } else {
            out << "   not measured\n";
        }
    };
    out << counter.moves << " moves in " << text.size() << " bytes, " << counter.errors
        << " errors\n"
        << std::left << std::setw(44) << "" << std::right << std::setw(9) << "seconds"
        << std::setw(12) << "moves/s" << '\n';
    row("read, SAN resolved and checked", ours, counter.moves);
    row("pgn-extract -r, its start included", theirs, counter.moves);
    row("import as seeds, durable (positions/s)", import, report.moves);
    if (ours && theirs) {
        out << "ratio to pgn-extract: " << std::setprecision(2) << *theirs / *ours << '\n';
    }
    if (import) {
        out << "of them " << report.seeds_added << " new to the store\n";
    }
    return ours && theirs && import ? 0 : 1;
}

} // namespace adjourn::bench
