#include "chess/annotated_game.hpp"

#include "comment_text.hpp"

#include "base/utf8.hpp"
#include "text.hpp"

namespace adjourn::chess {

using namespace detail;

bool is_annotation(const GameToken& token) {
    return !std::holds_alternative<Move>(token) && !std::holds_alternative<VariationStart>(token) &&
           !std::holds_alternative<VariationEnd>(token);
}

PgnComment PgnComment::of(std::string_view text) {
    return {comment_text(base::to_utf8(text)).text};
}

namespace detail {

CommentText comment_text(std::string_view text) {
    CommentText made;
    std::size_t blanks = 0;
    std::size_t line_ends = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
            continue;
        }
        if (c == '\n' || c == '\r') {
            ++line_ends;
            continue;
        }
        if (c == ' ' || is_control(c)) {
            made.changed = made.changed || (c != ' ' && c != '\t');
            ++blanks;
            continue;
        }
        if (!made.text.empty() && line_ends > 1) {
            made.text.append(line_ends, '\n');
        } else if (!made.text.empty()) {
            made.text.append(line_ends == 1 ? 1 : blanks, ' ');
        }
        blanks = 0;
        line_ends = 0;
        made.changed = made.changed || c == '{' || c == '}';
        made.text += c == '{' ? '(' : c == '}' ? ')' : c;
    }
    return made;
}

CommentText line_comment_text(std::string_view text) {
    CommentText made{std::string{trimmed(text)}};
    for (char& c : made.text) {
        made.changed = made.changed || (is_control(c) && c != '\t');
        c = is_control(c) ? ' ' : c;
    }
    made.text = std::string{trimmed(made.text)};
    return made;
}

} // namespace detail

} // namespace adjourn::chess
