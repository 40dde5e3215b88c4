#include "chess/text.hpp"

#include <optional>

namespace adjourn::chess::detail {

std::string quoted(std::string_view text) {
    constexpr std::size_t longest = 100; // characters
    std::string storage;
    text = base::as_utf8(text, storage);
    std::string result = "'";
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++count) {
        if (count == longest) {
            result += "...";
            break;
        }
        const base::Utf8Character character = base::utf8_at(text, at);
        if (character.code < 0x20 || (character.code >= 0x7f && character.code < 0xa0)) {
            result += '?';
        } else if (is_invisible(character.code)) {
            constexpr std::string_view digits = "0123456789ABCDEF";
            result += "<U+";
            for (int shift = 12; shift >= 0; shift -= 4) {
                result += digits[character.code >> shift & 15];
            }
            result += '>';
        } else {
            result += text.substr(at, character.length);
        }
        at += character.length;
    }
    return result + "'";
}

std::string square_name(int square) {
    const auto name = Square{square}.name();
    return {name.begin(), name.end()};
}

namespace {

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

bool is_invisible(unsigned code) {
    return code == 0xad || (code >= 0x200b && code <= 0x200f) ||
           (code >= 0x202a && code <= 0x202e) || (code >= 0x2060 && code <= 0x2069) ||
           (code >= 0xfe00 && code <= 0xfe0f) || code == 0xfeff;
}

bool has_other_than_ascii(std::string_view text) {
    return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

std::string in_ascii(std::string_view text) {
    std::string storage;
    text = base::as_utf8(text, storage);
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const base::Utf8Character character = base::utf8_at(text, at);
        const auto ascii = ascii_of(character.code);
        result += ascii ? *ascii : text.substr(at, character.length);
        at += character.length;
    }
    return result;
}

} // namespace adjourn::chess::detail
