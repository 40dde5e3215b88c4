// What of a configuration takes a restart.
#pragma once

#include "host/config.hpp"

#include <string>
#include <vector>

namespace adjourn::server {

// The keys that differ and are not used before the next start, as the file spells them.
std::vector<std::string> waiting_for_restart(const Config& used, const Config& wanted);

} // namespace adjourn::server
