#include "utf8.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace adjourn::chess::detail {

namespace {

// Windows-1252's 0x80–0x9f; 0 where it has nothing.
constexpr std::array<std::uint16_t, 32> windows_1252{
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

void append(std::string& text, unsigned code) {
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

// What a character stands for; nullopt: for itself.
std::optional<std::string_view> ascii_of(unsigned code) {
    constexpr std::string_view pieces = "KQRBNP";
    if (code >= 0x2654 && code <= 0x265f) {
        const std::string_view letter = pieces.substr((code - 0x2654) % 6, 1);
        return letter == "P" ? std::string_view{} : letter;
    }
    if (code == 0xa0 || (code >= 0x2000 && code <= 0x200a) || code == 0x2028 || code == 0x2029 ||
        code == 0x202f || code == 0x205f || code == 0x3000 || code == 0x85) {
        return " ";
    }
    if ((code >= 0x2010 && code <= 0x2015) || code == 0x2212) {
        return "-";
    }
    if (code > 0xff00 && code < 0xff5f) { // of full width, in the order of ASCII
        constexpr std::string_view plain =
            "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrs"
            "tuvwxyz{|}~";
        return plain.substr(code - 0xff01, 1);
    }
    switch (code) {
    case 0x39f: // letters of other alphabets that look the same; capitals may be other pieces
    case 0x41e:
    case 0x43e: return "O";
    case 0x430: return "a";
    case 0x435: return "e";
    case 0x441: return "c";
    case 0x445: return "x";
    case 0xd7: return "x";   // multiplication sign
    case 0x2020: return "+"; // dagger
    case 0x2021: return "#"; // double dagger
    default: break;
    }
    return is_invisible(code) ? std::optional<std::string_view>{""} : std::nullopt;
}

} // namespace

std::string_view as_utf8(std::string_view text, std::string& storage) {
    if (base::is_utf8(text)) {
        return text;
    }
    storage.clear();
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        unsigned code = byte;
        if (byte >= 0x80 && byte < 0xa0) {
            code = windows_1252[byte - 0x80U] != 0 ? windows_1252[byte - 0x80U] : 0xfffd;
        }
        append(storage, code);
    }
    return storage;
}

Utf8Character utf8_at(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    const std::size_t length = base::utf8_length(text, at);
    if (length < 2) {
        return {byte(0), 1};
    }
    unsigned code = byte(0) & (0xffU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        code = code << 6 | (byte(i) & 0x3fU);
    }
    return {code, length};
}

bool is_invisible(unsigned code) {
    return code == 0xad || (code >= 0x200b && code <= 0x200f) ||
           (code >= 0x202a && code <= 0x202e) || (code >= 0x2060 && code <= 0x2064) ||
           (code >= 0xfe00 && code <= 0xfe0f) || code == 0xfeff;
}

bool has_other_than_ascii(std::string_view text) {
    return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

std::string in_ascii(std::string_view text) {
    std::string storage;
    text = as_utf8(text, storage);
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Character character = utf8_at(text, at);
        const auto ascii = ascii_of(character.code);
        result += ascii ? *ascii : text.substr(at, character.length);
        at += character.length;
    }
    return result;
}

} // namespace adjourn::chess::detail
