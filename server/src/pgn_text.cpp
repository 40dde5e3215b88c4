#include "pgn_text.hpp"

#include <utility>

namespace adjourn::server {

namespace {

constexpr std::size_t most_columns = 80;

} // namespace

void PgnText::tag(std::string_view name, std::string_view value) {
    text_ += '[';
    text_ += name;
    text_ += " \"";
    for (const char c : value) {
        if (c == '"' || c == '\\') {
            text_ += '\\';
        }
        text_ += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    text_ += "\"]\n";
}

void PgnText::put(std::string_view text) {
    if (in_tags_) {
        text_ += '\n';
        in_tags_ = false;
    }
    if (column_ != 0 && column_ + 1 + text.size() > most_columns) {
        text_ += '\n';
        column_ = 0;
    }
    if (column_ != 0) {
        text_ += ' ';
        ++column_;
    }
    text_ += text;
    column_ += text.size();
}

void PgnText::word(std::string_view text) {
    put(std::exchange(glued_, "") + std::string{text});
}

void PgnText::comment(std::string_view text) {
    std::string next = "{";
    for (const char c : text) {
        if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
            if (!next.empty() && next != "{") {
                word(next);
                next.clear();
            }
        } else {
            next += c == '}' ? ')' : c;
        }
    }
    word(next + "}");
}

void PgnText::close_variation() {
    text_ += ')';
    ++column_;
}

std::string PgnText::finish(std::string_view result) && {
    word(result);
    return std::move(text_) + "\n";
}

} // namespace adjourn::server
