// Movetext: moves, comments, NAGs, variations, the result.
#include "chess/move_text.hpp"
#include "chess/pgn_reader_impl.hpp"
#include "chess/pgn_text.hpp"
#include "chess/text.hpp"

#include "chess/game_tree.hpp"

#include <algorithm>
#include <string>

namespace adjourn::chess {

using namespace detail;

namespace {

// Null where the side to move is in check.
std::optional<Position> after_null_move(const Position& position) {
    Setup setup = position.setup();
    setup.turn = !setup.turn;
    setup.en_passant.reset();
    setup.halfmove_clock = std::min(setup.halfmove_clock + 1, Position::max_clock);
    if (setup.turn == Color::white) {
        setup.fullmove_number = std::min(setup.fullmove_number + 1, Position::max_clock);
    }
    const auto result = Position::from_setup(setup);
    return result ? std::optional{*result} : std::nullopt;
}

} // namespace

// "1." after a blank line, when this game is past its first move: the one before has no result and
// this one no tags.
bool PgnReader::Impl::at_first_move() {
    const std::string_view next = source_.look_ahead(3);
    const bool begun = line().silent || line().current.fullmove_number() > 1;
    return words_ > 0 && lines_.size() == 1 && source_.after_blank_line() && begun &&
           next.starts_with("1.") && next != "1..";
}

void PgnReader::Impl::read_moves() {
    while (!ended_) {
        const int c = source_.peek();
        if (c < 0) {
            break;
        }
        if (source_.at_line_start() && ((c == '[' && at_tag()) || (c == '1' && at_first_move()))) {
            break; // the next game
        }
        symbol_ = source_.offset();
        if (!read_symbol(c) && !read_plain_word()) {
            read_word();
        }
    }
    close_all();
}

// What a pawn becomes, apart from its move: "(Q)" behind "a8", which is no variation, " =Q", "= Q".
// No such move is one without it.
void PgnReader::Impl::take_promotion() {
    std::string_view move = word_;
    bool sign = move.ends_with('=');
    move.remove_suffix(sign ? 1 : 0);
    if (move.empty() || (move.back() != '1' && move.back() != '8')) {
        return;
    }
    move = without_move_number(move);
    if (move.empty() || move.front() < 'a' || move.front() > 'h') {
        return;
    }
    constexpr std::size_t longest = 8;
    const std::string_view next = source_.look_ahead(longest);
    std::size_t at = 0;
    const auto get = [&](std::size_t i) { return i < next.size() ? next[i] : ' '; };
    const auto skip_blanks = [&] { at = std::min(next.find_first_not_of(' ', at), next.size()); };
    skip_blanks();
    if (!sign && get(at) == '=') {
        sign = true;
        ++at;
        skip_blanks();
    }
    const bool parentheses = get(at) == '(';
    at += parentheses ? 1 : 0;
    const char piece = get(at);
    ++at;
    const char behind = get(at);
    const bool whole = parentheses ? behind == ')'
                                   : sign && (ends_word(static_cast<unsigned char>(behind)) ||
                                              std::string_view{"+#!?.,"}.contains(behind));
    if (whole && std::string_view{"QRBN"}.contains(piece)) {
        source_.advance(at + (parentheses ? 1 : 0));
        word_ += word_.ends_with('=') ? "" : "=";
        word_ += piece;
        collect_word();
    }
}

// One symbol that is no word.
bool PgnReader::Impl::read_symbol(int c) {
    if (c <= ' ') {
        source_.advance();
        return true;
    }
    switch (c) {
    case '>':
    case '"':
    case ']':
    case '}': skip_stray(); return true;
    case '{': take_comment(collect_brace_comment(), PgnTextKind::comment); return true;
    case ';': take_comment(collect_line_comment(), PgnTextKind::line_comment); return true;
    case '(': open_variation(); return true;
    case ')': close_variation(); return true;
    case '[': skip_brackets(']', !line().silent); return true;
    case '<': skip_brackets('>', !line().silent); return true; // reserved by the standard
    case '$': read_nag(); return true;
    case '*':
        word_column_ = source_.column();
        source_.advance();
        take_word("*");
        return true;
    case '%':
        if (source_.at_line_start()) {
            line().silent ? skip_line() : skip_escape();
            return true;
        }
        return false;
    default: return false;
    }
}

bool PgnReader::Impl::collect_word() {
    return source_.take_until([](int c) { return ends_word(c); }, word_);
}

// Nearly every word, "12." and "Nf3": for each other one read_word() looks at all that it may be.
bool PgnReader::Impl::read_plain_word() {
    const std::string_view word = source_.short_word([](int c) { return ends_word(c); });
    if (word.empty()) {
        return false;
    }
    const char first = word.front(), last = word.back();
    if (is_digit(first) && last == '.') {
        const std::size_t digits = std::min(word.find('.'), word.size());
        if (!std::ranges::all_of(word.substr(0, digits), is_digit) ||
            word.find_first_not_of('.', digits) != word.npos) {
            return false;
        }
        source_.skip_short_word(word.size());
        source_.skip_blank();
        ++words_;
        return true;
    }
    Line& at = line();
    if (!is_letter(first) || !is_rank(last) || at.silent || at.plies == most_plies) {
        return false;
    }
    const auto move = parse_move(at.current, word);
    if (!move) { // also of a pawn that becomes what stands behind it
        return false;
    }
    word_column_ = source_.column();
    source_.skip_short_word(word.size());
    ++words_;
    play(at, *move);
    count_ply(at);
    source_.skip_blank();
    return true;
}

void PgnReader::Impl::read_word() {
    word_column_ = source_.column();
    word_.clear();
    if (!collect_word()) {
        ++words_;
        if (!line().silent) {
            fail(base::longer_than_allowed("the word", word_column_));
        }
        return;
    }
    take_promotion();
    take_word(word_);
}

bool PgnReader::Impl::take_result(std::string_view word) {
    const auto result = result_of(word);
    if (result && lines_.size() == 1) {
        result_ = *result;
        ended_ = true;
    } else if (result) {
        tell_left_out(word); // in a variation it says nothing
    }
    return result.has_value();
}

void PgnReader::Impl::take_word(std::string_view word, bool mend) {
    ++words_;
    if (take_result(word)) {
        return;
    }
    if (line().silent) {
        if (has_other_than_ascii(word)) {
            take_result(in_ascii(word)); // it ends the game however it is written
        }
        return;
    }
    if (!is_null_move(word)) {
        word = without_move_number(word);
        if (word.empty()) {
            return;
        }
        if (const auto nag = glyph(word)) {
            if (*nag != 0) {
                tell_sign(*nag, word);
            } else {
                tell_left_out(word); // "e.p." and the like, which the move says
            }
            return;
        }
    }
    take_move(word, mend);
}

// A word that is no move as it stands; `message` says so.
void PgnReader::Impl::take_mended(std::string_view word, std::string message) {
    const std::vector<std::string> parts = mended(word);
    if (parts.size() == 1 && parts.front() == word) {
        if (!is_symbol(word)) { // a sign of somebody's own
            fail(std::move(message), word_column_);
        } else {
            tell_left_out(word);
        }
        return;
    }
    tell_mended(word, parts);
    unmended_ = parts.size() == 1 ? std::move(message) : "";
    for (const std::string& part : parts) {
        take_word(part, false);
    }
}

void PgnReader::Impl::take_move(std::string_view word, bool mend) {
    const std::string_view whole = word;
    const std::size_t end = word.find_last_not_of("!?") + 1;
    const std::string_view marks = word.substr(end);
    word = word.substr(0, end);
    Line& at = line();
    if (at.plies == most_plies) {
        fail("column " + std::to_string(word_column_) + ": a line of more than " +
             std::to_string(most_plies) + " plies");
        return;
    }
    if (is_null_move(word)) {
        if (all_) {
            refuse_null_move(word);
            return;
        }
        const auto passed = after_null_move(at.current);
        if (!passed) {
            fail("a null move in check: " + quoted(at.current.fen()), word_column_);
            return;
        }
        at.before = at.current;
        at.current = *passed;
        visitor_->null_move(at.before);
    } else {
        auto move = parse_move(at.current, word);
        if (!move) {
            if (mend && move.error().kind == MoveErrorKind::syntax) {
                take_mended(whole, std::move(move.error().message));
            } else if (is_symbol(word)) {
                tell_left_out(word);
            } else if (!mend && !unmended_.empty() && move.error().kind == MoveErrorKind::syntax) {
                fail(unmended_, word_column_);
            } else {
                fail(std::move(move.error().message), word_column_);
            }
            return;
        }
        play(at, *move);
    }
    count_ply(at);
    if (at.silent || marks.empty()) {
        return;
    }
    if (const auto nag = glyph(marks)) {
        tell_sign(*nag, marks);
    } else {
        tell_left_out(marks);
    }
}

void PgnReader::Impl::play(Line& at, Move move) {
    at.before = at.current;
    at.current.play(move);
    visitor_->move(at.before, move);
}

void PgnReader::Impl::count_ply(Line& at) {
    at.has_moves = true;
    ++at.plies;
    at.silent = visitor_->had_enough();
}

void PgnReader::Impl::read_nag() {
    word_column_ = source_.column();
    source_.advance();
    int nag = 0;
    bool digits = false;
    for (int c = source_.peek(); c >= '0' && c <= '9'; c = source_.peek()) {
        nag = std::min(nag * 10 + (c - '0'), 1000);
        digits = true;
        source_.advance();
    }
    if (digits && nag <= 255 && !line().silent) {
        visitor_->nag(nag);
    } else {
        tell_left_out(digits ? "$" + std::to_string(nag) : "$");
    }
}

void PgnReader::Impl::open_variation() {
    const PgnPlace at = here();
    source_.advance();
    if (lines_.size() > most_nested) {
        ++too_deep_;
        if (!line().silent) {
            fail("variations nested more than " + std::to_string(most_nested) + " deep", at.column);
        }
        return;
    }
    Line& parent = line();
    if (parent.silent) {
        lines_.push_back({parent.before, parent.before, false, true, false});
        return;
    }
    if (!parent.has_moves) {
        const Position start = parent.current;
        visitor_->error({game_, source_.line(), "a variation before any move", at.column});
        lines_.push_back({start, start, false, true, false});
        return;
    }
    const Position start = parent.before;
    lines_.push_back({start, start, false, false, true, parent.plies, at});
    visitor_->begin_variation();
    line().silent = visitor_->had_enough();
}

void PgnReader::Impl::close_variation() {
    if (too_deep_ == 0 && lines_.size() == 1) {
        skip_stray();
        return;
    }
    source_.advance();
    if (too_deep_ > 0) {
        --too_deep_;
        return;
    }
    close_variations(lines_.size() - 1);
}

void PgnReader::Impl::close_variations(std::size_t left) {
    while (lines_.size() > left) {
        const bool told = line().told;
        lines_.pop_back();
        if (told) {
            visitor_->end_variation();
        }
    }
}

// At the end of the game. What follows a variation that is not closed is missing in the main line.
void PgnReader::Impl::close_all() {
    const bool open = lines_.size() > 1 && !line().silent;
    const PgnPlace at = line().opened;
    close_variations();
    if (open) {
        fail("a variation is not closed", at.line, at.column);
    }
}

} // namespace adjourn::chess
