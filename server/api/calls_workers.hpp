// What the server says to machines, as JSON (docs/api/reference.md, "Machines"). Pure.
#pragma once

#include "api/names.hpp"
#include "engine_bridge/remote/fleet.hpp"
#include "http/requests/message.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <expected>
#include <optional>
#include <vector>

namespace adjourn::server {

using engine_bridge::Granted;
using engine_bridge::Welcome;

nlohmann::json lease_json(const Granted& granted);
nlohmann::json welcome_json(const Welcome& welcome, std::chrono::milliseconds life);

// What machines say in the bodies of their calls, read strictly.

using engine_bridge::Delivery;
using engine_bridge::Demand;
using engine_bridge::Hello;
using engine_bridge::LeaseId;
using engine_bridge::Pulse;

std::expected<Hello, Error> read_hello(const JsonObject& reader);

struct Asking {
    std::vector<Demand> wishes;
    int wait_seconds = 0;
    std::optional<std::vector<LeaseId>> held; // all that are there
};
std::expected<Asking, Error> read_asking(const JsonObject& reader);

std::expected<std::vector<Delivery>, Error> read_deliveries(const JsonObject& reader);

struct Beat {
    std::vector<LeaseId> held;
    std::vector<Pulse> pulses;
};
std::expected<Beat, Error> read_beat(const JsonObject& reader);

} // namespace adjourn::server
