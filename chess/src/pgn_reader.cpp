#include "bitboard.hpp"
#include "move_text.hpp"
#include "pgn_source.hpp"
#include "pgn_text.hpp"
#include "text.hpp"

#include "chess/notation.hpp"
#include "chess/pgn.hpp"

#include <algorithm>
#include <array>

namespace adjourn::chess {

using namespace detail;

namespace {

// Deeper nesting than any annotator's; bounds memory.
constexpr std::size_t most_nested = 500;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

constexpr std::array<bool, 256> word_ends = [] {
    std::array<bool, 256> table{};
    for (const char c : std::string_view{" \t\r\n{}()[];$*\"<>"}) {
        table[static_cast<unsigned char>(c)] = true;
    }
    return table;
}();

bool ends_word(int c) {
    return c < 0 || word_ends[static_cast<std::size_t>(c)];
}

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

class PgnReader::Impl {
public:
    explicit Impl(std::string_view text) : source_{text} {}
    explicit Impl(std::istream& in) : source_{in} {}

    bool read_game(PgnVisitor& visitor) {
        if (!find_game()) {
            return false;
        }
        visitor_ = &visitor;
        ++game_;
        visitor.begin_game();
        read_tags();
        begin_moves();
        read_moves();
        visitor.end_game(result_);
        return true;
    }

private:
    // A line being read: the main line, or a variation.
    struct Line {
        Position current;
        Position before; // the last move
        bool has_moves = false;
        bool silent = false; // nothing more of it is told
        bool told = true;    // the visitor has been told that it begins
    };

    bool find_game();
    void read_tags();
    void begin_moves();
    void read_moves();
    bool read_symbol(int c);
    void read_word();
    void take_word(std::string_view word);
    void take_move(std::string_view word);
    bool collect_brace_comment();
    void read_brace_comment();
    void read_line_comment();
    void read_nag();
    void open_variation();
    void close_variation();
    void close_all();
    bool at_tag();
    bool at_first_move();
    void skip_line();
    void skip_brackets(char closing);
    void fail(std::string message) { fail(std::move(message), source_.line()); }
    void fail(std::string message, std::size_t line_number);

    Line& line() { return lines_.back(); }

