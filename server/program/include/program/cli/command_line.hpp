// What a program does around its commands.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace adjourn::server {

// What the chosen command does; set by the command's callback. Returns the exit code.
using Chosen = std::function<int()>;

// The body of main(): reads the words, without the program's name, as `app` says, and runs what was
// chosen. Returns the exit code; what went wrong is on standard error. What a command prints is its
// result, which must be written; that of the commands in `go_on` is for people who look.
int run_command_line(CLI::App& app, const Chosen& chosen, std::vector<std::string> words,
                     const std::vector<std::string>& go_on = {});

} // namespace adjourn::server
