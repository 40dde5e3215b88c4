// What machines say in the bodies of their calls, read strictly.
#pragma once

#include "engine_bridge/remote/machine.hpp"
#include "http/requests/json.hpp"
#include "names.hpp"
#include "worker_messages.hpp"

#include <expected>
#include <optional>
#include <vector>

namespace adjourn::server {

using engine_bridge::Delivery;
using engine_bridge::Hello;
using engine_bridge::LeaseId;
using engine_bridge::Pulse;
using engine_bridge::Wish;

std::expected<Hello, Error> read_hello(const JsonObject& reader);

struct Asking {
    std::vector<Wish> wishes;
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
