#include "base/readable.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

namespace adjourn::base {

namespace {

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
