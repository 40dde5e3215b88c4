// Call: one row of the table of calls. Each file of calls has its handlers and its rows; api.cpp
// puts them together.
#pragma once

#include "api/api.hpp"
#include "base/json_reader.hpp"
#include "core/graphs/pending.hpp"
#include "http/requests/message.hpp"
#include "http/requests/target.hpp"

#include <expected>
#include <span>
#include <type_traits>

namespace adjourn::server {

// What the files of this room say all the time.
using base::JsonObject;
using base::JsonValue;
using http::Error;
using http::ErrorCode;
using http::Method;
using http::QueryReader;
using http::Request;
using http::Response;
using nlohmann::json;

// A call, while the core's thread answers it.
struct Context {
    Core& core;
    engine_bridge::Fleet* fleet; // may be null
    Webhooks* webhooks;          // may be null
    InstalledEngines* installed; // the same
    Clouds* clouds;              // the same
    Request& request;            // whose body a handler may take
    const http::PathParameters& path;
};

using Answer = std::expected<Api::Reply, Error>;
using Handler = Answer (*)(Context& call);

struct Call {
    Method method;
    const char* path;
    Handler handler;
    bool query = false; // false: any query parameter is an error; else the handler reads them
    CallRules rules{};
};

// Answered when the change is durable and its tree is there.
Api::Reply when_durable(const Context& call, const Pending<Response>& change);
// Answered by `finish`, which reads the store, or its disk, on another thread and needs no core;
// where these are not well, by `without`, and without that by 503.
Api::Reply when_read(const Context& call, Api::Later finish, Api::Later without = nullptr);

// Answered by what `begin` has given to `came`, on the core's thread; by 503 with `late` after
// `patience`, or when the server stops.
Api::Reply when_came(const Context& call, std::chrono::milliseconds patience,
                     const std::string& late,
                     const std::function<void(std::function<void(Response)> came)>& begin);

// What only the store knows decides what is changed: `read`, as `finish` above, returns the change,
// to be made on the core's thread, or the answer where there is nothing to change.
using Change = std::function<Pending<Response>()>;
Api::Reply when_changed(const Context& call, std::function<std::expected<Change, Response>()> read);

inline constexpr CallRules json_body{CallRules{}.most_bytes, CallRules::Body::json, false, false};
inline constexpr CallRules large_call{CallRules{}.most_bytes, CallRules::Body::none, true, false};
inline constexpr CallRules slow_call{CallRules{}.most_bytes, CallRules::Body::none, true, true};
inline constexpr CallRules file_body{most_import_bytes, CallRules::Body::text, true, true};
// The same, not for the token for reading either.
constexpr CallRules for_full(CallRules rules = {}) {
    rules.readers = CallRules::Readers::none;
    return rules;
}
// The same, also for whoever has a link to the analysis.
constexpr CallRules by_link(CallRules rules = {}) {
    rules.readers = CallRules::Readers::links;
    return rules;
}

// Where the store does not answer, or works no more; logged already.
Error error_of(const Trouble& trouble);
// What the core refuses.
Error to_http(const WorkError& error);
// "GET /api/v1/health"
std::string place_of(const Request& request);

std::span<const Call> calls_of_server();   // itself, engines, webhooks, links
std::span<const Call> calls_of_analyses(); // the queue, edits of games, what goes on
std::span<const Call> calls_of_trees();    // what was found, facts, verdicts, looks
std::span<const Call> calls_of_review();   // a game, as an analysis sees it
std::span<const Call> calls_of_seats();    // who wants a move in time
std::span<const Call> calls_of_files();    // import, files of games, collections
std::span<const Call> calls_of_workers();  // machines that answer questions

// What `use` makes of the body, a JSON object.
template <class Use>
auto with_body(const Context& call, Use use) -> std::invoke_result_t<Use, const JsonObject&> {
    const auto parsed = call.request.json ? call.request.json : http::parse_call(call.request.body);
    if (!parsed->value) {
        return std::unexpected(parsed->value.error());
    }
    return use(JsonObject{*parsed->value, base::JsonPolicy::strict});
}

// Where something was wrong already.
inline std::unexpected<Error> refused(const JsonObject& reader) {
    return std::unexpected(http::to_error(reader.problems().front()));
}

} // namespace adjourn::server
