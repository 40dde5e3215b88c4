// WorkerLink: the way from this machine to a server that asks it: the calls of "Machines"
// (docs/api/reference.md). Messages are JSON.
#pragma once

#include "http/client/http_link.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <optional>
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

// For one thread, but for close(). Everything blocks until the server has answered.
class WorkerLink {
public:
    template <class T>
    using Or = std::expected<T, LinkTrouble>;
    static constexpr std::chrono::milliseconds usual_patience{30'000};

    explicit WorkerLink(const Server& server)
        : shown_{server.shown}, link_{server.url, server.token} {}

    // {"version", "name", "profiles"} → {"id", "version", "profiles", "beat_seconds"}
    Or<nlohmann::json> hello(const nlohmann::json& greeting);
    // Questions: {"leases", "withdrawn", "hurried", "drain"}. Where there is nothing, the server
    // waits some seconds for it. `held`: the leases that are here, so that those of an answer that
    // was lost go to others; where the server knows that field.
    Or<nlohmann::json> take(const std::string& machine, const nlohmann::json& wishes,
                            const std::optional<std::vector<std::uint64_t>>& held);
    // Returns the verdicts: {"results"}.
    Or<nlohmann::json> answers(const std::string& machine, const nlohmann::json& answers,
                               std::chrono::milliseconds patience);
    // `held`: the leases that are here. → {"withdrawn", "hurried", "drain"}
    Or<nlohmann::json> beat(const std::string& machine, const nlohmann::json& profiles,
                            const std::vector<std::uint64_t>& held);
    Or<void> goodbye(const std::string& machine, std::chrono::milliseconds patience);
    // What is under way fails, and whatever comes. Any thread.
    void close() { link_.close(); }

private:
    using Reply = std::expected<HttpLink::Reply, HttpLink::Trouble>;
    LinkTrouble trouble_of(const Reply& reply) const;
    Or<nlohmann::json> checked(const Reply& reply) const;

    const std::string shown_;
    HttpLink link_;
};

} // namespace adjourn::server
