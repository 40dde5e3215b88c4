// Whole lines of moves.
#include "text.hpp"

#include "chess/notation.hpp"

#include <algorithm>
#include <array>

namespace adjourn::chess {

using namespace detail;

namespace {

bool is_separator(char c) {
    return is_blank(c) || c == ',' || c == ';';
}

bool is_result(std::string_view token) {
    constexpr std::array<std::string_view, 6> results{"*", "1-0", "0-1", "1/2-1/2", "1/2", "½-½"};
    return std::find(results.begin(), results.end(), token) != results.end();
}

// Without "12.", "12..." or "..." in front; empty if nothing else is there.
std::string_view without_number(std::string_view token) {
    std::size_t at = 0;
    while (at < token.size() && is_digit(token[at])) {
        ++at;
    }
    if (at == token.size()) {
        return {};
    }
    const std::size_t digits = at;
    while (at < token.size() && token[at] == '.') {
        ++at;
    }
    return at == digits ? token : token.substr(at);
}

// "!", "?!", "$14", "e.p.", "+": said about the move before.
bool is_annotation(std::string_view token) {
    if (token.front() == '$') {
        return std::all_of(token.begin() + 1, token.end(), is_digit);
    }
    return token == "e.p." || token == "ep" ||
           token.find_first_not_of("!?+#=") == std::string_view::npos;
}

bool looks_like_uci(std::string_view token) {
    return (token.size() == 4 || token.size() == 5) && Square::parse(token.substr(0, 2)) &&
           Square::parse(token.substr(2, 2));
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
        if (is_result(whole)) {
            ended = true;
            continue;
        }
        const std::string_view token = without_number(whole);
        if (token.empty() || (!moves.empty() && is_annotation(token))) {
            continue;
        }
        if (ended) {
            return std::unexpected(LineError{
                moves.size(), {MoveErrorKind::syntax, quoted(token) + " after the result"}});
        }
        auto move = looks_like_uci(token) ? parse_uci(position, token) : parse_san(position, token);
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
