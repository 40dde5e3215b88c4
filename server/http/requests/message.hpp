// Request and Response: HTTP without sockets. Handlers are functions Request → Response and are
// tested as such; http/listener.hpp carries them over Beast.
#pragma once

#include "base/json_reader.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace adjourn::http {

// `other` is whatever the API never uses (TRACE, CONNECT, …); the listener answers it with
// 405.
enum class Method : std::uint8_t { get, head, post, put, patch, del, options, other };

// "GET", "DELETE", …; "" for `other`.
std::string_view name_of(Method method);
Method method_named(std::string_view name);

struct ParsedJson; // http/json.hpp

struct Request {
    Method method = Method::get;
    std::string path; // decoded, without query: "/api/v1/analyses/1/node"
    std::vector<std::pair<std::string, std::string>> query; // decoded, in order
    std::map<std::string, std::string> headers; // names in lower case; repeated ones joined by ", "
    std::string body;
    // What parse_json() made of the body, where somebody has called it already.
    std::shared_ptr<const ParsedJson> json = nullptr;
    // Asked by a link: what tells of other analyses is left out of the answer.
    bool by_link = false;
    // Asked to stop once nobody waits for the answer: the client is gone, or has another one.
    std::stop_source unwanted{};

    // First value of a query parameter.
    std::optional<std::string> parameter(std::string_view name) const;
    std::optional<std::string> header(std::string_view lower_case_name) const;
};

struct Response {
    int status = 200;
    std::string content_type = "application/json";
    std::string body;
    std::map<std::string, std::string> headers; // besides Content-Type and Content-Length
};

// The one table of HTTP errors: code word → status. See docs/api/reference.md.

enum class ErrorCode : std::uint8_t {
    bad_json,
    bad_request,
    unknown_field,
    bad_value,
    illegal_position,
    illegal_move,
    unknown_engine,
    unauthorised,
    read_only,
    workers_only,
    link_only,
    forbidden_host,
    forbidden_origin,
    not_found,
    method_not_allowed,
    conflict,
    too_large,
    unsupported_media_type,
    too_many_connections,
    headers_too_large,
    internal,
    unavailable,
};

int status_of(ErrorCode code);
std::string_view word_of(ErrorCode code);

// An expected outcome of a request that cannot be served; handlers return it inside std::expected.
struct Error {
    ErrorCode code = ErrorCode::internal;
    std::string message; // one sentence for people
    std::string where;   // the place in the request: "position.moves[3]", "query.plies", or ""

    friend bool operator==(const Error&, const Error&) = default;
};

inline std::unexpected<Error> refuse(ErrorCode code, std::string message, std::string where) {
    return std::unexpected(Error{code, std::move(message), std::move(where)});
}

// {"error":{"code":…,"message":…,"where":…}} with the table's status.
Response to_response(const Error& error);

// Bodies of requests as JSON. Pure.
//
//     auto body = parse_json(request.body);
//     if (!body) return to_response(body.error());
//     base::JsonObject reader{*body, base::JsonPolicy::strict};
//     const auto name = reader.find("name").text();
//     if (auto ok = finished(reader); !ok) return to_response(ok.error());

inline constexpr std::size_t max_json_values = 10'000; // in the body of a call

// As base::parse_json(); what is wrong with the text is bad_json.
std::expected<nlohmann::json, Error> parse_json(std::string_view text,
                                                std::size_t most_values = 1'000'000);

// The body of a call, parsed: with the limits of calls.
struct ParsedJson {
    std::expected<nlohmann::json, Error> value;
};
std::shared_ptr<const ParsedJson> parse_call(std::string_view body);

// bad_value (wrong type or range), bad_request (missing), unknown_field.
Error to_error(const base::JsonProblem& problem);
// The first problem of the body, if there is any.
std::expected<void, Error> finished(const base::JsonObject& reader);

} // namespace adjourn::http
