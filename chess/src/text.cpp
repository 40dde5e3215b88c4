#include "text.hpp"

#include "utf8.hpp"

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

} // namespace adjourn::chess::detail
