#include "program/cli/common.hpp"

#include "base/files.hpp"
#include "base/number.hpp"
#include "base/standard_streams.hpp"
#include "base/text.hpp"
#include "http/client/http_link.hpp"
#include "storage/open.hpp"

#include <nlohmann/json.hpp>
#include <spdlog/fmt/chrono.h>
#include <spdlog/fmt/fmt.h>
#include <spdlog/formatter.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/spdlog.h>

#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <limits>
#include <memory>
#include <utility>

namespace adjourn::server {

using nlohmann::json;

namespace {

// An empty one comes from a variable that is not set, and is not the default.
CLI::Validator named(const char* what) {
    return CLI::Validator{[what](const std::string& text) {
                              return text.empty() ? std::string{"names no "} + what : std::string{};
                          },
                          ""};
}

sigset_t stop_signals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    return set;
}

using spdlog::details::log_msg;

// A message may quote what a store, a file, an engine or the network holds.
std::string text_of(const log_msg& message) {
    return base::readable_line({message.payload.data(), message.payload.size()});
}

void append(spdlog::memory_buf_t& out, const std::string& text) {
    out.append(text.data(), text.data() + text.size());
}

// "%*" of a pattern.
class ReadableMessage : public spdlog::custom_flag_formatter {
public:
    void format(const log_msg& message, const std::tm&, spdlog::memory_buf_t& out) override {
        append(out, text_of(message));
    }
    std::unique_ptr<custom_flag_formatter> clone() const override {
        return std::make_unique<ReadableMessage>();
    }
};

// For readers that are programs: line breaks, too, are escaped as JSON has it, bytes that are no
// UTF-8 are replaced.
class JsonLines : public spdlog::formatter {
public:
    void format(const log_msg& message, spdlog::memory_buf_t& out) override {
        const auto level = spdlog::level::to_string_view(message.level);
        const auto since = message.time.time_since_epoch();
        const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
        const auto rest = std::chrono::floor<std::chrono::milliseconds>(since - seconds);
        nlohmann::ordered_json line;
        line["time"] = fmt::format("{:%FT%T}.{:03}Z", fmt::gmtime(seconds.count()), rest.count());
        line["level"] = std::string(level.data(), level.size());
        line["message"] = std::string(message.payload.data(), message.payload.size());
        append(out, base::readable_line(
                        line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
        out.push_back('\n');
    }
    std::unique_ptr<formatter> clone() const override { return std::make_unique<JsonLines>(); }
};

// sd-daemon(3): "<N>" with the levels of syslog.
class JournalLines : public spdlog::formatter {
public:
    void format(const log_msg& message, spdlog::memory_buf_t& out) override {
        constexpr std::array<char, 7> priority{'7', '7', '6', '4', '3', '2', '2'};
        out.push_back('<');
        out.push_back(priority.at(message.level));
        out.push_back('>');
        append(out, text_of(message));
        out.push_back('\n');
    }
    std::unique_ptr<formatter> clone() const override { return std::make_unique<JournalLines>(); }
};

// systemd.exec(5): the variable names device and inode of what it connected to standard error.
bool goes_to_journal() {
    const char* stream = std::getenv("JOURNAL_STREAM");
    struct stat status {};
    return stream != nullptr && fstat(STDERR_FILENO, &status) == 0 &&
           std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino) == stream;
}

} // namespace

void CommonOptions::add_data(CLI::App& command) {
    command
        .add_option("--data", data,
                    "data directory (default: $XDG_DATA_HOME/adjourn, else ~/.local/share/adjourn)")
        ->check(named("directory"))
        ->type_name("DIR");
}

void CommonOptions::add_to(CLI::App& command) {
    add_data(command);
    command
        .add_option("--store", store,
                    "a database of PostgreSQL instead: postgresql://USER@HOST/DB (default: the "
                    "configuration's)")
        ->check([](const std::string& text) {
            return storage::is_url(text) ? ""
                                         : "'" + text + "' is no URL: postgresql://USER@HOST/DB";
        })
        ->type_name("URL")
        ->excludes("--data");
    add_config(command);
}

void CommonOptions::add_server(CLI::App& command) {
    command
        .add_option("--server", server,
                    "the server that has the store and does the work (default: whichever has the "
                    "data directory or database)")
        ->check([](const std::string& text) {
            const auto url = parse_server_url(text);
            return url ? "" : url.error();
        })
        ->type_name("URL")
        ->excludes("--data")
        ->excludes("--store");
}

void CommonOptions::add_config(CLI::App& command) {
    command
        .add_option(
            "--config", config,
            "config file (default, if it exists: $XDG_CONFIG_HOME/adjourn/adjourn.toml, else "
            "~/.config/adjourn/adjourn.toml)")
        ->check(named("file"))
        ->type_name("FILE");
}

void CommonOptions::add_engines(CLI::App& command) {
    command.add_option("--engines", engines, "processes of the default engine")
        ->check(whole_number(1, 1024));
}

CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
    const std::string range = fmt::format("from {} to {}", least, most);
    return CLI::Validator{[=](const std::string& text) {
                              const auto value = base::parse_number<std::int64_t>(text);
                              return value && *value >= least && *value <= most
                                         ? std::string{}
                                         : fmt::format("'{}' is not a whole number {}", text,
                                                       range);
                          },
                          range};
}

