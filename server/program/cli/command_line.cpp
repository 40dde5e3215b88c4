#include "program/cli/command_line.hpp"

#include "base/standard_streams.hpp"
#include "files/openings/openings.hpp"
#include "program/cli/common.hpp"
#include "program/cli/setting_options.hpp"

#include <spdlog/fmt/fmt.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string_view>
#include <utility>

namespace adjourn::server {

namespace {

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands(nullptr)) {
        names.push_back(command->get_name());
    }
    return names;
}

std::string listed(const std::vector<std::string>& names) {
    return fmt::format("{}", fmt::join(names, ", "));
}

bool asks_for_help(const std::vector<std::string>& words) {
    return std::any_of(words.begin(), words.end(), [](const std::string& word) {
        return word == "-h" || word == "--help" || word == "--version";
    });
}

namespace fs = std::filesystem;

// The first game or record of a file is meant.
constexpr std::size_t most_read = std::size_t{16} << 20;

std::expected<chess::PositionText, std::string> from_stream(std::istream& in,
                                                            const std::string& name) {
    std::string text(most_read, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (in.bad()) {
        return std::unexpected("cannot read " + name);
    }
    auto position = chess::parse_position_file(text, text.size() == most_read);
    return position ? position
                    : std::expected<chess::PositionText, std::string>{
                          std::unexpected(name + ": " + position.error())};
}

// Nothing that names a position looks like that.
bool names_a_file(const std::string& text) {
    if (std::any_of(text.begin(), text.end(), [](char c) { return c == ' ' || c == '\n'; })) {
        return false;
    }
    const std::string ending = fs::path{text}.extension().string();
    return (text.find('/') != std::string::npos && text.find('_') == std::string::npos) ||
           ending == ".pgn" || ending == ".epd" || ending == ".fen" || ending == ".txt";
}

} // namespace

int run_command_line(CLI::App& app, const Chosen& chosen, std::vector<std::string> words,
                     const std::vector<std::string>& go_on) {
    std::signal(SIGPIPE, SIG_IGN);
    const base::ReadableStreams streams;
    spdlog::set_default_logger(spdlog::stderr_color_mt("adjourn"));
    set_log({});
    if (const auto problem = command_problem(app, words)) {
        return bad_use(*problem);
    }
    // What nobody has got is not done.
    const auto written = [](int code) {
        return code == exit_done && !std::cout.flush() ? failed("cannot write to standard output")
                                                       : code;
    };
    try {
        std::ranges::reverse(words); // as the parser wants them
        app.parse(std::move(words));
    } catch (const CLI::Success& asked_for_help) {
        return written(app.exit(asked_for_help));
    } catch (const CLI::ParseError& error) {
        app.exit(error);
        return exit_bad_use;
    }
    try {
        const int code = chosen();
        const bool result = std::ranges::none_of(
            go_on, [&](const std::string& name) { return app.got_subcommand(name); });
        return result ? written(code) : code;
    } catch (const std::exception& error) {
        return failed(error.what());
    }
}

std::vector<std::string> without_help_command(std::vector<std::string> words) {
    if (!words.empty() && words.front() == "help") {
        words.erase(words.begin());
        words.emplace_back("--help");
    }
    return words;
}

std::optional<std::string> command_problem(const CLI::App& app,
                                           const std::vector<std::string>& words) {
    const CLI::App* at = &app;
    std::string before;
    for (const std::string& word : words) {
        const std::vector<std::string> names = command_names(*at);
        if (names.empty() || word.starts_with('-')) {
            break;
        }
        if (std::find(names.begin(), names.end(), word) == names.end()) {
            return "there is no command '" + before + word + "'; there are: " + listed(names);
        }
        at = at->get_subcommand(word);
        before += word + " ";
    }
    const bool missing = at->get_require_subcommand_min() > 0 && !asks_for_help(words);
    return missing ? std::optional{"adjourn " + before +
                                   "needs a command: " + listed(command_names(*at)) +
                                   "; see adjourn " + before + "--help"}
                   : std::nullopt;
}

std::string option_of(const std::string& place) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> options{
        {{"query.moves", "--moves"},
         {"query.margin", "--margin"},
         {"query.plies", "--plies"},
         {"query.max_moves", "--max-moves"},
         {"query.analysis", "--analysis"},
         {"query.format", "--format"},
         {"position", "POSITION"},
         {"engine", "--engine"}}};
    constexpr std::string_view cost = "strategy.";
    // "strategy.plan[2].window" is in "strategy.plan", and that in "strategy".
    std::string_view outer = place;
    while (!outer.empty()) {
        const auto found =
            std::ranges::find(options, outer, [](const auto& row) { return row.first; });
        if (found != options.end()) {
            return std::string{found->second};
        }
        if (const std::string_view option = option_of_setting(outer); !option.empty()) {
            return std::string{option};
        }
        const std::size_t end = outer.find_last_of(".[");
        outer = outer.substr(0, end == std::string_view::npos ? 0 : end);
    }
    return place.starts_with(cost) ? "--set " + place.substr(cost.size()) : "";
}

std::expected<chess::PositionText, std::string> position_of_argument(const std::string& text) {
    if (text == "-") {
        return from_stream(std::cin, "standard input");
    }
    std::error_code error;
    const fs::file_status status = fs::status(text, error);
    if (fs::is_directory(status)) {
        return std::unexpected(text + " is a directory, not a PGN or EPD file");
    }
    if (fs::exists(status)) {
        std::ifstream in{text, std::ios::binary};
        return in ? from_stream(in, text)
                  : std::expected<chess::PositionText, std::string>{
                        std::unexpected("cannot read " + text)};
    }
    if (names_a_file(text)) {
        return std::unexpected("there is no file " + text);
    }
    auto position = parse_root_text(text);
    return position ? position
                    : std::expected<chess::PositionText, std::string>{
                          std::unexpected("position: " + position.error())};
}

} // namespace adjourn::server
