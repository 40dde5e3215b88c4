#include "chess/pgn.hpp"

#include "chess/text.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace adjourn::chess {

using namespace detail;

namespace {

constexpr std::string_view first_tag = "\n[Event \"";

std::size_t line_ends(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

std::string_view without_blanks_behind(std::string_view text) {
    return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

// Where the last game of the text begins that another one stands before; 0 if there is none. Where
// "Event" is not the first tag of a game, a tag stands before it.
std::size_t last_game_of(std::string_view text) {
    for (std::size_t at = text.size(); at > 0;) {
        at = text.rfind(first_tag, at - 1);
        if (at == std::string_view::npos || at == 0) {
            return 0;
        }
        const std::string_view before = without_blanks_behind(text.substr(0, at));
        if (!before.empty() && before.back() != ']') {
            return at + 1;
        }
    }
    return 0;
}

// The same for games without that tag: another tag behind movetext, or a first move behind a
// result.
std::size_t last_untitled_game_of(std::string_view text) {
    static constexpr std::array<std::string_view, 4> results{"1-0", "0-1", "1/2-1/2", "*"};
    for (std::size_t at = text.rfind('\n'); at != std::string_view::npos && at > 0;
         at = text.rfind('\n', at - 1)) {
        const std::string_view line = text.substr(at + 1, 2);
        const std::string_view before = without_blanks_behind(text.substr(0, at));
        const bool tag = line.size() == 2 && line[0] == '[' && is_letter(line[1]) &&
                         !before.empty() && before.back() != ']';
        const bool move = line == "1." && std::ranges::any_of(results, [&](auto result) {
                              return before.ends_with(result);
                          });
        if (tag || move) {
            return at + 1;
        }
    }
    return 0;
}

} // namespace

void PgnParts::fill() {
    const std::size_t before = text_.size();
    text_.resize(before + size_);
    in_.read(text_.data() + before, static_cast<std::streamsize>(size_));
    text_.resize(before + static_cast<std::size_t>(in_.gcount()));
    ended_ = !in_;
    // CR alone ends a line, too: below, LF stands for all.
    for (std::size_t at = text_.find('\r', before); at < text_.size();
         at = text_.find('\r', at + 1)) {
        const bool last = at + 1 == text_.size();
        text_[at] = (last ? in_.peek() : text_[at + 1]) == '\n' ? '\r' : '\n';
    }
}

PgnParts::Part PgnParts::take(std::size_t bytes) {
    Part part;
    std::string rest = text_.substr(bytes);
    text_.resize(bytes);
    part.text = std::exchange(text_, std::move(rest));
    part.lines_before = lines_;
    part.lines = line_ends(part.text);
    lines_ += part.lines;
    return part;
}

// Up to where the next game begins, or to the end.
PgnParts::Part PgnParts::leave_out() {
    Part part;
    part.lines_before = lines_;
    const std::string_view text = text_;
    part.left_out =
        lines_ + 1 +
        line_ends(text.substr(0, std::min(text.find_first_not_of(" \t\r\n"), text.size())));
    std::size_t next = text_.find(first_tag, 1);
    while (next == std::string::npos && !ended_) {
        const std::size_t kept = std::min(first_tag.size(), text_.size()); // it may begin there
        lines_ += line_ends(std::string_view{text_}.substr(0, text_.size() - kept));
        text_.erase(0, text_.size() - kept);
        fill();
        next = text_.find(first_tag);
    }
    (void)take(next == std::string::npos ? text_.size() : next + 1);
    part.lines = lines_ - part.lines_before;
    return part;
}

std::optional<PgnParts::Part> PgnParts::next() {
    while (true) {
        if (!ended_ && text_.size() < size_) {
            fill();
        }
        if (in_.bad()) {
            return std::nullopt;
        }
        if (ended_ && text_.size() <= longest_game) {
            return text_.empty() ? std::nullopt : std::optional{take(text_.size())};
        }
        const std::string_view whole = std::string_view{text_}.substr(0, longest_game);
        if (const std::size_t cut = last_game_of(whole); cut > 0) {
            return take(cut);
        }
        if (text_.size() > longest_game) {
            const std::size_t cut = last_untitled_game_of(whole);
            return cut > 0 ? take(cut) : leave_out();
        }
        fill();
    }
}

} // namespace adjourn::chess
