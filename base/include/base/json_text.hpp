// Strict reading of JSON text. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

namespace adjourn::base {

inline constexpr std::size_t max_json_depth = 64;

// One JSON value and nothing after it. Or what is wrong, as the rest of a sentence about the text,
// with line and column: broken syntax, text that is not UTF-8, numbers out of range, a repeated
// name in an object, nesting deeper than max_json_depth, and more than `most_values` values. The
// time it takes is proportional to the text.
std::expected<nlohmann::json, std::string> parse_json(std::string_view text,
                                                      std::size_t most_values = 1'000'000);

} // namespace adjourn::base
