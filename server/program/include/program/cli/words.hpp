// Words of the command line: commands that are not there, and the API's places as options.
#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace adjourn::server {

// `adjourn help [COMMAND…]` as `adjourn [COMMAND…] --help`; other words as they are. Without the
// program's name.
std::vector<std::string> without_help_command(std::vector<std::string> words);

// What is wrong with the commands among the words: an unknown one, named with the nearest known
// one, or none where one is needed. Nothing if that is all right, or if help is asked for.
std::optional<std::string> command_problem(const CLI::App& app,
                                           const std::vector<std::string>& words);

// The option that stands for a place in a request ("query.moves[0]", "strategy.refine"): "--moves",
// "--refine"; "" if none does.
std::string option_of(const std::string& place);

} // namespace adjourn::server
