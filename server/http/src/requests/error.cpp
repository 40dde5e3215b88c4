#include "http/requests/error.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cassert>

namespace adjourn::http {

namespace {

struct Row {
    ErrorCode code;
    int status;
    std::string_view word;
};

constexpr std::array table{
    Row{ErrorCode::bad_json, 400, "bad_json"},
    Row{ErrorCode::bad_request, 400, "bad_request"},
    Row{ErrorCode::unknown_field, 400, "unknown_field"},
    Row{ErrorCode::bad_value, 400, "bad_value"},
    Row{ErrorCode::illegal_position, 400, "illegal_position"},
    Row{ErrorCode::illegal_move, 400, "illegal_move"},
    Row{ErrorCode::unknown_engine, 400, "unknown_engine"},
    Row{ErrorCode::unauthorised, 401, "unauthorised"},
    Row{ErrorCode::read_only, 403, "read_only"},
    Row{ErrorCode::workers_only, 403, "workers_only"},
    Row{ErrorCode::link_only, 403, "link_only"},
    Row{ErrorCode::forbidden_host, 403, "forbidden_host"},
    Row{ErrorCode::forbidden_origin, 403, "forbidden_origin"},
    Row{ErrorCode::not_found, 404, "not_found"},
    Row{ErrorCode::method_not_allowed, 405, "method_not_allowed"},
    Row{ErrorCode::conflict, 409, "conflict"},
    Row{ErrorCode::too_large, 413, "too_large"},
    Row{ErrorCode::unsupported_media_type, 415, "unsupported_media_type"},
    Row{ErrorCode::too_many_connections, 429, "too_many_connections"},
    Row{ErrorCode::headers_too_large, 431, "headers_too_large"},
    Row{ErrorCode::internal, 500, "internal"},
    Row{ErrorCode::unavailable, 503, "unavailable"},
};

constexpr bool in_order() {
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (table[i].code != static_cast<ErrorCode>(i)) {
            return false;
        }
    }
    return table.back().code == ErrorCode::unavailable;
}
static_assert(in_order(), "row i describes code i");

const Row& row_of(ErrorCode code) {
    const auto index = static_cast<std::size_t>(code);
    assert(index < table.size());
    return table[index];
}

} // namespace

int status_of(ErrorCode code) {
    return row_of(code).status;
}

std::string_view word_of(ErrorCode code) {
    return row_of(code).word;
}

Response to_response(const Error& error) {
    const nlohmann::ordered_json body{
        {"error",
         {{"code", word_of(error.code)}, {"message", error.message}, {"where", error.where}}}};
    Response response;
    response.status = status_of(error.code);
    // A message may quote the request's bytes, which need not be UTF-8.
    response.body = body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    if (error.code == ErrorCode::unauthorised) {
        response.headers["WWW-Authenticate"] = "Bearer";
    }
    return response;
}

} // namespace adjourn::http
