// How the program ends.
#pragma once

namespace adjourn::server {

inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_bad_use = 2;

} // namespace adjourn::server
