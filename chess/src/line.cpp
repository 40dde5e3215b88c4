// Whole lines of moves.
#include "move_text.hpp"
#include "text.hpp"

#include "chess/notation.hpp"

#include <algorithm>

namespace adjourn::chess {

using namespace detail;

namespace {

bool is_separator(char c) {
    return is_blank(c) || c == ',' || c == ';';
}

// Said about the move before.
bool is_annotation(std::string_view word) {
    return word.front() == '$' ? std::all_of(word.begin() + 1, word.end(), is_digit)
                               : glyph(word).has_value();
}

} // namespace

std::expected<std::vector<Move>, LineError> parse_line(const Position& start,
                                                       std::string_view text) {
    std::vector<Move> moves;
    Position position = start;
    bool ended = false;
    std::size_t at = 0;
    while (at < text.size()) {
        if (is_separator(text[at])) {
            ++at;
            continue;
        }
        const std::size_t begin = at;
        while (at < text.size() && !is_separator(text[at])) {
            ++at;
        }
        const std::string_view whole = text.substr(begin, at - begin);
        if (result_of(whole)) {
            ended = true;
            continue;
        }
        const std::string_view token = without_move_number(whole);
        if (token.empty() || (!moves.empty() && is_annotation(token))) {
            continue;
        }
        if (ended) {
            return std::unexpected(LineError{
                moves.size(), {MoveErrorKind::syntax, quoted(token) + " after the result"}});
        }
        auto move = parse_move(position, token);
        if (!move) {
            return std::unexpected(LineError{moves.size(), std::move(move.error())});
        }
        position.play(*move);
        moves.push_back(*move);
    }
    return moves;
}

std::string to_san_line(const Position& start, const std::vector<Move>& moves) {
    std::string text;
    Position position = start;
    for (const Move move : moves) {
        if (!text.empty()) {
            text += ' ';
        }
        if (position.turn() == Color::white) {
            text += std::to_string(position.fullmove_number()) + ". ";
        } else if (text.empty()) {
            text += std::to_string(position.fullmove_number()) + "... ";
        }
        text += to_san(position, move);
        position.play(move);
    }
    return text;
}

} // namespace adjourn::chess
