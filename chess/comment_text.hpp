// What of a text can stand in a comment.
#pragma once

#include <string>
#include <string_view>

namespace adjourn::chess::detail {

constexpr bool is_control(char c) {
    return static_cast<unsigned char>(c) < ' ' || c == 0x7f;
}

struct CommentText {
    std::string text;
    bool changed = false; // other characters than blanks and line ends are others now
};

// UTF-8 as PgnComment and PgnLineComment have it. Twice is as once.
CommentText comment_text(std::string_view text);
CommentText line_comment_text(std::string_view text);

} // namespace adjourn::chess::detail
