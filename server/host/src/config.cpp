#include "host/config.hpp"

#include "base/line_reader.hpp"
#include "base/number.hpp"
#include "core/engines/installed_engines.hpp"
#include "core/records/time_zone.hpp"
#include "host/worker_address.hpp"
#include "http/tokens.hpp"
#include "storage/open.hpp"
#include "toml_reader.hpp"

#include <boost/asio/ip/address.hpp>

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>
#include <tuple>

namespace adjourn::server {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 7> log_levels{"trace", "debug",    "info", "warning",
                                                     "error", "critical", "off"};
constexpr std::array<std::string_view, 2> log_forms{"text", "json"};

constexpr const char* same_tokens = "the token and those for reading and for workers must differ";

bool same(const Config& config) {
    const auto equal = [](const std::string& a, const std::string& b) {
        return !a.empty() && a == b;
    };
    return equal(config.token, config.read_token) || equal(config.token, config.worker_token) ||
           equal(config.read_token, config.worker_token);
}

std::string token_problem(const Config& config) {
    const bool full = !config.token.empty();
    const bool reading = !config.read_token.empty();
    if (full && !config.token_file.empty()) {
        return "token and token_file are both set: keep one";
    }
    if (reading && !config.read_token_file.empty()) {
        return "read_token and read_token_file are both set: keep one";
    }
    const bool working = !config.worker_token.empty();
    if (working && !config.worker_token_file.empty()) {
        return "worker_token and worker_token_file are both set: keep one";
    }
    if ((reading || !config.read_token_file.empty() || working ||
         !config.worker_token_file.empty()) &&
        !full && config.token_file.empty()) {
        return "a token for reading or for workers needs token or token_file beside it: else "
               "everybody may do everything";
    }
    return same(config) ? same_tokens : "";
}

// By the system's list of users. Never a place such as /tmp, where others may put a configuration,
// which names programs.
std::string home_of_user() {
    const passwd* user = getpwuid(getuid());
    return user != nullptr && user->pw_dir != nullptr && *user->pw_dir == '/' ? user->pw_dir : "/";
}

fs::path xdg(const char* variable, const char* fallback) {
    if (const char* set = std::getenv(variable); set != nullptr && *set == '/') {
        return fs::path{set} / "adjourn";
    }
    const char* home = std::getenv("HOME");
    return fs::path{home != nullptr && *home == '/' ? home : home_of_user()} / fallback / "adjourn";
}

} // namespace

const engine_bridge::Profile* Config::find(const std::string& name) const {
    for (const engine_bridge::Profile& profile : engines) {
        if (profile.name == name) {
            return &profile;
        }
    }
    return nullptr;
}

std::expected<std::pair<std::string, std::uint16_t>, std::string>
parse_listen(std::string_view text) {
    const auto wrong = [&] {
        return std::unexpected("'" + std::string{text} +
                               "' is not an address to listen on; expected ADDRESS:PORT, as "
                               "127.0.0.1:8462 or [::1]:8462");
    };
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || colon == 0 || colon + 1 == text.size()) {
        return wrong();
    }
    std::string_view address = text.substr(0, colon);
    if (address.front() == '[') {
        if (address.back() != ']') {
            return wrong();
        }
        address = address.substr(1, address.size() - 2);
    } else if (address.find(':') != std::string_view::npos) {
        return wrong();
    }
    const auto port = base::parse_number<std::uint16_t>(text.substr(colon + 1));
    const std::string numeric{address == "localhost" ? "127.0.0.1" : address};
    boost::system::error_code error;
    const auto parsed = boost::asio::ip::make_address(numeric, error);
    if (!port || error || parsed.is_v6() != (text.front() == '[')) {
        return wrong();
    }
    return std::pair{numeric, *port};
}

