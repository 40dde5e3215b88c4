// The one table of HTTP errors: code word → status. See docs/api/reference.md.
#pragma once

#include "http/requests/message.hpp"

#include <stdexcept>
#include <string>
#include <string_view>

namespace adjourn::http {

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

// {"error":{"code":…,"message":…,"where":…}} with the table's status.
Response to_response(const Error& error);

} // namespace adjourn::http
