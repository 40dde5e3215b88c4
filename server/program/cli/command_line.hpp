// The words of the command line: what a program does around its commands, commands that are not
// there, the API's places as options, and positions.
#pragma once

#include "chess/position_text.hpp"

#include <CLI/CLI.hpp>

#include <expected>
#include <functional>
#include <optional>
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

// `adjourn help [COMMAND…]` as `adjourn [COMMAND…] --help`; other words as they are. Without the
// program's name.
std::vector<std::string> without_help_command(std::vector<std::string> words);

// What is wrong with the commands among the words: an unknown one, told with those that there are,
// or none where one is needed. Nothing if that is all right, or if help is asked for.
std::optional<std::string> command_problem(const CLI::App& app,
                                           const std::vector<std::string>& words);

// The option that stands for a place in a request ("query.moves[0]", "strategy.refine"): "--moves",
// "--refine"; "" if none does.
std::string option_of(const std::string& place);

// A position or an opening as text, the name of a PGN or EPD file, or "-" for standard input.
// Blocks as the file does. The error is for people and names the file, or "position".
std::expected<chess::PositionText, std::string> position_of_argument(const std::string& text);

} // namespace adjourn::server