CLI::Option* add_analysis(CLI::App& command, std::int64_t& id) {
    return command.add_option("id", id, "number of the analysis")
        ->required()
        ->check(whole_number(1, std::numeric_limits<std::int64_t>::max()))
        ->type_name("ID");
}

std::filesystem::path CommonOptions::data_directory() const {
    return data.empty() ? default_data_directory() : std::filesystem::path{data};
}

std::filesystem::path CommonOptions::location(const Config& config) const {
    if (!store.empty()) {
        return store;
    }
    return data.empty() && !config.store.empty() ? std::filesystem::path{config.store}
                                                 : data_directory();
}

std::expected<std::filesystem::path, std::string>
CommonOptions::directory(const std::string& instead) const {
    if (!data.empty()) { // whatever is wrong with the configuration
        return data_directory();
    }
    const auto config = load();
    if (!config) {
        return std::unexpected(config.error());
    }
    std::filesystem::path place = location(*config);
    if (storage::is_url(place)) {
        return std::unexpected("the store is the database " + storage::shown(place) +
                               (store.empty() ? ", as the configuration says" : "") + ": " +
                               instead + "; --data names a directory");
    }
    return place;
}

std::expected<Config, std::string> CommonOptions::load() const {
    const std::filesystem::path file = config_file();
    auto loaded =
        file.empty() ? std::expected<Config, std::string>{default_config()} : load_config(file);
    if (!loaded || engines == 0) {
        return loaded;
    }
    engine_bridge::Profile& engine = loaded->engines.front();
    if (engine.reproducible && engines != 1) {
        return std::unexpected(
            fmt::format("--engines {}: engine '{}' with reproducible = true has one process",
                        engines, engine.name));
    }
    engine.count = engines;
    return loaded;
}

std::filesystem::path CommonOptions::config_file() const {
    if (!config.empty()) {
        return config;
    }
    // A link to nowhere, or a directory that may not be entered: somebody meant a configuration.
    std::error_code error;
    std::filesystem::path file = default_config_file();
    using std::filesystem::file_type;
    const auto found = std::filesystem::symlink_status(file, error).type();
    return found == file_type::not_found ? std::filesystem::path{} : file;
}

