#include "command.hpp"

#include "base/files.hpp"
#include "program/cli/common.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

namespace adjourn::server {

namespace {

namespace fs = std::filesystem;

// adjourn-bench, which stands beside this program where somebody has built it. Returns only if it
// cannot be started.
int measure(std::vector<std::string> words) {
    std::error_code error;
    const fs::path program = base::program_file().parent_path() / "adjourn-bench";
    if (!fs::exists(program, error)) {
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

void add_bench(CLI::App& app, Chosen& chosen) {
    CLI::App* command = app.add_subcommand(
        "bench", "measure; the program adjourn-bench, which is built on its own");
    command->set_help_flag(); // it knows its help
    command->prefix_command();
    command->callback(
        [command, &chosen] { chosen = [words = command->remaining()] { return measure(words); }; });
}

} // namespace adjourn::server
