// UTF-8 by RFC 3629: shortest forms only, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace adjourn::base {

// Bytes of the sequence that begins at `at`; 0 if it is none. REQUIRES: at < text.size().
inline std::size_t utf8_length(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) {
        return 1;
    }
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() - at < length) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) {
            return 0;
        }
    }
    const bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
    const bool surrogate = first == 0xed && byte(1) >= 0xa0;
    const bool too_large = first == 0xf4 && byte(1) >= 0x90;
    return overlong || surrogate || too_large ? 0 : length;
}

inline bool is_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8_length(text, at);
        if (length == 0) {
            return false;
        }
        at += length;
    }
    return true;
}

struct Utf8Character {
    unsigned code;
    std::size_t length; // bytes
};

// REQUIRES: a sequence that utf8_length() takes begins at `at`.
Utf8Character utf8_at(std::string_view text, std::size_t at);

// `text` itself if it is UTF-8, else read as Windows-1252; `storage` keeps a converted one.
std::string_view as_utf8(std::string_view text, std::string& storage);
// The same as a copy.
std::string to_utf8(std::string_view text);

} // namespace adjourn::base
