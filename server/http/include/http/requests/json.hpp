// Bodies of requests as JSON. Pure.
//
//     auto body = parse_json(request.body);
//     if (!body) return to_response(body.error());
//     base::JsonObject reader{*body, base::JsonPolicy::strict};
//     const auto name = reader.find("name").text();
//     if (auto ok = finished(reader); !ok) return to_response(ok.error());
#pragma once

#include "base/json_reader.hpp"
#include "http/requests/error.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <expected>
#include <memory>
#include <string_view>

namespace adjourn::http {

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
