#include "chess/pgn_text.hpp"

#include "base/text.hpp"
#include "chess/pgn.hpp"

#include <algorithm>

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

std::string with_field(std::string_view fen, int number, std::string_view value) {
    std::size_t first = skip_blanks(fen, 0);
    const auto end_of_field = [&] {
        const auto blank =
            std::find_if(fen.begin() + static_cast<std::ptrdiff_t>(first), fen.end(), is_blank);
        return static_cast<std::size_t>(blank - fen.begin());
    };
    for (int field = 0; field < number; ++field) {
        first = skip_blanks(fen, end_of_field());
    }
    std::string text{fen.substr(0, first)};
    text += value;
    text += fen.substr(end_of_field());
    return text;
}

std::string field_of(std::string_view fen, int number) {
    base::Words words{fen};
    for (int field = 0; field < number; ++field) {
        words.next();
    }
    return std::string{words.next()};
}

std::string with_possible_rights(std::string_view fen, std::string& dropped) {
    constexpr int castling = 2;
    std::string kept;
    for (const char right : field_of(fen, castling)) {
        // One at a time: another field's fault is not theirs.
        const auto alone = Position::from_fen(with_field(fen, castling, {&right, 1}));
        const bool impossible = !alone && alone.error().field == "castling" &&
                                std::string_view{"KQkqABCDEFGHabcdefgh"}.contains(right);
        (impossible ? dropped : kept) += right;
    }
    return with_field(fen, castling, kept.empty() ? "-" : kept);
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

std::string escaped_tag_value(std::string_view value) {
    std::string text;
    for (const char c : value) {
        text += c == '"' || c == '\\' ? "\\" : "";
        text += c;
    }
    return text;
}

bool is_regular(std::string_view characters, const TagPair& pair) {
    const std::size_t first = characters.find('"');
    const std::size_t last = characters.rfind('"');
    return last > first && characters.ends_with(']') &&
           characters.substr(first + 1, last - first - 1) == escaped_tag_value(pair.value) &&
           trimmed(characters.substr(last + 1)) == "]";
}

PossibleFen possible_fen(std::string_view fen) {
    PossibleFen possible{std::string{fen}, {}};
    // Each turn mends a field for good.
    for (auto position = Position::from_fen(possible.fen); !position;
         position = Position::from_fen(possible.fen)) {
        const FenError& error = position.error();
        const std::string why = error.field + ": " + error.message;
        std::string mended;
        if (error.field == "castling") {
            std::string dropped;
            mended = with_possible_rights(possible.fen, dropped);
            possible.mended.push_back("castling right " + quoted(dropped) +
                                      " dropped: king or rook is not there");
        } else if (error.field == "en_passant") {
            mended = with_field(possible.fen, 3, "-");
            possible.mended.push_back(why + "; read as -");
        } else if (error.field == "halfmove" || error.field == "fullmove") {
            const bool halfmove = error.field == "halfmove";
            mended = with_field(possible.fen, halfmove ? 4 : 5, halfmove ? "0" : "1");
            possible.mended.push_back(why + (halfmove ? "; read as 0" : "; read as 1"));
        }
        if (mended.empty() || mended == possible.fen) {
            return {std::string{fen}, {}};
        }
        possible.fen = std::move(mended);
    }
    return possible;
}

bool says_nothing(std::string_view fen) {
    const std::string text = base::lower_case(trimmed(fen));
    return text.empty() || text == "?" || text == "-" || text == "*" || text == "startpos";
}

bool is_chess(std::string_view variant) {
    // Each between blanks.
    static constexpr std::string_view names =
        " standard normal chess regular orthodox classical classic standardchess normalchess "
        "regularchess orthodoxchess classicalchess fromposition setup fide international 960 "
        "chess960 frc fischerandom fischerrandom fischerandomchess fischerrandomchess "
        "fischerandomchess960 dfrc doublefischerrandom doublefischerrandomchess chess9lx "
        "freestyle freestylechess wildfr ";
    std::string bare = base::lower_case(variant);
    std::erase_if(bare, [](char c) { return !is_letter(c) && !is_digit(c) && c != '+'; });
    // A name of other letters is no name that we know.
    const bool plain = std::ranges::all_of(variant, [](char c) { return c > 0 && c < 0x7f; });
    return plain && (bare.empty() || names.contains(' ' + bare + ' '));
}

} // namespace adjourn::chess::detail
