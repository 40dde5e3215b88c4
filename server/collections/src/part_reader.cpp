#include "part_reader.hpp"

#include <string_view>
#include <utility>

namespace adjourn::collections {

namespace {

// Where the last game of the text begins that another one stands before; 0 if there is none. Where
// "Event" is not the first tag of a game, a tag stands before it.
std::size_t last_game_of(std::string_view text) {
    constexpr std::string_view first_tag = "\n[Event \"";
    std::size_t at = text.size();
    while (at > 0) {
        at = text.rfind(first_tag, at - 1);
        if (at == std::string_view::npos || at == 0) {
            return 0;
        }
        const std::size_t before = text.find_last_not_of(" \t\r\n", at);
        if (before != std::string_view::npos && text[before] != ']') {
            return at + 1;
        }
    }
    return 0;
}

} // namespace

// False at the end of the stream.
bool PgnParts::fill() {
    const std::size_t before = text_.size();
    text_.resize(before + size_);
    in_.read(text_.data() + before, static_cast<std::streamsize>(size_));
    text_.resize(before + static_cast<std::size_t>(in_.gcount()));
    return static_cast<bool>(in_);
}

std::optional<std::string> PgnParts::next() {
    while (!ended_) {
        ended_ = !fill();
        if (ended_) {
            break;
        }
        if (const std::size_t cut = last_game_of(text_); cut > 0) {
            std::string rest = text_.substr(cut);
            text_.resize(cut);
            return std::exchange(text_, std::move(rest));
        }
    }
    if (text_.empty() || in_.bad()) {
        return std::nullopt;
    }
    return std::exchange(text_, {});
}

} // namespace adjourn::collections
