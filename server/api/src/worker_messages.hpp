// What the server says to machines, as JSON (docs/api/reference.md, "Machines"). Pure.
#pragma once

#include "engine_bridge/remote/machine.hpp"

#include <nlohmann/json.hpp>

#include <chrono>

namespace adjourn::server {

using engine_bridge::Granted;
using engine_bridge::Welcome;

nlohmann::json lease_json(const Granted& granted);
nlohmann::json welcome_json(const Welcome& welcome, std::chrono::milliseconds life);

} // namespace adjourn::server
