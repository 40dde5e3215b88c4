// Games in a file: where they begin, their tags, their start position.
#include "base/text.hpp"
#include "chess/move_text.hpp"
#include "chess/pgn_reader_impl.hpp"
#include "chess/pgn_text.hpp"
#include "chess/text.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace adjourn::chess::detail {

namespace {

constexpr std::size_t chunk = std::size_t{64} << 10;

} // namespace

bool PgnSource::refill(std::size_t wanted) {
    while (in_ != nullptr && static_cast<std::size_t>(end_ - at_) < wanted) {
        const auto left = static_cast<std::size_t>(end_ - at_);
        if (left > 0) {
            std::memmove(buffer_.data(), at_, left);
        }
        dropped_ = offset();
        buffer_.resize(std::max(buffer_.size(), left + chunk));
        in_->read(buffer_.data() + left, static_cast<std::streamsize>(buffer_.size() - left));
        const auto got = static_cast<std::size_t>(in_->gcount());
        begin_ = at_ = buffer_.data();
        end_ = at_ + left + got;
        if (got == 0) {
            in_ = nullptr;
        }
    }
    return static_cast<std::size_t>(end_ - at_) >= wanted;
}

std::string_view PgnSource::look_ahead(std::size_t count) {
    if (static_cast<std::size_t>(end_ - at_) < count) {
        refill(count);
    }
    return {at_, std::min(count, static_cast<std::size_t>(end_ - at_))};
}

std::string_view PgnSource::rest_of_line() {
    constexpr std::size_t most = base::longest_text + 1;
    // A line may hold any number of tags: no part of it is looked through twice.
    no_end_before_ = std::max(no_end_before_, offset());
    for (std::size_t window = 256;; window = std::min(4 * window, most)) {
        const std::string_view text = look_ahead(window);
        const std::size_t known = std::min(no_end_before_ - offset(), text.size());
        const std::size_t end = std::min(text.find_first_of("\r\n", known), text.size());
        no_end_before_ = std::max(no_end_before_, offset() + end);
        if (end < text.size() || text.size() < window || window == most) {
            return text.substr(0, end);
        }
    }
}

} // namespace adjourn::chess::detail

