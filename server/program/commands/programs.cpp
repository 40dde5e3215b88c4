// What is a program of its own in this one, or beside it: `uci`, `engine` and `bench`.
#include "program/commands/command.hpp"

#include "base/files.hpp"
#include "search/engine/conversation.hpp"
#include "uci/front_end.hpp"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <system_error>
#include <vector>

namespace adjourn::server {

namespace {

int play(const CommonOptions& options) {
    auto config = options.load();
    if (!config) {
        return bad_use(config.error());
    }
    block_stop_signals();
    spdlog::set_level(spdlog::level::err); // what matters is said to the GUI
    const auto location = options.location(*config);
    uci::run_front_end(std::move(*config), {location, 0, 1, stop_signal_descriptor()});
    return exit_done;
}

// adjourn-bench, which stands beside this program where somebody has built it. Returns only if it
// cannot be started.
int measure(std::vector<std::string> words) {
    std::error_code error;
    const std::filesystem::path program = base::program_file().parent_path() / "adjourn-bench";
    if (!std::filesystem::exists(program, error)) {
        return failed("the measurements are not built: cmake --build build/release --target "
                      "adjourn-bench");
    }
    words.insert(words.begin(), program.string());
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    execv(program.c_str(), arguments.data());
    return failed("cannot start " + program.string() + ": " + std::strerror(errno));
}

} // namespace

void add_uci(CLI::App& app, Chosen& chosen) {
    auto options = std::make_shared<CommonOptions>();
    CLI::App* command =
        app.add_subcommand("uci", "the deep analysis as a UCI engine, for any chess GUI");
    options->add_to(*command);
    command->callback([options, &chosen] { chosen = [options] { return play(*options); }; });
}

void add_engine(CLI::App& app, Chosen& chosen) {
    CLI::App* command =
        app.add_subcommand("engine", "the built-in engine (UCI), which needs nothing installed");
    command->callback([&chosen] {
        chosen = [] {
            engine::converse(std::cin, std::cout);
            return exit_done;
        };
    });
}

void add_bench(CLI::App& app, Chosen& chosen) {
    CLI::App* command = app.add_subcommand(
        "bench", "measure; the program adjourn-bench, which is built on its own");
    command->set_help_flag(); // it knows its help
    command->prefix_command();
    command->callback(
        [command, &chosen] { chosen = [words = command->remaining()] { return measure(words); }; });
}

} // namespace adjourn::server
