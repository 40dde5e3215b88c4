// Api: the calls of docs/api/reference.md as functions Request → Response, on the core's thread.
#pragma once

#include "api/webhooks/webhooks.hpp"
#include "core/engines/installed_engines.hpp"
#include "core/schedule/core.hpp"
#include "engine_bridge/remote/fleet.hpp"
#include "http/requests/target.hpp"
#include "http/tokens.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace adjourn::server {

// What a call takes and how heavy it is.
struct CallRules {
    enum class Body : std::uint8_t {
        none, // an empty JSON object is one, too
        json,
        text, // the handler's own
    };
    std::size_t most_bytes = 256u << 10; // of a body
    Body body = Body::none;
    bool large = false; // looks at much of a graph, of the store or of a file
    bool slow = false;  // and may take seconds
    // Who may read it, besides whoever has the full token.
    enum class Readers : std::uint8_t {
        token, // whoever has the token for reading
        // And whoever has a link to the analysis {id}, of which it tells and of no other; or to its
        // {file}, where the path has that.
        links,
        none,
    };
    Readers readers = Readers::token;
};
struct Call; // a row of the table of calls
class Clouds;
// The call that a request means, and what its path names.
struct Route {
    const Call* call;
    http::PathParameters path;
    CallRules rules;
};
// Pure.
std::expected<Route, http::Routes::Miss> route_of(http::Method method, std::string_view path);
// Pure. What has no rules of its own, unknown addresses among it, has the ordinary ones.
CallRules rules_for(http::Method method, std::string_view path);
// Pure. Whoever may read that address.
http::Readers readers_of(http::Method method, std::string_view path);
// Pure. All calls: method and path, with {names}.
std::vector<std::pair<http::Method, std::string_view>> all_calls();
inline constexpr std::size_t most_import_bytes = 8u << 20;

class Api {
public:
    // `fleet`: null where no other machines can help. `webhooks`: null where nobody is told.
    // `installed`: null where no engines are added. `clouds`: null where none is asked.
    explicit Api(Core& core, engine_bridge::Fleet* fleet = nullptr, Webhooks* webhooks = nullptr,
                 InstalledEngines* installed = nullptr, Clouds* clouds = nullptr)
        : core_{core}, fleet_{fleet}, webhooks_{webhooks}, installed_{installed}, clouds_{clouds} {}

    // A call that takes long is prepared on the core's thread and finished anywhere, without core:
    // it reads graphs and the store.
    using Later = std::function<http::Response()>;

    // A call that waits for something to happen, be it that a change is durable or that something
    // was read from the store: look() on the core's thread, again and again until it has a
    // response. Before each pause, wake_me() is given what is to be called when it is worth another
    // look; if it says no, or `patience` is over, give_up() has the response. leave() is called
    // last.
    struct Wait {
        std::chrono::milliseconds patience;
        std::function<std::optional<http::Response>()> look;
        std::function<bool(std::function<void()>)> wake_me;
        std::function<http::Response()> give_up;
        std::function<void()> leave;
    };

    // Now, or what is left to do.
    using Reply = std::variant<http::Response, Later, Wait>;
    // On the core's thread. Never throws, nor does what is left: trouble becomes 503 or 500, and
    // the core is told of the store's.
    Reply begin(http::Request request, const Route& route) const;

    // `task` on a thread that `elsewhere` runs it on, as one of those calls: a store that is silent
    // is not waited for. Its response is what the task returns.
    Wait wait_for(const Later& task,
                  const std::function<void(std::function<void()>)>& elsewhere) const;

    // How long a change is waited for that is not durable yet, or whose tree is still read.
    static constexpr std::chrono::seconds change_patience{10};

private:
    // Without guard.
    Reply answered(http::Request& request, const Route& route) const;

    Core& core_;
    engine_bridge::Fleet* fleet_;
    Webhooks* webhooks_;
    InstalledEngines* installed_;
    Clouds* clouds_;
};

} // namespace adjourn::server