namespace adjourn::chess {

using namespace detail;

namespace {

constexpr std::size_t most_tags = 1'000; // of a game

} // namespace

// To the first character of a game: a tag or movetext. Comments before tags belong to nothing.
bool PgnReader::Impl::find_game() {
    comment_waits_ = false;
    for (int c = source_.peek(); c >= 0; c = source_.peek()) {
        symbol_ = source_.offset();
        if (game_ == 0 && source_.line() == 1 && source_.at_first_column() && is_utf16()) {
            return true;
        }
        if (c == '[') {
            if (at_tag()) {
                drop_comment();
                return true;
            }
            skip_brackets(']', true);
        } else if (c == '%' && source_.at_line_start()) {
            skip_escape();
        } else if (c == ';' || c == '{') {
            drop_comment();
            const PgnTextKind kind = c == ';' ? PgnTextKind::line_comment : PgnTextKind::comment;
            const CommentEnd end = c == ';' ? collect_line_comment() : collect_brace_comment();
            comment_waits_ = keep_comment(end, kind);
            if (comment_too_long_) {
                refuse_head(trouble_of(CommentEnd::too_long), {comment_line_, 0});
                return true;
            }
            if (end == CommentEnd::missing) {
                tell_left_out(comment_place(), trouble_of(end));
            }
        } else if (c == 0xef && source_.look_ahead(3) == byte_order_mark) {
            source_.advance(3);
        } else if (game_ == 0 && (c == '(' || c == '*' || c == '$')) {
            return true;
        } else if (c <= ' ') {
            source_.advance();
        } else if (!ends_word(c) && begins_game()) {
            return true;
        } else { // a result said twice among them
            skip_remark();
        }
    }
    drop_comment();
    return false;
}

// Whether the word that comes is movetext. Behind a game, words that are none are somebody's
// remarks; at the start of a file they are a game that cannot be read.
bool PgnReader::Impl::begins_game() {
    constexpr std::size_t longest = 64;
    const auto is_end = [](char c) { return ends_word(static_cast<unsigned char>(c)); };
    std::string_view text = source_.look_ahead(longest);
    std::vector<std::string> words;
    while (!text.empty() && words.size() < 2) {
        const auto end = std::ranges::find_if(text, is_end);
        const auto next = std::find_if_not(end, text.end(), is_end);
        for (std::string& word : mended({text.begin(), end})) {
            words.push_back(std::move(word));
        }
        text = {next, text.end()};
        if (words.empty()) {
            return false;
        }
    }
    const auto is_movetext = [](std::string_view word) {
        if (without_move_number(word).size() != word.size()) {
            return word.find_first_not_of("0123456789") != std::string_view::npos; // "1."
        }
        const auto parsed = parse_move(Position::initial(), word);
        return parsed || parsed.error().kind != MoveErrorKind::syntax;
    };
    return game_ == 0 || is_movetext(words.front()) ||
           (is_number(words.front()) && words.size() > 1 && is_movetext(words[1]));
}

// Whether movetext without tags, behind a result, can be a game: it begins with move 1 or, where it
// has no number, a line.
bool PgnReader::Impl::begins_anew() {
    const std::string_view next = source_.look_ahead(8);
    const std::string_view number = next.substr(0, next.find_first_not_of("0123456789"));
    return number.empty() ? source_.at_line_start() : number == "1";
}

// By its first characters: a mark of byte order, or ASCII with zeros between.
bool PgnReader::Impl::is_utf16() {
    const std::string_view start = source_.look_ahead(4);
    if (start.starts_with("\xff\xfe") || start.starts_with("\xfe\xff")) {
        return true;
    }
    const auto zero = [&](std::size_t i) { return start[i] == '\0'; };
    return start.size() == 4 && zero(0) == zero(2) && zero(1) == zero(3) && zero(0) != zero(1);
}

void PgnReader::Impl::refuse_utf16() {
    while (source_.peek() >= 0) {
        source_.advance();
    }
    result_.clear();
    visitor_->error({game_, 1, "the text is UTF-16; save it as UTF-8"});
    visitor_->end_game(result_);
}

void PgnReader::Impl::refuse_comment() {
    result_.clear();
    tell_head_trouble();
    visitor_->end_game(result_);
}

bool PgnReader::Impl::at_tag() {
    const auto tag = read_tag(source_.rest_of_line());
    return tag && tag->name.front() != '%';
}

// One behind a tag. If no tag follows, it is the first of the movetext.
void PgnReader::Impl::collect_comment_of_tags() {
    const bool line = source_.peek() == ';';
    const CommentEnd end = line ? collect_line_comment() : collect_brace_comment();
    comment_waits_ = keep_comment(end, line ? PgnTextKind::line_comment : PgnTextKind::comment);
    if (end != CommentEnd::closed) {
        head_open_ = end == CommentEnd::missing && !head_trouble_;
        refuse_head(trouble_of(end), {comment_line_, head_open_ ? comment_column_ : 0});
    }
}

// False: there are too many.
bool PgnReader::Impl::take_tag(TagPair pair, PgnPlace at) {
    tag_bytes_ += pair.name.size() + pair.value.size();
    if (tags_.size() == most_tags || tag_bytes_ > base::longest_text) {
        return false;
    }
    tag_places_.push_back(at);
    tell_encoding(pair.name + pair.value, at);
    tags_.push_back({base::to_utf8(pair.name), base::to_utf8(pair.value)});
    visitor_->tag(tags_.back().name, tags_.back().value);
    return true;
}

void PgnReader::Impl::read_tags() {
    head_trouble_.reset();
    head_open_ = false;
    tags_.clear();
    tag_bytes_ = 0;
    tag_places_.clear();
    bool blank_line = false;
    std::size_t last_line = source_.line();
    for (int c = source_.peek(); c >= 0; c = source_.peek()) {
        symbol_ = source_.offset();
        if (c <= ' ') {
            source_.advance();
        } else if (c == '%' && source_.at_line_start()) {
            skip_escape();
        } else if ((c == '{' || c == ';') && !comment_waits_) {
            collect_comment_of_tags();
        } else if (c == '[') {
            blank_line = blank_line || source_.line() > last_line + 1;
            const std::string_view rest = source_.rest_of_line();
            auto pair = read_tag(rest);
            if (!pair) {
                skip_brackets(']', true);
                continue;
            }
            const bool known = std::any_of(tags_.begin(), tags_.end(), [&](const PgnTag& tag) {
                return tag.name == pair->name;
            });
            if (known && (blank_line || pair->name == "Event")) {
                return; // the next game's; this one has no moves
            }
            drop_comment();
            if (std::exchange(head_open_, false)) {
                tell_left_out({head_trouble_->line, head_trouble_->column}, head_trouble_->message);
                head_trouble_.reset();
            }
            const PgnPlace at = here();
            if (all_ && !is_regular(rest.substr(0, pair->length), *pair)) {
                tell_mended(at, "the tag " + quoted(rest.substr(0, pair->length)) + " is read as " +
                                    quoted(pair->value));
            }
            source_.advance(pair->length);
            last_line = source_.line();
            if (pair->length > base::longest_text) {
                refuse_head(base::longer_than_allowed("the tag", at.column), {last_line, 0});
                skip_line();
            } else if (!take_tag(std::move(*pair), at)) {
                refuse_head("column " + std::to_string(at.column) + ": the game has more than " +
                                std::to_string(most_tags) + " tags, or more than 1 MiB of them",
                            {last_line, 0});
            }
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
    too_deep_ = 0;
    lines_.push_back({Position::initial(), Position::initial()});
    if (head_trouble_) {
        line().silent = true;
        tell_head_trouble();
        return;
    }
    symbol_ = source_.offset();
    if (game_ > 1 && tags_.empty() && !begins_anew()) {
        drop_comment();
        fail("what follows a result without tags, and does not begin with move 1, is no game",
             source_.column());
        return;
    }
    for (std::size_t i = 0; i < tags_.size(); ++i) {
        const PgnTag& tag = tags_[i];
        const std::string name = base::lower_case(tag.name);
        if (name == "variant" && !is_chess(tag.value)) {
            fail("the variant " + quoted(tag.value) + " is not chess", tag_places_[i].line,
                 tag_places_[i].column);
            return;
        }
        if (name == "fen" && !take_start(tag, tag_places_[i])) {
            return;
        }
    }
    line().silent = !visitor_->begin_moves(line().current);
    if (comment_waits_ && !line().silent) {
        visitor_->comment(base::as_utf8(comment_, converted_));
    }
    comment_waits_ = false;
}

// False: the game has failed.
bool PgnReader::Impl::take_start(const PgnTag& fen, PgnPlace at) {
    if (says_nothing(fen.value)) {
        return true;
    }
    const PossibleFen possible = possible_fen(fen.value);
    const auto start = Position::from_fen(possible.fen);
    if (!start) {
        fail("FEN tag: " + start.error().field + ": " + start.error().message, at.line, at.column);
        return false;
    }
    for (const std::string& mended : possible.mended) {
        visitor_->warning({game_, at.line, "FEN tag: " + mended, at.column});
    }
    line().current = *start;
    return true;
}

void PgnReader::Impl::fail(std::string message, std::size_t line_number, std::size_t column) {
    line().silent = true;
    visitor_->error({game_, line_number, std::move(message), column});
}

// Found before the moves of the game that comes, or is being read.
void PgnReader::Impl::refuse_head(std::string message, PgnPlace at) {
    if (!head_trouble_) {
        head_trouble_ = PgnError{0, at.line, std::move(message), at.column};
    }
}

void PgnReader::Impl::tell_head_trouble() {
    head_trouble_->game = game_;
    visitor_->error(*head_trouble_);
    head_trouble_.reset();
}

void PgnReader::Impl::skip_line() {
    for (int c = source_.peek(); c >= 0 && c != '\n' && c != '\r'; c = source_.peek()) {
        source_.advance();
    }
}

// "[...]" where no tag can be, or the like; at most to the end of the line.
void PgnReader::Impl::skip_brackets(char closing, bool told) {
    const PgnPlace at = here();
    const std::string_view rest = source_.rest_of_line();
    const std::string text =
        quoted(rest.substr(0, std::min(rest.find(closing), rest.size() - 1) + 1));
    for (int c = 0; c != closing; source_.advance()) {
        c = source_.peek();
        if (c < 0 || c == '\n' || c == '\r') {
            break;
        }
    }
    if (told) {
        tell_left_out(at, text + " is left out");
    }
}

std::string to_text(const PgnError& error) {
    return "game " + std::to_string(error.game) + ", line " + std::to_string(error.line) +
           (error.column > 0 ? ", column " + std::to_string(error.column) : "") + ": " +
           error.message;
}

PgnReader::PgnReader(std::string_view text) : impl_{std::make_unique<Impl>(text)} {}
PgnReader::PgnReader(std::istream& in) : impl_{std::make_unique<Impl>(in)} {}
PgnReader::~PgnReader() = default;

bool PgnReader::read_game(PgnVisitor& visitor) {
    return impl_->read_game(visitor);
}

bool PgnReader::at_end() {
    return impl_->at_end();
}

std::size_t PgnReader::line() const {
    return impl_->line_number();
}

std::pair<std::size_t, std::size_t> PgnReader::span() const {
    return impl_->span();
}

// What is told only to a visitor that wants to know everything.

void PgnReader::Impl::tell_mended(PgnPlace at, const std::string& message) {
    visitor_->mended({std::max<std::size_t>(game_, 1), at.line, message, at.column});
}

void PgnReader::Impl::tell_left_out(PgnPlace at, const std::string& message) {
    visitor_->left_out({std::max<std::size_t>(game_, 1), at.line, message, at.column});
}

void PgnReader::Impl::tell_mended(std::string_view word, const std::vector<std::string>& parts) {
    if (!all_) {
        return;
    }
    std::string words;
    for (const std::string& part : parts) {
        words += (words.empty() ? "" : " ") + part;
    }
    tell_mended({source_.line(), word_column_}, quoted(word) + " is read as " + quoted(words));
}

void PgnReader::Impl::refuse_null_move(std::string_view word) {
    fail(quoted(word) + " is a null move, which is no move of chess", word_column_);
}

// A word of the movetext.
void PgnReader::Impl::tell_left_out(std::string_view word) {
    if (!line().silent) {
        tell_left_out({source_.line(), word_column_}, quoted(word) + " is left out");
    }
}

void PgnReader::Impl::tell_encoding(std::string_view text, PgnPlace at) {
    if (all_ && !base::is_utf8(text)) {
        tell_mended(at, "the text is not UTF-8; it is read as Windows-1252");
    }
}

void PgnReader::Impl::tell_sign(int nag, std::string_view sign) {
    const bool plain = sign.find_first_not_of("!?") == std::string_view::npos;
    if (all_ && !plain) {
        tell_mended({source_.line(), word_column_},
                    quoted(sign) + " is kept as $" + std::to_string(nag));
    }
    visitor_->sign(nag, plain);
}

// Somebody's words between games: what is left of the line, up to a comment or a tag.
void PgnReader::Impl::skip_remark() {
    const PgnPlace at = here();
    word_.clear();
    for (int c = source_.peek();
         c >= 0 && c != '\n' && c != '\r' && c != '{' && c != ';' && !(c == '[' && at_tag());
         c = source_.peek()) {
        word_ += static_cast<char>(word_.size() < base::longest_text ? c : '.');
        source_.advance();
    }
    tell_left_out(at, quoted(word_) + " is left out: it is in no game");
}

// A bracket of the movetext that closes or opens nothing.
void PgnReader::Impl::skip_stray() {
    word_column_ = source_.column();
    const char character = static_cast<char>(source_.peek());
    source_.advance();
    tell_left_out({&character, 1});
}

// Comments and escape lines of a PGN file.

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
    if (!all_ || end != CommentEnd::closed) {
        return end == CommentEnd::closed;
    }
    tell_encoding(comment_, comment_place());
    visitor_->text(kind, base::as_utf8(comment_, converted_), comment_place());
    return false;
}

// "%" in front of a line.
void PgnReader::Impl::skip_escape() {
    const CommentEnd end = collect_line_comment();
    if (!all_) {
        tell_left_out(comment_place(), "a line behind % is left out");
    } else if (end == CommentEnd::closed) {
        keep_comment(end, PgnTextKind::escape);
    } else {
        tell_left_out(comment_place(), trouble_of(end));
    }
}

} // namespace adjourn::chess
