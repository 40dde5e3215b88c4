// Who engines say they are.
#pragma once

#include "engine_bridge/process/profile.hpp"

#include <chrono>
#include <expected>
#include <map>
#include <string>
#include <vector>

namespace adjourn::server {

// Starts one process of each, all at a time, and ends them again. By the profile's name; the error
// says why there is no identity. Blocks: little longer than `patience`, whatever the engines do.
// REQUIRES: the names differ.
std::map<std::string, std::expected<engine_bridge::Identity, std::string>>
introductions(const std::vector<engine_bridge::Profile>& engines,
              std::chrono::milliseconds patience);

} // namespace adjourn::server
