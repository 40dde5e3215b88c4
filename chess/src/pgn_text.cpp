#include "pgn_text.hpp"

#include "chess/pgn.hpp"

#include "text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace adjourn::chess::detail {

namespace {

// Length of the well-formed UTF-8 sequence at `at`, 0 if there is none (RFC 3629).
std::size_t sequence_length(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) {
        return 1;
    }
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || at + length > text.size()) {
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

std::size_t skip_blanks(std::string_view text, std::size_t at) {
    while (at < text.size() && is_blank(text[at])) {
        ++at;
    }
    return at;
}

// Whether the quote at `at` closes the value: a bracket comes next, or nothing.
bool closes(std::string_view line, std::size_t at) {
    const std::size_t next = skip_blanks(line, at + 1);
    return next == line.size() || line[next] == ']';
}

// Whether nothing but the tag's end comes after `at`.
bool is_last_quote(std::string_view line, std::size_t at) {
    std::size_t next = skip_blanks(line, at + 1);
    if (next < line.size() && line[next] == ']') {
        next = skip_blanks(line, next + 1);
    }
    return next == line.size();
}

} // namespace

bool is_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = sequence_length(text, at);
        if (length == 0) {
            return false;
        }
        at += length;
    }
    return true;
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
        append(storage, code);
    }
    return storage;
}

std::optional<TagPair> read_tag(std::string_view line) {
    if (line.empty() || line.front() != '[') {
        return std::nullopt;
    }
    std::size_t at = skip_blanks(line, 1);
    const std::size_t name_start = at;
    while (at < line.size() && !is_blank(line[at]) && line[at] != '"' && line[at] != ']') {
        ++at;
    }
    TagPair pair{std::string{line.substr(name_start, at - name_start)}, {}, 0};
    at = skip_blanks(line, at);
    if (pair.name.empty() || at == line.size() || line[at] != '"') {
        return std::nullopt;
    }
    for (++at; at < line.size(); ++at) {
        const bool escape = line[at] == '\\' && at + 1 < line.size() &&
                            (line[at + 1] == '\\' || line[at + 1] == '"');
        if (escape && !(line[at + 1] == '"' && is_last_quote(line, at + 1))) {
            pair.value += line[++at];
        } else if (line[at] == '"' && closes(line, at)) {
            break;
        } else {
            pair.value += line[at];
        }
    }
    at = skip_blanks(line, std::min(at + 1, line.size()));
    pair.length = at < line.size() && line[at] == ']' ? at + 1 : at;
    return pair;
}

std::string lower_case(std::string_view text) {
    std::string lower{text};
    for (char& c : lower) {
        if (c >= 'A' && c <= 'Z') {
            c = static_cast<char>(c - 'A' + 'a');
        }
    }
    return lower;
}

bool is_other_variant(std::string_view value) {
    static constexpr std::array<std::string_view, 30> names{
        "crazyhouse",  "bughouse",   "antichess",  "giveaway", "give away", "suicide",
        "losers",      "atomic",     "horde",      "king of",  "kingofthe", "koth",
        "three-check", "threecheck", "3check",     "3-check",  "racing",    "duck",
        "fog of",      "sittuyin",   "makruk",     "seirawan", "s-chess",   "schess",
        "placement",   "shogi",      "capablanca", "hoppel",   "cambodian", "janus"};
    const std::string lower = lower_case(value);
    return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
        return lower.find(name) != std::string::npos;
    });
}

} // namespace adjourn::chess::detail

namespace adjourn::chess {

std::string to_utf8(std::string_view text) {
    std::string converted;
    return std::string{detail::as_utf8(text, converted)};
}

} // namespace adjourn::chess
