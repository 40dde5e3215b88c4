#include "engine_bridge/process/text.hpp"

#include "base/utf8.hpp"

#include <algorithm>

namespace adjourn::engine_bridge {

std::string printable(std::string_view bytes, std::size_t limit) {
    static constexpr std::string_view digits = "0123456789abcdef";
    std::string result;
    std::size_t taken = 0;
    while (taken < bytes.size()) {
        const std::string_view rest = bytes.substr(taken);
        const std::size_t length = base::utf8_length(rest, 0);
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