    PgnSource source_;
    PgnVisitor* visitor_ = nullptr; // during read_game
    std::size_t game_ = 0;
    std::vector<Line> lines_;
    std::vector<PgnTag> tags_;
    std::vector<std::size_t> tag_lines_;
    std::string word_;
    std::string comment_; // read before the game was known to begin, then any
    std::string converted_;
    bool comment_waits_ = false;
    std::string result_;
    std::size_t words_ = 0; // of this game's movetext
    bool ended_ = false;
};

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

// "1." after a blank line, when this game is past its first move: the one before has no result and
// this one no tags.
bool PgnReader::Impl::at_first_move() {
    const std::string_view next = source_.look_ahead(3);
    const bool begun = line().silent || line().current.fullmove_number() > 1;
    return words_ > 0 && lines_.size() == 1 && source_.after_blank_line() && begun &&
           next.starts_with("1.") && next != "1..";
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

void PgnReader::Impl::read_moves() {
    while (!ended_) {
        const int c = source_.peek();
        if (c < 0) {
            break;
        }
        if (source_.at_line_start() && ((c == '[' && at_tag()) || (c == '1' && at_first_move()))) {
            break; // the next game
        }
        if (!read_symbol(c)) {
            read_word();
        }
    }
    close_all();
}

// One symbol that is no word.
bool PgnReader::Impl::read_symbol(int c) {
    switch (c) {
    case ' ':
    case '\t':
    case '\r':
    case '\n':
    case '>':
    case '"':
    case ']':
    case '}': source_.advance(); return true;
    case '{': read_brace_comment(); return true;
    case ';': read_line_comment(); return true;
    case '(': open_variation(); return true;
    case ')': close_variation(); return true;
    case '[': skip_brackets(']'); return true;
    case '<': skip_brackets('>'); return true; // reserved by the standard
    case '$': read_nag(); return true;
    case '*':
        source_.advance();
        take_word("*");
        return true;
    case '%':
        if (source_.at_line_start()) {
            skip_line();
            return true;
        }
        return false;
    default: return false;
    }
}

void PgnReader::Impl::read_word() {
    word_.clear();
    for (int c = source_.peek(); !ends_word(c); c = source_.peek()) {
        word_ += static_cast<char>(c);
        source_.advance();
    }
    take_word(word_);
}

void PgnReader::Impl::take_word(std::string_view word) {
    ++words_;
    if (const auto result = result_of(word)) {
        if (lines_.size() == 1) {
            result_ = *result;
            ended_ = true;
        }
        return; // in a variation it says nothing
    }
    if (line().silent) {
        return;
    }
    const bool null = is_null_move(word);
    word = null ? word : without_move_number(word);
    if (word.empty()) {
        return;
    }
    if (!null) {
        if (const auto nag = glyph(word)) {
            if (*nag != 0) {
                visitor_->nag(*nag);
            }
            return;
        }
    }
    take_move(word);
}

void PgnReader::Impl::take_move(std::string_view word) {
    const std::size_t end = word.find_last_not_of("!?") + 1;
    const std::string_view marks = word.substr(end);
    word = word.substr(0, end);
    Line& at = line();
    if (is_null_move(word)) {
        const auto passed = after_null_move(at.current);
        if (!passed) {
            fail("a null move in check: " + quoted(at.current.fen()));
            return;
        }
        at.before = at.current;
        at.current = *passed;
        visitor_->null_move(at.before);
    } else {
        auto move = parse_move(at.current, word);
        if (!move) {
            fail(std::move(move.error().message));
            return;
        }
        at.before = at.current;
        at.current.play(*move);
        visitor_->move(at.before, *move);
    }
    at.has_moves = true;
    if (const auto nag = glyph(marks)) {
        visitor_->nag(*nag);
    }
}

// Up to the closing brace. One that was forgotten must not swallow the games that follow: false.
bool PgnReader::Impl::collect_brace_comment() {
    const std::size_t first_line = source_.line();
    source_.advance();
    comment_.clear();
    for (int c = source_.peek(); c != '}'; c = source_.peek()) {
        const bool new_game = c == '[' && source_.at_line_start() && source_.line() > first_line &&
                              source_.look_ahead(8) == "[Event \"";
        if (c < 0 || new_game) {
            return false;
        }
        comment_ += static_cast<char>(c);
        source_.advance();
    }
    source_.advance();
    return true;
}

void PgnReader::Impl::read_brace_comment() {
    const std::size_t first_line = source_.line();
    const bool closed = collect_brace_comment();
    if (line().silent) {
        return;
    }
    if (closed) {
        visitor_->comment(as_utf8(comment_, converted_));
    } else {
        fail("a comment is not closed", first_line);
    }
}

void PgnReader::Impl::read_line_comment() {
    source_.advance();
    comment_.clear();
    for (int c = source_.peek(); c >= 0 && c != '\n' && c != '\r'; c = source_.peek()) {
        comment_ += static_cast<char>(c);
        source_.advance();
    }
    if (!line().silent) {
        visitor_->comment(as_utf8(comment_, converted_));
    }
}

void PgnReader::Impl::read_nag() {
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
    }
}

void PgnReader::Impl::open_variation() {
    source_.advance();
    if (lines_.size() > most_nested) {
        if (!line().silent) {
            fail("variations nested more than " + std::to_string(most_nested) + " deep");
        }
    }
    Line& parent = line();
    if (parent.silent) {
        if (lines_.size() <= most_nested) {
            lines_.push_back({parent.before, parent.before, false, true, false});
        }
        return;
    }
    if (!parent.has_moves) {
        const Position start = parent.current;
        visitor_->error({game_, source_.line(), "a variation before any move"});
        lines_.push_back({start, start, false, true, false});
        return;
    }
    const Position start = parent.before;
    lines_.push_back({start, start});
    visitor_->begin_variation();
}

void PgnReader::Impl::close_variation() {
    source_.advance();
    if (lines_.size() > 1) {
        const bool told = line().told;
        lines_.pop_back();
        if (told) {
            visitor_->end_variation();
        }
    }
}

// At the end of the game.
void PgnReader::Impl::close_all() {
    if (lines_.size() > 1 && !line().silent) {
        fail("a variation is not closed");
    }
    while (lines_.size() > 1) {
        const bool told = line().told;
        lines_.pop_back();
        if (told) {
            visitor_->end_variation();
        }
    }
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
