// Words of movetext, as lines and PGN files have them.
#pragma once

#include "chess/notation.hpp"
#include "chess/text.hpp"

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::chess::detail {

inline std::unexpected<MoveError> refuse(MoveErrorKind kind, const std::string& message) {
    return std::unexpected(MoveError{kind, message, message});
}

inline std::unexpected<MoveError> refuse_illegal(std::string_view text, const Position& position) {
    const std::string brief = quoted(text) + " is illegal";
    return std::unexpected(
        MoveError{MoveErrorKind::illegal, brief + " in " + quoted(position.fen()), brief});
}

// "*", "1-0", "0-1", "1/2-1/2" for the spellings of a result that are about, else nothing.
std::optional<std::string_view> result_of(std::string_view word);

// Without "12.", "12..." or "..." in front; empty if nothing else is there.
std::string_view without_move_number(std::string_view word);

// The NAG for "!", "+-", "±" and the like; 0 ($0 says nothing) for words that only repeat what the
// move does: "e.p.", "+", "mate".
std::optional<int> glyph(std::string_view word);

// Whether a word has neither ASCII's letters and digits nor figurines: it is no move, whatever it
// means.
bool is_symbol(std::string_view word);

// What is left of a word that is no move when typesetting and typing errors are undone, as words to
// be read one by one: typographic characters in ASCII, punctuation behind ("f5.", "Bc1,") dropped,
// a result that is glued on ("Rc10-1") apart, and moves, numbers and signs, too ("Nf32.d4",
// "Qf7+-"). The word itself where there is nothing to undo.
std::vector<std::string> mended(std::string_view word);

bool is_null_move(std::string_view word);

// SAN or UCI, also with the marks of long notation ("e1-g1", "d2xe3+").
std::expected<Move, MoveError> parse_move(const Position& position, std::string_view word);

// Piece letters of other languages than English.

// The movetext as it reads where its letters are those of one of the languages that chess is
// written in: with English letters, one text for each set of letters that says something else.
// Empty where no letter stands at the place of a piece that no English piece has: then it is
// English.
std::vector<std::string> from_other_letters(std::string_view movetext);

} // namespace adjourn::chess::detail
