// Comments and escape lines of a PGN file.
#include "pgn_reader_impl.hpp"
#include "text.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::chess {

using namespace detail;

// Behind a brace in a comment that has one in it: whether the next brace closes, too. Then the
// comment goes on, since nothing else could be closed.
bool PgnReader::Impl::closes_again() {
    constexpr std::size_t longest = 4096;
    const std::string_view next = source_.look_ahead(longest).substr(1);
    const std::size_t brace = next.find_first_of("{}");
    return brace != std::string_view::npos && next[brace] == '}' &&
           next.substr(0, brace).find("\n[") == std::string_view::npos;
}

// In a comment: whether a line begins here that holds tags and nothing else, so that the comment's
// end was forgotten. One blank before the bracket is to_pgn()'s, where a line of a comment begins
// with one.
bool PgnReader::Impl::at_next_tags() {
    if (!source_.at_line_start() || source_.column() == 2) {
        return false;
    }
    std::string_view line = source_.rest_of_line();
    while (line.starts_with('[')) {
        const auto tag = read_tag(line);
        const auto in_a_name = [](char c) { return is_letter(c) || is_digit(c) || c == '_'; };
        if (!tag || !std::ranges::all_of(tag->name, in_a_name) ||
            !is_regular(line.substr(0, tag->length), *tag)) {
            return false;
        }
        line = trimmed(line.substr(tag->length));
    }
    return line.empty();
}

void PgnReader::Impl::begin_comment() {
    comment_line_ = source_.line();
    comment_column_ = source_.column();
    comment_too_long_ = false;
    source_.advance();
    comment_.clear();
}

void PgnReader::Impl::add_to_comment(int c) {
    if (comment_.size() < base::longest_text) {
        comment_ += static_cast<char>(c);
    } else {
        comment_too_long_ = true;
    }
    source_.advance();
}

std::string PgnReader::Impl::trouble_of(CommentEnd end) {
    return end == CommentEnd::too_long ? base::longer_than_allowed("the comment", comment_column_)
           : source_.peek() < 0        ? "a comment is not closed"
                                : "a comment is not closed; it ends before the tags of line " +
                                      std::to_string(source_.line());
}

// Up to the closing brace. One that was forgotten must not swallow the games that follow.
PgnReader::Impl::CommentEnd PgnReader::Impl::collect_brace_comment() {
    begin_comment();
    std::size_t inner = 0; // braces that were opened in it
    for (int c = source_.peek(); c != '}' || (inner > 0 && closes_again()); c = source_.peek()) {
        if (c < 0 || (c == '[' && at_next_tags())) {
            return comment_too_long_ ? CommentEnd::too_long : CommentEnd::missing;
        }
        inner += c == '{' ? 1 : 0;
        inner -= c == '}' ? 1 : 0;
        add_to_comment(c);
    }
    source_.advance();
    return comment_too_long_ ? CommentEnd::too_long : CommentEnd::closed;
}

PgnReader::Impl::CommentEnd PgnReader::Impl::collect_line_comment() {
    begin_comment();
    for (int c = source_.peek(); c >= 0 && c != '\n' && c != '\r'; c = source_.peek()) {
        add_to_comment(c);
    }
    return comment_too_long_ ? CommentEnd::too_long : CommentEnd::closed;
}

void PgnReader::Impl::take_comment(CommentEnd end, PgnTextKind kind) {
    if (line().silent) {
        return;
    }
    if (end != CommentEnd::closed) {
        if (end == CommentEnd::missing) { // nothing more of the game can come
            close_variations();
        }
        fail(trouble_of(end), comment_line_, end == CommentEnd::missing ? comment_column_ : 0);
    } else if (keep_comment(end, kind)) {
        visitor_->comment(base::as_utf8(comment_, converted_));
    }
}

// The comment that waited for moves: it belongs to none.
void PgnReader::Impl::drop_comment() {
    if (std::exchange(comment_waits_, false)) {
        tell_left_out(comment_place(), "a comment before tags or behind a game is left out");
    }
}

// Whether the comment just read is to wait for the moves: who wants everything has it at once.
bool PgnReader::Impl::keep_comment(CommentEnd end, PgnTextKind kind) {
    if (all_ == nullptr || end != CommentEnd::closed) {
        return end == CommentEnd::closed;
    }
    tell_encoding(comment_, comment_place());
    all_->text(kind, base::as_utf8(comment_, converted_), comment_place());
    return false;
}

// "%" in front of a line.
void PgnReader::Impl::skip_escape() {
    const CommentEnd end = collect_line_comment();
    if (all_ == nullptr) {
        tell_left_out(comment_place(), "a line behind % is left out");
    } else if (end == CommentEnd::closed) {
        keep_comment(end, PgnTextKind::escape);
    } else {
        tell_left_out(comment_place(), trouble_of(end));
    }
}

} // namespace adjourn::chess
