// Numbers that stand in text, in decimal and without regard to the locale.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

namespace adjourn::base {

template <class Number>
concept ParsedNumber = std::floating_point<Number> ||
    (std::integral<Number> && !std::same_as<Number, bool> && !std::same_as<Number, char>);

// The number that the whole text is; nullopt if it is none or does not fit. Without a leading '+'
// and without spaces; '-' only for signed types. Floating-point numbers are finite and written as
// std::from_chars reads them: "1e3" is one.
template <ParsedNumber Number>
std::optional<Number> parse_number(std::string_view text) {
    Number value{};
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stopped != end) {
        return std::nullopt;
    }
    if constexpr (std::floating_point<Number>) {
        if (!std::isfinite(value)) {
            return std::nullopt;
        }
    }
    return value;
}

// The same behind a '+', if there is one: PGN, EPD and engines may write it.
template <ParsedNumber Number>
std::optional<Number> parse_number_after_plus(std::string_view text) {
    if (text.starts_with("+-")) {
        return std::nullopt;
    }
    return parse_number<Number>(text.starts_with('+') ? text.substr(1) : text);
}

// Counts that only grow and have to fit a signed 64-bit column.

// a + b, at most 2^63 − 1.
constexpr std::uint64_t capped_sum(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    return std::min(std::min(a, most) + std::min(b, most), most);
}

} // namespace adjourn::base
