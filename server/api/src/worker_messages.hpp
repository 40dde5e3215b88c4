// What the server says to machines, as JSON (docs/api/reference.md, "Machines"). Pure.
#pragma once

#include "fleet/machine.hpp"

#include <nlohmann/json.hpp>

#include <chrono>

namespace adjourn::server {

nlohmann::json lease_json(const Granted& granted);
nlohmann::json welcome_json(const Welcome& welcome, std::chrono::milliseconds life);

} // namespace adjourn::server
