// What machines say in the bodies of their calls, read strictly.
#pragma once

#include "fleet/machine.hpp"
#include "requests/json.hpp"
#include "worker_messages.hpp"

#include <expected>
#include <vector>

namespace adjourn::server {

std::expected<Hello, http::Error> read_hello(const base::JsonObject& reader);

struct Asking {
    std::vector<Wish> wishes;
    int wait_seconds = 0;
};
std::expected<Asking, http::Error> read_asking(const base::JsonObject& reader);

std::expected<std::vector<Delivery>, http::Error> read_deliveries(const base::JsonObject& reader);

struct Beat {
    std::vector<LeaseId> held;
    std::vector<Pulse> pulses;
};
std::expected<Beat, http::Error> read_beat(const base::JsonObject& reader);

} // namespace adjourn::server
