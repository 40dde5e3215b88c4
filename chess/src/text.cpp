#include "text.hpp"

namespace adjourn::chess::detail {

std::string quoted(std::string_view text) {
    constexpr std::size_t longest = 100;
    std::string result = "'";
    for (const char c : text.substr(0, longest)) {
        result += c >= ' ' && c <= '~' ? c : '?';
    }
    if (text.size() > longest) {
        result += "...";
    }
    return result + "'";
}

std::string square_name(int square) {
    const auto name = Square{square}.name();
    return {name.begin(), name.end()};
}

} // namespace adjourn::chess::detail
