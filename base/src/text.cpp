#include "base/text.hpp"

#include <algorithm>

namespace adjourn::base {

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

} // namespace

std::string lower_case(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), lower);
    return result;
}

bool equal_ignoring_case(std::string_view left, std::string_view right) {
    return std::ranges::equal(left, right, {}, lower, lower);
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool has_control_characters(std::string_view text) {
    return std::ranges::any_of(
        text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

std::string shortened(std::string_view text, std::size_t most) {
    if (text.size() <= most) {
        return std::string(text);
    }
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80u) {
        --end;
    }
    return std::string(text.substr(0, end)) + "…";
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t found = std::min(text.find(from, at), text.size());
        result += text.substr(at, found - at);
        result += found < text.size() ? to : std::string_view{};
        at = found + from.size();
    }
    return result;
}

void for_each_element(std::string_view list, char separator,
                      const std::function<void(std::string_view)>& use) {
    while (!list.empty()) {
        const auto end = std::min(list.find(separator), list.size());
        if (const auto element = trimmed(list.substr(0, end)); !element.empty()) {
            use(element);
        }
        list.remove_prefix(std::min(end + 1, list.size()));
    }
}

} // namespace adjourn::base
