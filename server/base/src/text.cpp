#include "base/text.hpp"

#include <algorithm>

namespace adjourn::base {

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Length of the UTF-8 sequence that starts the text, 0 if it is not a valid one.
std::size_t sequence_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) {
        return 1;
    }
    std::size_t length = 0;
    std::uint32_t code = 0;
    std::uint32_t least = 0;
    if (first >= 0xc2 && first <= 0xdf) {
        length = 2, code = first & 0x1fu, least = 0x80;
    } else if (first >= 0xe0 && first <= 0xef) {
        length = 3, code = first & 0x0fu, least = 0x800;
    } else if (first >= 0xf0 && first <= 0xf4) {
        length = 4, code = first & 0x07u, least = 0x10000;
    } else {
        return 0;
    }
    if (text.size() < length) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0u) != 0x80u) {
            return 0;
        }
        code = code << 6 | (byte(i) & 0x3fu);
    }
    if (code < least || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
        return 0;
    }
    return length;
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

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const auto length = sequence_length(text);
        if (length == 0) {
            return false;
        }
        text.remove_prefix(length);
    }
    return true;
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
