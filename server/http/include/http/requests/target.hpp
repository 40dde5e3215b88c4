// Decoding of the request target. Pure.
#pragma once

#include "http/requests/error.hpp"

#include <expected>
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

} // namespace adjourn::http
