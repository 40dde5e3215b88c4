// Whole lines of moves.
#include "move_text.hpp"
#include "piece_letters.hpp"
#include "text.hpp"

#include "chess/notation.hpp"

#include <algorithm>

namespace adjourn::chess {

using namespace detail;

namespace {

bool is_separator(char c) {
    return is_blank(c) || c == ',' || c == ';';
}

// A word that annotates the move before it: "$1", "!?".
bool is_annotation(std::string_view word) {
    return word.front() == '$' ? std::all_of(word.begin() + 1, word.end(), is_digit)
                               : glyph(word).has_value();
}

// Words of a line, one by one.
struct LineReader {
    Position position;
    std::vector<Move> moves{};
    bool ended = false;

    // Nothing if the word is taken.
    std::optional<MoveError> take(std::string_view whole, bool mend = true) {
        if (result_of(whole)) {
            ended = true;
            return std::nullopt;
        }
        const std::string_view token = without_move_number(whole);
        if (token.empty() || (!moves.empty() && is_annotation(token))) {
            return std::nullopt;
        }
        if (ended) {
            const std::string message = quoted(token) + " after the result";
            return MoveError{MoveErrorKind::syntax, message, message};
        }
        if (moves.size() == most_line_moves) {
            const std::string message =
                "there are more than " + std::to_string(most_line_moves) + " moves";
            return MoveError{MoveErrorKind::illegal, message, message};
        }
        auto move = parse_move(position, token);
        if (move) {
            position.play(*move);
            moves.push_back(*move);
            return std::nullopt;
        }
        if (!mend || move.error().kind != MoveErrorKind::syntax) {
            return std::move(move.error());
        }
        for (const std::string& word : mended(whole)) {
            if (word == whole) {
                return std::move(move.error());
            }
            if (auto error = take(word, false)) {
                return error;
            }
        }
        return std::nullopt;
    }
};

std::expected<std::vector<Move>, LineError> parse_english(const Position& start,
                                                          std::string_view text) {
    LineReader line{start};
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
        if (auto error = line.take(text.substr(begin, at - begin))) {
            const std::size_t index = line.moves.size();
            if (index == most_line_moves) {
                line.moves.clear(); // nobody reads them all
            }
            return std::unexpected(LineError{index, std::move(*error), std::move(line.moves)});
        }
    }
    return std::move(line.moves);
}

} // namespace

std::expected<std::vector<Move>, LineError> parse_line(const Position& start,
                                                       std::string_view text) {
    auto line = parse_english(start, text);
    if (line) {
        return line;
    }
    std::optional<std::vector<Move>> meant;
    for (const std::string& english : from_other_letters(text)) {
        auto read = parse_english(start, english);
        if (!read || (meant && *meant == *read)) {
            continue;
        }
        if (meant) {
            return line; // two languages say different things
        }
        meant = std::move(*read);
    }
    return meant ? std::move(*meant) : std::move(line);
}

std::string to_text(const Position& start, const LineError& error) {
    const std::size_t ply = error.index + (start.turn() == Color::black ? 1 : 0);
    const std::size_t number = static_cast<std::size_t>(start.fullmove_number()) + ply / 2;
    const std::string what =
        "move " + std::to_string(number) + (ply % 2 == 0 ? ". " : "... ") + error.error.brief;
    return error.before.empty() ? what
                                : what + "; legal before it: " + to_san_line(start, error.before);
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
