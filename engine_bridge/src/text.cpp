#include "engine_bridge/text.hpp"

#include <algorithm>

namespace adjourn::engine_bridge {
namespace {

// Length of the well-formed UTF-8 sequence at the start of `bytes`, 0 if there is none (Unicode
// standard, table 3-7).
std::size_t sequence_length(std::string_view bytes) {
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const auto within = [&](std::size_t i, unsigned low, unsigned high) {
        return i < bytes.size() && at(i) >= low && at(i) <= high;
    };
    const unsigned first = at(0);
    if (first < 0x80) {
        return 1;
    }
    if (first >= 0xC2 && first <= 0xDF) {
        return within(1, 0x80, 0xBF) ? 2 : 0;
    }
    if (first >= 0xE0 && first <= 0xEF) {
        const unsigned low = first == 0xE0 ? 0xA0 : 0x80;
        const unsigned high = first == 0xED ? 0x9F : 0xBF;
        return within(1, low, high) && within(2, 0x80, 0xBF) ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const unsigned low = first == 0xF0 ? 0x90 : 0x80;
        const unsigned high = first == 0xF4 ? 0x8F : 0xBF;
        return within(1, low, high) && within(2, 0x80, 0xBF) && within(3, 0x80, 0xBF) ? 4 : 0;
    }
    return 0;
}

} // namespace

std::string printable(std::string_view bytes, std::size_t limit) {
    static constexpr std::string_view digits = "0123456789abcdef";
    std::string result;
    std::size_t taken = 0;
    while (taken < bytes.size()) {
        const std::string_view rest = bytes.substr(taken);
        const std::size_t length = sequence_length(rest);
        if (taken + std::max<std::size_t>(length, 1) > limit) {
            return result + "…";
        }
        const auto first = static_cast<unsigned char>(rest[0]);
        if (length == 0 || (first < 0x20 && first != '\t') || first == 0x7F) {
            result += "\\x";
            result += digits[first >> 4];
            result += digits[first & 15];
            taken += 1;
        } else {
            result += rest.substr(0, length);
            taken += length;
        }
    }
    return result;
}

} // namespace adjourn::engine_bridge
