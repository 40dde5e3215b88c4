// Config: what the TOML file and the built-in default say.
#pragma once

#include "api/webhooks/webhooks.hpp"
#include "engine_bridge/process/profile.hpp"
#include "tables/endgame_tables.hpp"

#include <chrono>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::server {

struct LogSettings {
    enum class Form : std::uint8_t { text, json };
    std::string level = "info"; // of spdlog's: trace debug info warning error critical off
    Form form = Form::text;

    friend bool operator==(const LogSettings&, const LogSettings&) = default;
};

struct Config {
    std::string listen_address = "127.0.0.1";
    std::uint16_t listen_port = 8462;
    std::string read_token;   // only beside a token
    std::string worker_token; // the same
    std::string token;        // required by non-loopback addresses
    std::string token_file;   // where load_config() finds them, if not here
    std::string read_token_file;
    std::string worker_token_file;
    std::string advertise; // URL under which other machines reach this server; "": by `listen`
    std::chrono::seconds worker_lease{60}; // a machine that is silent so long is given up
    std::uint64_t worker_repeat = 200;     // one answer in so many is asked again here; 0: none
    std::string store;                     // URL of a database; "": a data directory
    std::string time_zone;                 // of hours of the day; "" = the system's
    LogSettings log;
    std::vector<std::string> hosts;              // further names allowed in Host
    tables::Paths tables;                        // syzygy_path and tables_path
    std::uint64_t least_free = 256'000'000;      // bytes on the disk; nothing is asked below it
    std::vector<std::string> clouds;             // each as parse_cloud() takes it
    std::vector<WebhookSettings> webhooks;       // by different names
    std::vector<engine_bridge::Profile> engines; // never empty; the first is the default

    const engine_bridge::Profile* find(const std::string& name) const;
};

// "FILE:line:column: what is wrong".
std::expected<Config, std::string> parse_config(std::string_view toml,
                                                const std::string& file_name);
// With the secrets from their files, which must be closed to others (mode 0600).
std::expected<Config, std::string> load_config(const std::filesystem::path& file);
// Stockfish if it is there, with a process for each core, and last the built-in engine: for
// analyses that were made with it one process is enough. Where it is the only one it has them all.
std::vector<engine_bridge::Profile> default_engines(const std::optional<std::string>& stockfish,
                                                    std::size_t cores);
// These engines, Stockfish from the PATH (or /usr/games).
Config default_config();

// "127.0.0.1:8462", "[::1]:0".
std::expected<std::pair<std::string, std::uint16_t>, std::string>
parse_listen(std::string_view text);

// $XDG_DATA_HOME/adjourn and $XDG_CONFIG_HOME/adjourn/adjourn.toml with the usual fallbacks.
std::filesystem::path default_data_directory();
std::filesystem::path default_config_file();
// What belongs to this machine and is in no database, of a store as storage::open_store takes it:
// its directory, or the usual one.
std::filesystem::path machine_directory(const std::filesystem::path& store);
// Of core/engines/installed_engines.hpp.
std::filesystem::path added_engines_file(const std::filesystem::path& store);

} // namespace adjourn::server
