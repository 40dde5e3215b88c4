// Servers: where a worker may find the server that asks it. Several are given, or the database of
// the server's store says where the one is that works on it now.
#pragma once

#include "http/client/http_link.hpp"

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace adjourn::server {

struct LinkTrouble {
    enum class Kind : std::uint8_t {
        away,            // it may work the next time
        unknown_machine, // say hello again
        refused,         // it makes no sense to try again unless something is changed
        useless,         // this message will never be taken
    };
    Kind kind;
    std::string message; // for people
};

struct Server {
    ServerUrl url;
    std::string shown; // its address, for people
    std::string token; // "" = none

    friend bool operator==(const Server& a, const Server& b) {
        return a.shown == b.shown && a.token == b.token;
    }
};

// Those that there are now, never none. Any thread; may block for a database.
using FindServers = std::function<std::expected<std::vector<Server>, LinkTrouble>()>;

// The server that works on this database now. `ca_file`: see ServerUrl.
FindServers server_of(const std::filesystem::path& store, const std::string& ca_file);

} // namespace adjourn::server
