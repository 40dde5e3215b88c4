// Comments and escape lines of a PGN file.
#include "pgn_reader_impl.hpp"
#include "text.hpp"

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

std::string PgnReader::Impl::trouble_of(CommentEnd end) const {
    return end == CommentEnd::too_long ? base::longer_than_allowed("the comment", comment_column_)
                                       : "a comment is not closed";
}

// Up to the closing brace. One that was forgotten must not swallow the games that follow.
PgnReader::Impl::CommentEnd PgnReader::Impl::collect_brace_comment() {
    begin_comment();
    std::size_t inner = 0; // braces that were opened in it
    for (int c = source_.peek(); c != '}' || (inner > 0 && closes_again()); c = source_.peek()) {
        const bool new_game = c == '[' && source_.at_first_column() &&
                              source_.line() > comment_line_ &&
                              source_.look_ahead(8) == "[Event \"";
        if (c < 0 || new_game) {
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
        fail(trouble_of(end), comment_line_, end == CommentEnd::missing ? comment_column_ : 0);
    } else if (keep_comment(end, kind)) {
        visitor_->comment(base::as_utf8(comment_, converted_));
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
    if (all_ == nullptr) {
        skip_line();
        return;
    }
    const CommentEnd end = collect_line_comment();
    if (end == CommentEnd::closed) {
        keep_comment(end, PgnTextKind::escape);
    } else {
        tell_left_out(comment_place(), trouble_of(end));
    }
}

} // namespace adjourn::chess
