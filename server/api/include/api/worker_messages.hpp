// What machines and the server say to each other, as JSON: in calls (docs/api/reference.md,
// "Machines") and in the rows of a store. Pure.
#pragma once

#include "fleet/machine.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <expected>
#include <map>
#include <string>
#include <vector>

namespace adjourn::server {

nlohmann::json lease_json(const Granted& granted);
nlohmann::json welcome_json(const Welcome& welcome, std::chrono::milliseconds life);

// Strictly; the error is for people.
std::expected<Hello, std::string> hello_in(const std::string& text);
std::expected<Delivery, std::string> delivery_in(const std::string& text);
struct Presence {
    std::vector<Pulse> pulses;
    std::map<std::string, std::size_t> ahead; // questions it wants at a time, by profile
};
std::expected<Presence, std::string> presence_in(const std::string& text);

} // namespace adjourn::server
