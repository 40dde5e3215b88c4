// LichessCalls: the calls by which an external engine of lichess registers and takes work, and what
// their answers mean. https://lichess.org/api, "External engine".
#pragma once

#include "http/client/http_link.hpp"

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace adjourn::server::lichess {

// One of lichess' servers.
struct Host {
    ServerUrl url;
    std::string shown; // as it was given, without "/" at the end
};

// What lichess shows of the engine, and by what it knows who answers for it.
struct Registration {
    std::string name; // 3 to 200 characters
    std::int64_t threads = 1;
    std::int64_t hash = 1; // MiB
    std::string secret;
};

struct CallTrouble {
    std::string message;  // for people
    bool refused = false; // the token does not do: asking again helps nobody
    std::optional<std::chrono::seconds> wait = {}; // that the server wants
};

// Where a token is made, with what it needs and no more.
std::string token_page(const std::string& lichess);

// For one thread, but for close(). Everything blocks until the server has answered.
class LichessCalls {
public:
    template <class T>
    using Or = std::expected<T, CallTrouble>;

    // The token goes to `site` alone. `broker` hands out work, to whoever knows the secret.
    LichessCalls(Host site, const std::string& token, Host broker);

    // Registers the engine, or changes the one of that name. Returns whether there was one.
    Or<bool> announce(const Registration& registration);
    // Waits some seconds for work: JSON; nullopt where there is none.
    Or<std::optional<std::string>> take(const std::string& secret);
    // What is under way fails, and whatever comes. Any thread.
    void close();

private:
    using Reply = std::expected<HttpLink::Reply, HttpLink::Trouble>;

    const Host site_;
    const Host broker_;
    HttpLink site_link_;
    HttpLink broker_link_;
};

} // namespace adjourn::server::lichess
