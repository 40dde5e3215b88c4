// The engine that needs nothing installed: this program itself, as `adjourn engine`.
#pragma once

#include "engine_bridge/process/profile.hpp"

#include <cstddef>
#include <string>

namespace adjourn::server {

inline constexpr const char* built_in_engine = "adjourn"; // its profile
inline constexpr const char* built_in_command = "engine"; // what the program is started with

// The file to start this program by; of the archive the launcher, since the program itself may not
// fit the system's loader.
std::string own_program();

// Whether a profile is the one that the program brings, whatever its options.
bool is_built_in(const engine_bridge::Profile& profile);
engine_bridge::Profile built_in_profile(std::size_t processes);

} // namespace adjourn::server
