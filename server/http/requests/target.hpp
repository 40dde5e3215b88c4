// Decoding of the request target. Pure.
#pragma once

#include "base/json_reader.hpp"
#include "http/requests/message.hpp"

#include <cstddef>
#include <expected>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace adjourn::http {

struct Target {
    std::string path; // decoded; starts with '/'
    std::vector<std::pair<std::string, std::string>> query;

    friend bool operator==(const Target&, const Target&) = default;
};

enum class Plus : std::uint8_t { literal, space };

// %41 → 'A', and '+' → ' ' if so asked. nullopt on a broken escape.
std::optional<std::string> percent_decoded(std::string_view text, Plus plus);

// For a query's values: everything but letters, digits, '-', '_' and '.' becomes an escape.
std::string percent_encoded(std::string_view text);

// "/a%20b?c=d+e&f" → {"/a b", {{"c","d e"},{"f",""}}}. Origin form only (starts with '/').
// bad_request for broken escapes, for what is not UTF-8 or holds control characters once decoded,
// and for paths that could mean two things: an encoded '/', and the segments "." and "..".
std::expected<Target, Error> parse_target(std::string_view target);

// QueryReader: strict reading of query parameters. Pure. What is absent or wrong is nothing to a
// getter; the first problem is remembered, and finish() has it.

class QueryReader {
public:
    // `request` must outlive the reader.
    explicit QueryReader(const Request& request) : request_(request) {}

    // A present but empty one is "". `most`: bytes.
    std::optional<std::string> text(std::string_view name, std::size_t most = base::usual_text);
    std::optional<std::string> required_text(std::string_view name);
    // What is looked for: a text of few words. Numbers are not counted.
    std::optional<std::string> search(std::string_view name);
    std::optional<std::int64_t> integer(std::string_view name, std::int64_t least,
                                        std::int64_t most);
    // "true" or "false".
    std::optional<bool> boolean(std::string_view name);
    // Index of the word in `words`.
    std::optional<std::size_t> choice(std::string_view name,
                                      const std::vector<std::string_view>& words);

    // The first problem; else unknown_field or bad_request for a parameter that nobody read or that
    // came twice.
    std::expected<void, Error> finish() const;

private:
    void wrong(ErrorCode code, std::string_view name, const std::string& message);

    const Request& request_;
    std::set<std::string, std::less<>> read_;
    std::optional<Error> first_;
};

// Routes: (method, path pattern) → number of the row. Pure.

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
