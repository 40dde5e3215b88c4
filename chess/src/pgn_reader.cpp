// Games in a file: where they begin, their tags, their start position.
#include "pgn_reader_impl.hpp"
#include "pgn_text.hpp"
#include "text.hpp"

#include <algorithm>

namespace adjourn::chess {

using namespace detail;

namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

} // namespace

// To the first character of a game: a tag or movetext. Comments before tags belong to nothing.
bool PgnReader::Impl::find_game() {
    comment_waits_ = false;
    for (int c = source_.peek(); c >= 0; c = source_.peek()) {
        if (c == '[') {
            if (at_tag()) {
                comment_waits_ = false;
                return true;
            }
            skip_brackets(']');
        } else if (c == '%' && source_.at_line_start()) {
            skip_line();
        } else if (c == ';') {
            skip_line();
        } else if (c == '{') {
            comment_waits_ = collect_brace_comment();
        } else if (c == 0xef && source_.look_ahead(3) == byte_order_mark) {
            source_.advance(3);
        } else if (c == '*' && game_ > 0) {
            source_.advance(); // a result said twice
        } else if (c == '(' || c == '*' || c == '$' || !ends_word(c)) {
            return true;
        } else {
            source_.advance();
        }
    }
    return false;
}

bool PgnReader::Impl::at_tag() {
    const auto tag = read_tag(source_.rest_of_line());
    return tag && tag->name.front() != '%';
}

void PgnReader::Impl::read_tags() {
    tags_.clear();
    tag_lines_.clear();
    bool blank_line = false;
    std::size_t last_line = source_.line();
    for (int c = source_.peek(); c >= 0; c = source_.peek()) {
        if (is_blank(static_cast<char>(c))) {
            source_.advance();
        } else if (c == '%' && source_.at_line_start()) {
            skip_line();
        } else if (c == '[') {
            blank_line = blank_line || source_.line() > last_line + 1;
            const auto pair = read_tag(source_.rest_of_line());
            if (!pair) {
                skip_brackets(']');
                continue;
            }
            const bool known = std::any_of(tags_.begin(), tags_.end(), [&](const PgnTag& tag) {
                return tag.name == pair->name;
            });
            if (known && (blank_line || pair->name == "Event")) {
                return; // the next game's; this one has no moves
            }
            source_.advance(pair->length);
            last_line = source_.line();
            tag_lines_.push_back(last_line);
            tags_.push_back({std::string{as_utf8(pair->name, converted_)},
                             std::string{as_utf8(pair->value, converted_)}});
            visitor_->tag(tags_.back().name, tags_.back().value);
        } else {
            return;
        }
    }
}

void PgnReader::Impl::begin_moves() {
    lines_.clear();
    result_.clear();
    ended_ = false;
    words_ = 0;
    lines_.push_back({Position::initial(), Position::initial()});
    for (std::size_t i = 0; i < tags_.size(); ++i) {
        const PgnTag& tag = tags_[i];
        const std::string name = lower_case(tag.name);
        if (name == "variant" && is_other_variant(tag.value)) {
            fail("the variant " + quoted(tag.value) + " is not chess", tag_lines_[i]);
            return;
        }
        if (name == "fen") {
            const auto start = Position::from_fen(tag.value);
            if (!start) {
                fail("FEN tag: " + start.error().field + ": " + start.error().message,
                     tag_lines_[i]);
                return;
            }
            line().current = *start;
        }
    }
    line().silent = !visitor_->begin_moves(line().current);
    if (comment_waits_ && !line().silent) {
        visitor_->comment(as_utf8(comment_, converted_));
    }
    comment_waits_ = false;
}

void PgnReader::Impl::fail(std::string message, std::size_t line_number) {
    line().silent = true;
    visitor_->error({game_, line_number, std::move(message)});
}

void PgnReader::Impl::skip_line() {
    for (int c = source_.peek(); c >= 0 && c != '\n' && c != '\r'; c = source_.peek()) {
        source_.advance();
    }
}

// "[...]" where no tag can be, or the like; at most to the end of the line.
void PgnReader::Impl::skip_brackets(char closing) {
    for (int c = source_.peek(); c >= 0 && c != '\n' && c != '\r'; c = source_.peek()) {
        source_.advance();
        if (c == closing) {
            return;
        }
    }
}

PgnReader::PgnReader(std::string_view text) : impl_{std::make_unique<Impl>(text)} {}
PgnReader::PgnReader(std::istream& in) : impl_{std::make_unique<Impl>(in)} {}
PgnReader::~PgnReader() = default;
PgnReader::PgnReader(PgnReader&&) noexcept = default;
PgnReader& PgnReader::operator=(PgnReader&&) noexcept = default;

bool PgnReader::read_game(PgnVisitor& visitor) {
    return impl_->read_game(visitor);
}

} // namespace adjourn::chess
