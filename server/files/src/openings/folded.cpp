#include "folded.hpp"

#include "base/utf8.hpp"

namespace adjourn::server {

namespace {

// U+00C0 to U+017F in their base letters; '-': no letter.
constexpr std::string_view latin =
    "aaaaaaaceeeeiiiidnooooo-ouuuuyts"
    "aaaaaaaceeeeiiiidnooooo-ouuuuyty"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll"
    "lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
static_assert(latin.size() == 192);

bool is_alphanumeric(unsigned code) {
    return (code >= 'a' && code <= 'z') || (code >= '0' && code <= '9') || code >= 0x80;
}

// REQUIRES: at least two bytes, of a sequence that base::utf8_length() takes.
unsigned code_of(std::string_view sequence) {
    const auto byte = [&](std::size_t i) -> unsigned {
        return static_cast<unsigned char>(sequence[i]);
    };
    unsigned code = byte(0) & (0x7fU >> sequence.size());
    for (std::size_t i = 1; i < sequence.size(); ++i) {
        code = code << 6U | (byte(i) & 0x3fU);
    }
    return code;
}

// REQUIRES: not above U+FFFF.
void append_utf8(std::string& out, unsigned code) {
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xc0U | code >> 6U);
        out += static_cast<char>(0x80U | (code & 0x3fU));
    } else {
        out += static_cast<char>(0xe0U | code >> 12U);
        out += static_cast<char>(0x80U | (code >> 6U & 0x3fU));
        out += static_cast<char>(0x80U | (code & 0x3fU));
    }
}

// The lower-case letter without marks; 0: nothing stands for it, ' ': it ends a word.
unsigned folded_letter(unsigned code) {
    if (code >= 'A' && code <= 'Z') {
        return code + ('a' - 'A');
    }
    if (code >= 0xc0 && code < 0x180) {
        const char base = latin[code - 0xc0];
        return base == '-' ? ' ' : static_cast<unsigned char>(base);
    }
    if (code >= 0x300 && code < 0x370) { // combining marks
        return 0;
    }
    if (code >= 0x410 && code < 0x430) { // Cyrillic capitals
        return code + 0x20;
    }
    if (code == 0x401 || code == 0x451) { // Ё
        return 0x435;
    }
    const bool apostrophe = code == '\'' || code == '`' || code == 0xb4 || code == 0x2bc ||
                            code == 0x2018 || code == 0x2019 || code == 0x201b || code == 0x2032;
    if (apostrophe) {
        return 0;
    }
    const bool letter = is_alphanumeric(code) && !(code >= 0x80 && code < 0xc0) &&
                        !(code >= 0x2000 && code < 0x2c00); // punctuation, signs, arrows
    return letter ? code : ' ';
}

} // namespace

std::string folded(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = base::utf8_length(text, at);
        const unsigned code = length == 1                  ? static_cast<unsigned char>(text[at])
                              : length == 2 || length == 3 ? code_of(text.substr(at, length))
                                                           : 0;
        at += length == 0 ? 1 : length;
        const unsigned letter = folded_letter(code);
        if (code == 0xdf) {
            out += "ss";
        } else if (code == 0xe6 || code == 0xc6) {
            out += 'a'; // as "ae"
        } else if (letter != 0) {
            append_utf8(out, letter);
        }
    }
    return out;
}

} // namespace adjourn::server
