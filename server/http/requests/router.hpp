// Routes: (method, path pattern) → number of the row. Pure.
#pragma once

#include "http/requests/message.hpp"

#include <cstddef>
#include <expected>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::http {

// What the {names} of a pattern matched; never empty text.
class PathParameters {
public:
    PathParameters() = default;
    explicit PathParameters(std::map<std::string, std::string, std::less<>> values)
        : values_(std::move(values)) {}

    // The name must be in the route's pattern.
    const std::string& text(std::string_view name) const;
    // nullopt if it is not a decimal integer, or not in the pattern; callers answer 404 then: there
    // is no such thing.
    std::optional<std::int64_t> integer(std::string_view name) const;

private:
    std::map<std::string, std::string, std::less<>> values_;
};

// The first that fits is meant.
class Routes {
public:
    struct Match {
        std::size_t index; // in order of add()
        PathParameters parameters;
    };
    struct Miss {
        Error error;       // not_found, or method_not_allowed
        std::string allow; // "GET, HEAD, PATCH"; "" with not_found
    };

    // Pattern: "/api/v1/analyses/{id}/node". A pattern with a method is added once.
    void add(Method method, std::string_view pattern);

    // HEAD finds the GET route.
    std::expected<Match, Miss> match(Method method, std::string_view path) const;

private:
    struct Route {
        Method method;
        std::vector<std::string> segments; // "{name}" for a parameter
    };
    std::vector<Route> routes_;
};

// The error with its Allow header. OPTIONS on a known path is answered with 204 and Allow.
Response to_response(const Routes::Miss& miss, Method method);

} // namespace adjourn::http
