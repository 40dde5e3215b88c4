#include "host/config.hpp"

#include "api/cloud/clouds.hpp"
#include "base/line_reader.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "core/engines/installed_engines.hpp"
#include "core/records/time_zone.hpp"
#include "host/worker_address.hpp"
#include "http/tokens.hpp"
#include "storage/open.hpp"

#include <boost/asio/ip/address.hpp>

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <set>
#include <span>
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

// Each with its key and its file.
auto tokens_of(auto& config) {
    return std::array{std::tuple{"token", &config.token, &config.token_file},
                      std::tuple{"read_token", &config.read_token, &config.read_token_file},
                      std::tuple{"worker_token", &config.worker_token, &config.worker_token_file}};
}

std::string token_problem(const Config& config) {
    for (const auto& [name, token, file] : tokens_of(config)) {
        if (!token->empty() && !file->empty()) {
            return std::string{name} + " and " + name + "_file are both set: keep one";
        }
    }
    const bool full = !config.token.empty() || !config.token_file.empty();
    const bool others = !config.read_token.empty() || !config.read_token_file.empty() ||
                        !config.worker_token.empty() || !config.worker_token_file.empty();
    if (others && !full) {
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

// Reads one TOML document and remembers the first complaint with its place.
class TomlReader {
public:
    explicit TomlReader(std::string file) : file_{std::move(file)} {}

    bool failed() const { return !problem_.empty(); }
    const std::string& problem() const { return problem_; } // "FILE:line:column: what is wrong"

    void complain(const toml::source_region& where, const std::string& what) {
        if (problem_.empty()) {
            std::ostringstream text;
            text << file_ << ":" << where.begin.line << ":" << where.begin.column << ": " << what;
            problem_ = text.str();
        }
    }

    // One line of text: no control characters.
    void string(const toml::node& node, std::string_view key, std::string& out) {
        any_string(node, key, out);
        if (std::ranges::any_of(out, [](unsigned char c) { return c < ' ' || c == 0x7f; })) {
            complain(node.source(),
                     std::string{key} +
                         " must not contain line breaks or other control characters");
        }
    }

    // The same, and not empty: whoever writes an empty token does not mean that there is none.
    void filled(const toml::node& node, std::string_view key, std::string& out) {
        string(node, key, out);
        if (node.is_string() && out.empty()) {
            complain(node.source(),
                     std::string{key} + " must not be empty; leave the key out if there is none");
        }
    }

    // The same, and as a request can show it.
    void secret(const toml::node& node, std::string_view key, std::string& out) {
        filled(node, key, out);
        if (base::trimmed(out) != out) {
            complain(node.source(), std::string{key} + " must not begin or end with a space");
        }
    }

    void choice(const toml::node& node, std::string_view key,
                std::span<const std::string_view> choices, std::string& out) {
        std::string given;
        string(node, key, given);
        if (std::ranges::find(choices, given) != choices.end()) {
            out = given;
            return;
        }
        std::string all;
        for (const std::string_view each : choices) {
            all += (all.empty() ? "" : ", ") + std::string{each};
        }
        complain(node.source(), std::string{key} + " must be one of: " + all);
    }

    void strings(const toml::node& node, std::string_view key, std::vector<std::string>& out) {
        const auto* array = node.as_array();
        if (array == nullptr) {
            complain(node.source(), std::string{key} + " must be a list of strings");
            return;
        }
        out.clear();
        for (const toml::node& item : *array) {
            std::string text;
            string(item, key, text);
            out.push_back(std::move(text));
        }
    }

    // Program and arguments, which may have line breaks.
    void command(const toml::node& node, std::vector<std::string>& out) {
        const auto* array = node.as_array();
        if (array == nullptr) {
            complain(node.source(), "command must be a list of strings");
            return;
        }
        for (const toml::node& item : *array) {
            any_string(item, "command", out.emplace_back());
            if (out.back().find('\0') != std::string::npos) { // no program can be given one
                complain(item.source(), "command must not contain a zero byte");
            }
        }
    }

    void number(const toml::node& node, std::string_view key, std::int64_t least, std::int64_t most,
                std::uint64_t& out) {
        const auto* value = node.as_integer();
        if (value == nullptr || value->get() < least || value->get() > most) {
            complain(node.source(), std::string{key} + " must be a whole number from " +
                                        std::to_string(least) + " to " + std::to_string(most));
            return;
        }
        out = static_cast<std::uint64_t>(value->get());
    }

    engine_bridge::Profile engine(const toml::table& table) {
        engine_bridge::Profile profile;
        for (const auto& [key, node] : table) {
            const std::string_view name = key.str();
            if (name == "name") {
                string(node, "name", profile.name);
            } else if (name == "command") {
                command(node, profile.command);
            } else if (name == "count") {
                number(node, name, 1, 1024, profile.count);
            } else if (name == "reproducible") {
                if (const auto* value = node.as_boolean()) {
                    profile.reproducible = value->get();
                } else {
                    complain(node.source(), "reproducible must be true or false");
                }
            } else if (name == "memory") {
                std::uint64_t mebibytes = 0;
                number(node, name, 1, 1 << 20, mebibytes);
                profile.limits.memory_bytes = mebibytes << 20;
            } else if (name == "files") {
                profile.limits.files = 0;
                number(node, name, 16, 1 << 20, *profile.limits.files);
            } else if (name == "options") {
                options(node, profile.options);
            } else {
                complain(node.source(), "unknown key '" + std::string{name} + "' in [[engine]]");
            }
        }
        if (profile.name.empty()) {
            complain(table.source(), "[[engine]] needs a name");
        }
        if (profile.command.empty() || profile.command.front().empty()) {
            complain(table.source(), "engine '" + profile.name + "' needs a command");
        }
        if (profile.reproducible && profile.count != 1) {
            complain(table.source(),
                     "engine '" + profile.name + "' with reproducible = true needs count = 1");
        }
        return profile;
    }

    // Of [[webhook]]; each with a name that no other has.
    std::vector<WebhookSettings> webhooks(const toml::node& node) {
        constexpr std::size_t most = 8; // each has a thread
        std::vector<WebhookSettings> all;
        const auto* array = node.as_array();
        if (array == nullptr || !array->is_array_of_tables()) {
            complain(node.source(), "webhooks are written as [[webhook]] tables");
            return all;
        }
        for (const toml::node& item : *array) {
            WebhookSettings next = webhook(*item.as_table());
            if (std::ranges::find(all, next.name, &WebhookSettings::name) != all.end()) {
                complain(item.source(), "two webhooks are named '" + next.name + "'");
            }
            all.push_back(std::move(next));
        }
        if (all.size() > most) {
            complain(node.source(), "there are at most 8 webhooks");
        }
        return all;
    }

private:
    void any_string(const toml::node& node, std::string_view key, std::string& out) {
        if (const auto* value = node.as_string()) {
            out = value->get();
        } else {
            complain(node.source(), std::string{key} + " must be a string");
        }
    }

    void options(const toml::node& node, std::map<std::string, std::string>& out) {
        const auto* table = node.as_table();
        if (table == nullptr) {
            complain(node.source(), "options must be a table, as { Threads = 1, Hash = 64 }");
            return;
        }
        const auto control = [](unsigned char c) { return c < ' ' || c == 0x7f; };
        for (const auto& [key, value] : *table) {
            if (key.str().empty() || std::ranges::any_of(key.str(), control)) {
                complain(value.source(), "the name of an option must be one line of text");
            }
            std::ostringstream text;
            if (const auto* s = value.as_string()) {
                text << s->get();
            } else if (const auto* i = value.as_integer()) {
                text << i->get();
            } else if (const auto* b = value.as_boolean()) {
                text << (b->get() ? "true" : "false");
            } else if (const auto* f = value.as_floating_point()) {
                text << f->get();
            } else {
                complain(value.source(), "option '" + std::string{key.str()} +
                                             "' must be a string, a number or true/false");
            }
            if (text.str().find_first_of("\r\n") != std::string::npos) {
                complain(value.source(),
                         "option '" + std::string{key.str()} + "' must not contain a line break");
            }
            out[std::string{key.str()}] = text.str();
        }
    }

    WebhookSettings webhook(const toml::table& table) {
        WebhookSettings webhook;
        for (const auto& [key, node] : table) {
            const std::string_view name = key.str();
            if (name == "name") {
                string(node, name, webhook.name);
            } else if (name == "url") {
                string(node, name, webhook.url);
                if (const auto url = parse_webhook_url(webhook.url); !url) {
                    complain(node.source(), "url of a webhook: " + url.error());
                }
            } else if (name == "secret") {
                filled(node, name, webhook.secret);
            } else if (name == "secret_file") {
                filled(node, name, webhook.secret_file);
            } else if (name == "events") {
                strings(node, name, webhook.events);
                for (std::string& event : webhook.events) {
                    if (std::ranges::find(webhook_events, event) == webhook_events.end()) {
                        complain(node.source(),
                                 "events of a webhook are: settled, best, exhausted, "
                                 "failed, radar");
                    }
                }
            } else {
                complain(node.source(), "unknown key '" + std::string{name} + "' in [[webhook]]");
            }
        }
        if (webhook.url.empty()) {
            complain(table.source(), "[[webhook]] needs a url");
        } else if (const auto url = parse_webhook_url(webhook.url); url && webhook.name.empty()) {
            webhook.name = url->server.authority;
        }
        if (!webhook.secret.empty() && !webhook.secret_file.empty()) {
            complain(table.source(), "secret and secret_file of a webhook are both set: keep one");
        }
        return webhook;
    }

    std::string file_;
    std::string problem_;
};

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
        } else if (name == "cloud") {
            reader.strings(node, name, config.clouds);
            std::set<const CloudSource*> named;
            for (const std::string& cloud : config.clouds) {
                const auto parsed = parse_cloud(cloud);
                if (!parsed || !named.insert(parsed->first).second) {
                    reader.complain(node.source(), parsed ? "a cloud is named twice in cloud"
                                                          : "cloud: " + parsed.error());
                }
            }
        } else if (name == "syzygy_path") {
            reader.string(node, name, config.tables.syzygy);
        } else if (name == "least_free_mb") {
            std::uint64_t megabytes = 0;
            reader.number(node, name, 0, 1'000'000'000, megabytes);
            config.least_free = megabytes * 1'000'000;
        } else if (name == "graph_images_from") {
            // of before this version: nothing is kept of graphs but their facts
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
    for (const auto& [name, into, from] : tokens_of(*config)) {
        if (from->empty()) {
            continue;
        }
        auto secret = read_secret(*from);
        if (!secret) {
            return std::unexpected(file.string() + ": " + name + "_file: " + secret.error());
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
