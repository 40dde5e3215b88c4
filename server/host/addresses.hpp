// By which addresses a server is reached, as its configuration says.
#pragma once

#include "host/config.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace adjourn::server {

std::string with_port(const std::string& host, std::uint16_t port); // http://HOST:PORT
bool on_loopback(const Config& config);
bool on_all(const Config& config); // addresses of the machine

// How other machines reach a server that listens on this port; "" if they cannot.
std::string url_elsewhere(const Config& config, std::uint16_t port);

// What may stand in Host: what was configured, and by what others are told to reach this server.
std::vector<std::string> hosts_of(const Config& config);

} // namespace adjourn::server
