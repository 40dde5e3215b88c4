#include "http/requests/message.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace adjourn::http {

namespace {

// Indexed by Method; the last is `other`.
constexpr std::array<std::string_view, 8> names{"GET",   "HEAD",   "POST",    "PUT",
                                                "PATCH", "DELETE", "OPTIONS", ""};

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

std::string_view name_of(Method method) {
    return names.at(static_cast<std::size_t>(method));
}

Method method_named(std::string_view text) {
    return static_cast<Method>(std::find(names.begin(), names.end() - 1, text) - names.begin());
}

std::optional<std::string> Request::parameter(std::string_view name) const {
    for (const auto& [key, value] : query) {
        if (key == name) {
            return value;
        }
    }
    return std::nullopt;
}

std::optional<std::string> Request::header(std::string_view lower_case_name) const {
    const auto found = headers.find(std::string(lower_case_name));
    if (found == headers.end()) {
        return std::nullopt;
    }
    return found->second;
}

std::expected<nlohmann::json, Error> parse_json(std::string_view text, std::size_t most_values) {
    auto value = base::parse_json(text, most_values);
    if (!value) {
        return refuse(ErrorCode::bad_json, "the body " + value.error(), "body");
    }
    return std::move(*value);
}

std::shared_ptr<const ParsedJson> parse_call(std::string_view body) {
    return std::make_shared<const ParsedJson>(ParsedJson{parse_json(body, max_json_values)});
}

Error to_error(const base::JsonProblem& problem) {
    const std::string where = problem.where.empty() ? "body" : problem.where;
    switch (problem.kind) {
    case base::JsonProblem::Kind::missing: return {ErrorCode::bad_request, problem.message, where};
    case base::JsonProblem::Kind::unknown:
        return {ErrorCode::unknown_field, problem.message + " in this request", where};
    case base::JsonProblem::Kind::wrong: break;
    }
    return {ErrorCode::bad_value, problem.message, where};
}

std::expected<void, Error> finished(const base::JsonObject& reader) {
    const auto problems = reader.finish();
    if (!problems.empty()) {
        return std::unexpected(to_error(problems.front()));
    }
    return {};
}

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
