// Small helpers for reading and quoting text.
#pragma once

#include "base/text.hpp"
#include "chess/types.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace adjourn::chess::detail {

constexpr bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}
constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr bool is_number(std::string_view word) {
    return !word.empty() && std::all_of(word.begin(), word.end(), is_digit);
}
constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool is_file(char c) {
    return c >= 'a' && c <= 'h';
}
constexpr bool is_rank(char c) {
    return c >= '1' && c <= '8';
}

// Without blanks at the ends.
constexpr std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_blank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

// For error messages: in quotes, short, UTF-8 (what is none is read as Windows-1252); control
// characters become '?', invisible ones "<U+200B>".
std::string quoted(std::string_view text);
std::string square_name(int square);

// The role that a letter of either case stands for in SAN; "pnbrqk".
constexpr std::optional<Role> role_of_letter(char letter) {
    switch (letter) {
    case 'P':
    case 'p': return Role::pawn;
    case 'N':
    case 'n': return Role::knight;
    case 'B':
    case 'b': return Role::bishop;
    case 'R':
    case 'r': return Role::rook;
    case 'Q':
    case 'q': return Role::queen;
    case 'K':
    case 'k': return Role::king;
    default: return std::nullopt;
    }
}
// Lower case.
constexpr char letter_of_role(Role role) {
    return "pnbrqk"[static_cast<int>(role)];
}

// How characters of UTF-8 stand for the ASCII that chess is written in.

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

// Characters without width: zero-width spaces and joiners, marks of direction, byte order marks.
bool is_invisible(unsigned code);
bool has_other_than_ascii(std::string_view text);
// With typographic characters as ASCII: blanks of all widths, dashes, figurines of both colours,
// signs for capture and check; invisible ones are left out, all others stay. Any encoding.
std::string in_ascii(std::string_view text);

} // namespace adjourn::chess::detail
