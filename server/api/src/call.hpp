// Call: one row of the table of calls. Each file of calls has its handlers and its rows; api.cpp
// puts them together.
#pragma once

#include "api/api.hpp"
#include "requests/json.hpp"
#include "requests/query.hpp"

#include <array>
#include <expected>
#include <span>
#include <type_traits>
#include <variant>

namespace adjourn::server {

// How a call is answered: at once; when a change is durable; by what reads the store elsewhere; by
// what is prepared on the core's thread and may be finished on any other, with the body taken out
// of the request if it likes; or by a walk in slices.
using AtOnce = std::expected<http::Response, http::Error> (*)(Core&, const http::Request&,
                                                              const http::PathParameters&);
using Changing = std::expected<Pending<http::Response>, http::Error> (*)(
    Core&, const http::Request&, const http::PathParameters&);
using Reading = std::expected<Api::Reading, http::Error> (*)(Core&, const http::Request&,
                                                             const http::PathParameters&);
using Later = std::expected<Api::Deferred, http::Error> (*)(Core&, http::Request&,
                                                            const http::PathParameters&);
using InSlices = std::expected<Api::Walk, http::Error> (*)(const Core&, const http::Request&,
                                                           const http::PathParameters&);
// Of the machines that help; at once, or when there is something to tell.
using OfFleet = std::expected<http::Response, http::Error> (*)(Fleet&, const http::Request&,
                                                               const http::PathParameters&);
using Waiting = std::expected<Api::Wait, http::Error> (*)(Fleet&, const http::Request&,
                                                          const http::PathParameters&);
// Of the addresses that are told what happened.
using OfWebhooks = std::expected<http::Response, http::Error> (*)(Webhooks&, const http::Request&,
                                                                  const http::PathParameters&);
using WaitingForWebhooks = std::expected<Api::Wait, http::Error> (*)(Webhooks&,
                                                                     const http::Request&,
                                                                     const http::PathParameters&);

struct Call {
    http::Method method;
    const char* path;
    std::variant<AtOnce, Changing, Reading, Later, InSlices, OfFleet, Waiting, OfWebhooks,
                 WaitingForWebhooks>
        handler;
    bool query = false; // false: any query parameter is an error; else the handler reads them
    CallRules rules{};
};

inline constexpr CallRules json_body{CallRules{}.most_bytes, CallRules::Body::json, false, false};
inline constexpr CallRules large_call{CallRules{}.most_bytes, CallRules::Body::none, true, false};
inline constexpr CallRules slow_call{CallRules{}.most_bytes, CallRules::Body::none, true, true};
inline constexpr CallRules file_body{most_import_bytes, CallRules::Body::text, true, true};

// Where the store does not answer, or works no more; logged already.
http::Error error_of(const Trouble& trouble);
// "GET /api/v1/health"
std::string place_of(const http::Request& request);

std::span<const Call> calls_of_server();   // health, engines, metrics, this description
std::span<const Call> calls_of_analyses(); // the queue: made, shown, changed, deleted, directed
std::span<const Call> calls_of_trees();    // what an analysis found
std::span<const Call> calls_of_review();   // a game, as an analysis sees it
std::span<const Call> calls_of_facts();    // evaluations, positions, openings
std::span<const Call> calls_of_looks();    // what people look at
std::span<const Call> calls_of_files();    // import
std::span<const Call> calls_of_games();    // collections of games
std::span<const Call> calls_of_workers();  // machines that answer questions
std::span<const Call> calls_of_webhooks(); // addresses that are told what happened

// What `use` makes of the body, a JSON object.
template <class Use>
auto with_body(const http::Request& request, Use use)
    -> std::invoke_result_t<Use, http::ObjectReader&> {
    const auto parsed = request.json ? request.json : http::parse_call(request.body);
    if (!parsed->value) {
        return std::unexpected(parsed->value.error());
    }
    http::ObjectReader reader{*parsed->value};
    return use(reader);
}

} // namespace adjourn::server
