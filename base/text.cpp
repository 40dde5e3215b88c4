#include "base/text.hpp"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <cstdint>
#include <mutex>
#include <system_error>
#include <vector>

namespace adjourn::base {

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Windows-1252's 0x80–0x9f; 0 where it has nothing.
constexpr std::array<std::uint16_t, 32> windows_1252{
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

constexpr std::string_view hex_digits = "0123456789abcdef";

bool turns_direction(unsigned code) {
    return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

bool is_control(unsigned code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

void append_escape(std::string& to, char kind, unsigned code, int digits) {
    to += '\\';
    to += kind;
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
        to += hex_digits[code >> shift & 15U];
    }
}

struct Secrets {
    std::mutex mutex;
    std::vector<std::string> known; // the longest first
};

Secrets& secrets() {
    static Secrets all;
    return all;
}

std::string escaped(std::string_view text, bool keep_line_ends) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8_length(text, at);
        if (length == 0) {
            append_escape(result, 'x', static_cast<unsigned char>(text[at]), 2);
            ++at;
            continue;
        }
        const unsigned code = utf8_at(text, at).code;
        if ((is_control(code) && !(keep_line_ends && code == '\n')) || turns_direction(code)) {
            append_escape(result, 'u', code, 4);
        } else {
            result += text.substr(at, length);
        }
        at += length;
    }
    return result;
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
    constexpr std::string_view cut = "…";
    assert(most >= cut.size());
    std::size_t end = most - cut.size();
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80u) {
        --end;
    }
    return std::string(text.substr(0, end)).append(cut);
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

bool is_one_of_names(std::string_view player, std::string_view names) {
    bool found = false;
    for_each_element(names, ';', [&](std::string_view name) {
        const std::string_view behind = player.substr(std::min(name.size(), player.size()));
        found = found || (equal_ignoring_case(player.substr(0, name.size()), name) &&
                          (behind.empty() || behind.front() == ',' || behind.front() == ' '));
    });
    return found;
}

void append_utf8(std::string& text, unsigned code) {
    if (code < 0x80) {
        text += static_cast<char>(code);
    } else if (code < 0x800) {
        text += static_cast<char>(0xc0 | code >> 6);
        text += static_cast<char>(0x80 | (code & 0x3f));
    } else {
        text += static_cast<char>(0xe0 | code >> 12);
        text += static_cast<char>(0x80 | (code >> 6 & 0x3f));
        text += static_cast<char>(0x80 | (code & 0x3f));
    }
}

Utf8Character utf8_at(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    const std::size_t length = utf8_length(text, at);
    if (length < 2) {
        return {byte(0), 1};
    }
    unsigned code = byte(0) & (0xffU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        code = code << 6 | (byte(i) & 0x3fU);
    }
    return {code, length};
}

std::string_view as_utf8(std::string_view text, std::string& storage) {
    if (is_utf8(text)) {
        return text;
    }
    storage.clear();
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        unsigned code = byte;
        if (byte >= 0x80 && byte < 0xa0) {
            code = windows_1252[byte - 0x80U] != 0 ? windows_1252[byte - 0x80U] : 0xfffd;
        }
        append_utf8(storage, code);
    }
    return storage;
}

std::string to_utf8(std::string_view text) {
    std::string converted;
    return std::string{as_utf8(text, converted)};
}

std::string hex(std::span<const unsigned char> bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const unsigned char byte : bytes) {
        text += digits[byte >> 4U];
        text += digits[byte & 15U];
    }
    return text;
}

std::string random_secret() {
    std::array<unsigned char, 16> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
        throw std::system_error(errno, std::generic_category(), "no random numbers");
    }
    return hex(bytes);
}

void keep_secret(std::string_view secret) {
    constexpr std::size_t least = 8;
    const std::lock_guard lock{secrets().mutex};
    std::vector<std::string>& known = secrets().known;
    if (secret.size() >= least && std::ranges::find(known, secret) == known.end()) {
        known.emplace_back(secret);
        std::ranges::sort(known, std::ranges::greater{},
                          &std::string::size); // one may hold another
    }
}

std::string without_secrets(std::string_view text) {
    std::string result{text};
    const std::lock_guard lock{secrets().mutex};
    for (const std::string& secret : secrets().known) {
        for (std::size_t at = result.find(secret); at != std::string::npos;
             at = result.find(secret, at)) {
            result.replace(at, secret.size(), "…");
        }
    }
    return result;
}

std::string readable(std::string_view text) {
    return escaped(without_secrets(text), true);
}

std::string readable_line(std::string_view text) {
    return escaped(without_secrets(text), false);
}

} // namespace adjourn::base
