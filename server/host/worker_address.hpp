// By which addresses a server is reached: as its configuration says, and as it tells workers by the
// database of its store.
#pragma once

#include "host/config.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace adjourn::server {

struct WorkerAddress {
    std::string host;      // name of its machine, for people
    std::string network;   // whose loopback it listens on: this_network() there
    std::string local;     // URL for workers in that network
    std::string elsewhere; // URL for all others; "" = it listens on loopback only
    std::string token;     // "" = none is wanted

    friend bool operator==(const WorkerAddress&, const WorkerAddress&) = default;
};

std::string to_text(const WorkerAddress& address);
// The error is for people.
std::expected<WorkerAddress, std::string> worker_address_in(const std::string& text);

// The URL to take from a machine in `network`. The error says that it cannot be reached, and why.
std::expected<std::string, std::string> url_from(const WorkerAddress& address,
                                                 const std::string& network);

// Equal for two processes if they have the same loopback: this boot of the machine and the network
// namespace. "" if the system does not tell.
std::string this_network();
// "" if the system does not tell.
std::string host_name();

// A file that holds a secret: one line, and nobody else can read it.

// The line without blanks at its ends. The error is for people and names the file.
std::expected<std::string, std::string> read_secret(const std::string& file);

// By which addresses a server is reached, as its configuration says.

std::string with_port(const std::string& host, std::uint16_t port); // http://HOST:PORT
bool on_loopback(const Config& config);
bool on_all(const Config& config); // addresses of the machine

// How other machines reach a server that listens on this port; "" if they cannot.
std::string url_elsewhere(const Config& config, std::uint16_t port);

// What may stand in Host: what was configured, and by what others are told to reach this server.
std::vector<std::string> hosts_of(const Config& config);

} // namespace adjourn::server
