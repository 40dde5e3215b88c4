#include "pgn_text.hpp"

#include "chess/pgn.hpp"

#include "base/text.hpp"
#include "text.hpp"
#include "utf8.hpp"

#include <algorithm>
#include <array>

namespace adjourn::chess::detail {

namespace {

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

PossibleRights with_possible_rights(std::string_view fen) {
    // The third field.
    std::size_t first = skip_blanks(fen, 0);
    for (int field = 0; field < 2; ++field) {
        while (first < fen.size() && !is_blank(fen[first])) {
            ++first;
        }
        first = skip_blanks(fen, first);
    }
    std::size_t last = first;
    while (last < fen.size() && !is_blank(fen[last])) {
        ++last;
    }
    const auto with = [&](std::string_view rights) {
        std::string text{fen.substr(0, first)};
        text += rights.empty() ? "-" : rights;
        text += fen.substr(last);
        return text;
    };
    std::string kept;
    std::string dropped;
    for (const char right : fen.substr(first, last - first)) {
        // One at a time: another field's fault is not theirs.
        const auto alone = Position::from_fen(with({&right, 1}));
        const bool impossible = !alone && alone.error().field == "castling" &&
                                std::string_view{"KQkqABCDEFGHabcdefgh"}.contains(right);
        (impossible ? dropped : kept) += right;
    }
    return {with(kept), dropped};
}

bool is_chess(std::string_view variant) {
    static constexpr std::array<std::string_view, 32> names{"",
                                                            "standard",
                                                            "normal",
                                                            "chess",
                                                            "regular",
                                                            "orthodox",
                                                            "classical",
                                                            "classic",
                                                            "standardchess",
                                                            "normalchess",
                                                            "regularchess",
                                                            "orthodoxchess",
                                                            "classicalchess",
                                                            "fromposition",
                                                            "setup",
                                                            "fide",
                                                            "international",
                                                            "960",
                                                            "chess960",
                                                            "frc",
                                                            "fischerandom",
                                                            "fischerrandom",
                                                            "fischerandomchess",
                                                            "fischerrandomchess",
                                                            "fischerandomchess960",
                                                            "dfrc",
                                                            "doublefischerrandom",
                                                            "doublefischerrandomchess",
                                                            "chess9lx",
                                                            "freestyle",
                                                            "freestylechess",
                                                            "wildfr"};
    std::string bare = base::lower_case(variant);
    std::erase_if(bare, [](char c) { return !is_letter(c) && !is_digit(c) && c != '+'; });
    // A name of other letters is no name that we know.
    const bool plain = std::ranges::all_of(variant, [](char c) { return c > 0 && c < 0x7f; });
    return plain && std::ranges::find(names, bare) != names.end();
}

} // namespace adjourn::chess::detail

namespace adjourn::chess {

std::string to_utf8(std::string_view text) {
    std::string converted;
    return std::string{detail::as_utf8(text, converted)};
}

} // namespace adjourn::chess