void block_stop_signals() {
    const sigset_t set = stop_signals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

std::optional<int> next_stop_signal(int milliseconds) {
    const sigset_t set = stop_signals();
    int signal = 0;
    if (milliseconds < 0) {
        return sigwait(&set, &signal) == 0 ? std::optional{signal} : std::nullopt;
    }
    const timespec patience{milliseconds / 1000, (milliseconds % 1000) * 1'000'000L};
    signal = sigtimedwait(&set, nullptr, &patience);
    return signal > 0 ? std::optional{signal} : std::nullopt;
}

int stop_signal_descriptor() {
    const sigset_t set = stop_signals();
    return signalfd(-1, &set, SFD_CLOEXEC);
}

std::string write_problem(const std::string& file) {
    namespace fs = std::filesystem;
    if (file.empty()) {
        return "";
    }
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (fs::is_directory(status)) {
        return file + " is a directory";
    }
    const std::string parent = fs::path{file}.parent_path().string();
    const std::string asked = fs::exists(status) ? file : parent.empty() ? "." : parent;
    return access(asked.c_str(), W_OK) == 0
               ? ""
               : "cannot write " + file + ": " + std::generic_category().message(errno);
}

std::string counted(std::size_t count, const char* one, const char* many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

int bad_use(const std::string& message) {
    std::cerr << "adjourn: " << message << '\n';
    return exit_bad_use;
}

int failed(const std::string& message) {
    std::cerr << "adjourn: " << message << '\n';
    return exit_failed;
}

void set_log(const LogSettings& settings) {
    spdlog::set_level(spdlog::level::from_str(settings.level));
    if (settings.form == LogSettings::Form::json) {
        spdlog::set_formatter(std::make_unique<JsonLines>());
    } else if (goes_to_journal()) {
        spdlog::set_formatter(std::make_unique<JournalLines>());
    } else {
        auto lines = std::make_unique<spdlog::pattern_formatter>();
        lines->add_flag<ReadableMessage>('*').set_pattern("%H:%M:%S %^%l%$ %*");
        spdlog::set_formatter(std::move(lines));
    }
}

std::string find_page(const std::string& given) {
    namespace fs = std::filesystem;
    std::error_code error;
    if (!given.empty()) {
        return given;
    }
    if (const char* set = std::getenv("ADJOURN_WEB"); set != nullptr && *set != '\0') {
        return set;
    }
    const fs::path program = base::program_file();
    for (const fs::path& candidate :
         {program.parent_path() / "web", program.parent_path() / "../share/adjourn/web",
          program.parent_path() / "../../web/dist"}) {
        if (fs::exists(candidate / "index.html", error)) {
            return fs::weakly_canonical(candidate, error).string();
        }
    }
    return "";
}

std::string score_text(const json& score) {
    if (score.is_null()) {
        return "–";
    }
    if (score.contains("cp")) {
        return fmt::format("{:+.2f}", score["cp"].get<int>() / 100.0);
    }
    if (score.contains("mate")) {
        return fmt::format("#{}", score["mate"].get<int>());
    }
    return fmt::format("TB {} ({})", score["tb"].get<std::string>(), score["dtz"].get<int>());
}

Bar::Bar(std::string what) : what_{std::move(what)}, terminal_{isatty(STDERR_FILENO) != 0} {}

void Bar::show(std::uint64_t done, std::uint64_t of) {
    const int percent = static_cast<int>(100 * std::min(done, of) / std::max<std::uint64_t>(of, 1));
    if (!terminal_ || percent == percent_) {
        return;
    }
    percent_ = percent;
    constexpr int cells = 24;
    std::string cells_text;
    for (int i = 0; i < cells; ++i) {
        cells_text += i < cells * percent / 100 ? '#' : '.';
    }
    base::rewrite_line(what_ + " [" + cells_text + "] " + std::to_string(percent) + " %");
}

std::function<void(std::uint64_t, std::uint64_t)> Bar::advance() {
    return [this](std::uint64_t done, std::uint64_t of) { show(done, of); };
}

void Bar::end() {
    if (percent_ >= 0) {
        base::rewrite_line(std::string(what_.size() + 40, ' '));
        base::rewrite_line("");
        percent_ = -1;
    }
}

} // namespace adjourn::server