std::expected<Config, std::string> parse_config(std::string_view text,
                                                const std::string& file_name) {
    const toml::parse_result result = toml::parse(text, file_name);
    if (!result) {
        std::ostringstream message;
        message << file_name << ":" << result.error().source().begin.line << ":"
                << result.error().source().begin.column << ": " << result.error().description();
        return std::unexpected(message.str());
    }
    Config config;
    TomlReader reader{file_name};
    for (const auto& [key, node] : result.table()) {
        const std::string_view name = key.str();
        if (name == "listen") {
            std::string listen;
            reader.string(node, name, listen);
            if (auto parsed = parse_listen(listen)) {
                std::tie(config.listen_address, config.listen_port) = *parsed;
            } else {
                reader.complain(node.source(), parsed.error());
            }
        } else if (name == "token") {
            reader.secret(node, name, config.token);
        } else if (name == "token_file") {
            reader.filled(node, name, config.token_file);
        } else if (name == "read_token") {
            reader.secret(node, name, config.read_token);
        } else if (name == "read_token_file") {
            reader.filled(node, name, config.read_token_file);
        } else if (name == "worker_token") {
            reader.secret(node, name, config.worker_token);
        } else if (name == "worker_token_file") {
            reader.filled(node, name, config.worker_token_file);
        } else if (name == "advertise") {
            reader.filled(node, name, config.advertise);
            if (const auto url = parse_server_url(config.advertise); !url) {
                reader.complain(node.source(), "advertise: " + url.error());
            }
        } else if (name == "worker_lease_seconds") {
            std::uint64_t seconds = 60;
            reader.number(node, name, 2, 3'600, seconds);
            config.worker_lease = std::chrono::seconds{seconds};
        } else if (name == "worker_repeat") {
            reader.number(node, name, 0, 1'000'000, config.worker_repeat);
        } else if (name == "store") {
            reader.string(node, name, config.store);
            if (!storage::is_url(config.store)) {
                reader.complain(node.source(), "store is the URL of a database, as "
                                               "postgresql://USER@HOST/DB; a data directory is "
                                               "named by --data");
            }
        } else if (name == "time_zone") {
            reader.filled(node, name, config.time_zone);
            if (const std::string wrong = time_zone_problem(config.time_zone); !wrong.empty()) {
                reader.complain(node.source(), wrong);
            }
        } else if (name == "log_level") {
            reader.choice(node, name, log_levels, config.log.level);
        } else if (name == "log_form") {
            std::string form = "text";
            reader.choice(node, name, log_forms, form);
            config.log.form = form == "json" ? LogSettings::Form::json : LogSettings::Form::text;
        } else if (name == "hosts") {
            reader.strings(node, name, config.hosts);
            for (const std::string& host : config.hosts) {
                if (!http::parse_authority(host)) {
                    reader.complain(node.source(), "hosts: '" + host +
                                                       "' is no name of a machine, as "
                                                       "chess.example.org or mylaptop:8462");
                }
            }
        } else if (name == "syzygy_path") {
            reader.string(node, name, config.tables.syzygy);
        } else if (name == "least_free_mb") {
            std::uint64_t megabytes = 0;
            reader.number(node, name, 0, 1'000'000'000, megabytes);
            config.least_free = megabytes * 1'000'000;
        } else if (name == "graph_images_from") {
            reader.number(node, name, 0, 1'000'000'000'000, config.graph_images_from);
        } else if (name == "tables_path") {
            reader.string(node, name, config.tables.own);
        } else if (name == "engine") {
            const auto* array = node.as_array();
            if (array == nullptr || !array->is_array_of_tables()) {
                reader.complain(node.source(), "engines are written as [[engine]] tables");
                continue;
            }
            for (const toml::node& item : *array) {
                engine_bridge::Profile profile = reader.engine(*item.as_table());
                if (config.find(profile.name) != nullptr) {
                    reader.complain(item.source(), "two engines are named '" + profile.name + "'");
                }
                config.engines.push_back(std::move(profile));
            }
        } else if (name == "webhook") {
            config.webhooks = reader.webhooks(node);
        } else {
            reader.complain(node.source(), "unknown key '" + std::string{name} + "'");
        }
    }
    if (reader.failed()) {
        return std::unexpected(reader.problem());
    }
    if (const std::string problem = token_problem(config); !problem.empty()) {
        return std::unexpected(file_name + ": " + problem);
    }
    if (config.engines.empty()) {
        config.engines = default_config().engines;
    }
    return config;
}

std::expected<Config, std::string> load_config(const fs::path& file) {
    std::error_code error;
    const bool directory = fs::is_directory(file, error); // which opens, and has no text
    std::ifstream in{file, std::ios::binary};
    if (!in || directory) {
        return std::unexpected("cannot read the config file " + file.string() +
                               (directory ? ": it is a directory" : ""));
    }
    const auto text = base::read_all(in);
    if (!text) {
        return std::unexpected("the config file " + file.string() +
                               (in.bad() ? " cannot be read" : " is longer than 1 MiB"));
    }
    auto config = parse_config(*text, file.string());
    if (!config) {
        return config;
    }
    for (const auto& [key, from, into] :
         {std::tuple{"token_file", &config->token_file, &config->token},
          std::tuple{"read_token_file", &config->read_token_file, &config->read_token},
          std::tuple{"worker_token_file", &config->worker_token_file, &config->worker_token}}) {
        if (from->empty()) {
            continue;
        }
        auto secret = read_secret(*from);
        if (!secret) {
            return std::unexpected(file.string() + ": " + key + ": " + secret.error());
        }
        *into = std::move(*secret);
    }
    for (WebhookSettings& webhook : config->webhooks) {
        if (webhook.secret_file.empty()) {
            continue;
        }
        auto secret = read_secret(webhook.secret_file);
        if (!secret) {
            return std::unexpected(file.string() + ": secret_file of webhook '" + webhook.name +
                                   "': " + secret.error());
        }
        webhook.secret = std::move(*secret);
    }
    if (same(*config)) {
        return std::unexpected(file.string() + ": " + same_tokens);
    }
    return config;
}

std::vector<engine_bridge::Profile> default_engines(const std::optional<std::string>& stockfish,
                                                    std::size_t cores) {
    std::vector<engine_bridge::Profile> engines;
    if (stockfish) {
        engine_bridge::Profile& profile = engines.emplace_back();
        profile.name = "stockfish";
        profile.command = {*stockfish};
        profile.count = cores;
        profile.options = {{"Threads", "1"}, {"Hash", "64"}};
    }
    engines.push_back(built_in_profile(stockfish ? 1 : cores));
    return engines;
}

Config default_config() {
    Config config;
    config.engines = default_engines(find_program("stockfish"),
                                     std::max(1U, std::thread::hardware_concurrency()));
    return config;
}

fs::path default_data_directory() {
    return xdg("XDG_DATA_HOME", ".local/share");
}

fs::path machine_directory(const fs::path& store) {
    return storage::is_url(store) ? default_data_directory() : store;
}

fs::path added_engines_file(const fs::path& store) {
    return machine_directory(store) / "added_engines";
}

fs::path default_config_file() {
    return xdg("XDG_CONFIG_HOME", ".config") / "adjourn.toml";
}

} // namespace adjourn::server
