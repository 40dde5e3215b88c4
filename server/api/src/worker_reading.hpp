// What machines say in the bodies of their calls, read strictly.
#pragma once

#include "fleet/machine.hpp"
#include "http/requests/json.hpp"
#include "names.hpp"
#include "worker_messages.hpp"

#include <expected>
#include <vector>

namespace adjourn::server {

std::expected<Hello, Error> read_hello(const JsonObject& reader);

struct Asking {
    std::vector<Wish> wishes;
    int wait_seconds = 0;
};
std::expected<Asking, Error> read_asking(const JsonObject& reader);

std::expected<std::vector<Delivery>, Error> read_deliveries(const JsonObject& reader);

struct Beat {
    std::vector<LeaseId> held;
    std::vector<Pulse> pulses;
};
std::expected<Beat, Error> read_beat(const JsonObject& reader);

} // namespace adjourn::server
