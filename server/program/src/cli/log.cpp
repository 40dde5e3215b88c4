#include "program/cli/log.hpp"

#include "base/readable.hpp"

#include <nlohmann/json.hpp>
#include <spdlog/fmt/chrono.h>
#include <spdlog/formatter.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>

namespace adjourn::server {

namespace {

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

} // namespace adjourn::server
