// Where a program of this machine is.
#pragma once

#include <optional>
#include <string>

namespace adjourn::server {

// Absolute path of a program (searched in PATH, then /usr/games), or nullopt.
std::optional<std::string> find_program(const std::string& name);

} // namespace adjourn::server
