// What several commands share: --data, --store, --config and --engines, the log on standard error,
// waiting for Ctrl-C, and how they end.
#pragma once

#include "host/config.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace adjourn::server {

struct CommonOptions {
    std::string data;
    std::string store;
    std::string config;
    std::string server;      // of seats: one that has the store
    std::size_t engines = 0; // 0: as the configuration says

    void add_to(CLI::App& command); // all of them
    void add_data(CLI::App& command);
    void add_config(CLI::App& command);
    void add_engines(CLI::App& command); // --engines
    void add_server(CLI::App& command);  // --server, after add_to()

    std::filesystem::path data_directory() const;
    // For open_store: --store or --data, else what that configuration says, else the usual data
    // directory.
    std::filesystem::path location(const Config& config) const;
    // The same for commands that know no database. Where the store is one, or the configuration
    // that would say so cannot be read: why not; `instead` says what to do with a database.
    std::expected<std::filesystem::path, std::string> directory(const std::string& instead) const;
    // The file that load() reads; empty if there is none.
    std::filesystem::path config_file() const;
    // --config, else the default file if there is one, else the built-in default; with --engines
    // processes of the default engine, which a reproducible one may not have.
    std::expected<Config, std::string> load() const;
};

// A check for options: a whole number in that range, in digits alone.
CLI::Validator whole_number(std::int64_t least, std::int64_t most);
// The command is about one analysis: its number comes first.
CLI::Option* add_analysis(CLI::App& command, std::int64_t& id);

// Blocks SIGINT, SIGTERM and SIGHUP in this thread and those it starts; call before starting any.
void block_stop_signals();
// Waits until one arrives, which it says, or `milliseconds` have gone by (−1 = for ever).
std::optional<int> next_stop_signal(int milliseconds);
// A descriptor that becomes readable when one arrives; stays open as long as the program.
int stop_signal_descriptor();

// Why a file could not be written; "" if it can, as far as can be seen, or if the name is empty.
// Leaves nothing behind.
std::string write_problem(const std::string& file);

// "1 move", "2 moves".
std::string counted(std::size_t count, const char* one, const char* many);

int bad_use(const std::string& message); // prints it; exit_bad_use
int failed(const std::string& message);  // prints it; exit_failed

// Text: "12:00:00 warning …"; to systemd's journal (as $JOURNAL_STREAM tells) "<4>…", from which it
// takes the level, and the time is its own. JSON: one object a line, {"time","level","message"},
// the time in UTC as RFC 3339 has it.
void set_log(const LogSettings& settings);

// Where the built page is: `given` if it is not "", else $ADJOURN_WEB, else beside the program or
// in the source tree that it was built in; "" if there is none.
std::string find_page(const std::string& given);

// How the program ends.

inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_bad_use = 2;

// How far a long command is, and scores for people.

// A score of the API, from White's side: "+0.31", "#-3"; "–" for null.
std::string score_text(const nlohmann::json& score);

// One line of a terminal that is rewritten; nothing elsewhere. To standard error.
class Bar {
public:
    explicit Bar(std::string what);
    ~Bar() { end(); }
    Bar(const Bar&) = delete;
    Bar& operator=(const Bar&) = delete;

    void show(std::uint64_t done, std::uint64_t of);
    std::function<void(std::uint64_t, std::uint64_t)> advance();
    void end(); // wipes it

private:
    const std::string what_;
    const bool terminal_;
    int percent_ = -1;
};

} // namespace adjourn::server
