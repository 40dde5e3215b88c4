// PgnReader's inside: one game at a time, from characters to events. Tags and what lies between
// games are in pgn_reader.cpp, movetext in pgn_movetext.cpp.
#pragma once

#include "base/line_reader.hpp"
#include "chess/pgn.hpp"
#include "chess/pgn_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::chess::detail {

// The characters of a PGN file, from memory or a stream, with line numbers.
class PgnSource {
public:
    explicit PgnSource(std::string_view text)
        : begin_{text.data()}, at_{text.data()}, end_{text.data() + text.size()} {}
    explicit PgnSource(std::istream& in) : in_{&in} {}

    // -1 at the end.
    int peek() {
        if (at_ == end_ && !refill(1)) {
            return -1;
        }
        return static_cast<unsigned char>(*at_);
    }
    int get() {
        const int c = peek();
        if (c >= 0) {
            advance();
        }
        return c;
    }
    // Past the character peek() has shown.
    void advance() {
        const char c = *at_;
        if (c == '\n' || (c == '\r' && !followed_by_newline())) {
            after_blank_line_ = line_start_;
            line_start_ = true;
            first_column_ = true;
            ++line_;
            ++at_;
            line_begin_ = offset();
            return;
        }
        first_column_ = false;
        if (static_cast<unsigned char>(c) > ' ') {
            line_start_ = false;
        }
        ++at_;
    }
    void advance(std::size_t count) {
        for (; count > 0; --count) {
            advance();
        }
    }
    // Appends what stands before the first character that `ends`, and goes past it. White space and
    // the end of the file (-1) must be such. False: `into` would be longer than base::longest_text,
    // and has its beginning.
    template <class Ends>
    bool take_until(Ends ends, std::string& into) {
        bool whole = true;
        for (int c = peek(); !ends(c); c = peek()) {
            const char* const begin = at_;
            do {
                ++at_;
            } while (at_ != end_ && !ends(static_cast<unsigned char>(*at_)));
            const auto size = static_cast<std::size_t>(at_ - begin);
            const std::size_t room = base::longest_text - into.size();
            into.append(begin, std::min(size, room));
            whole = whole && size <= room;
            first_column_ = false;
            line_start_ = false;
        }
        return whole;
    }
    // The word that begins here, if its end is in memory, too, and it is as short as a move; else
    // nothing. Precondition: peek() has shown its first character.
    template <class Ends>
    std::string_view short_word(Ends ends) const {
        constexpr std::ptrdiff_t longest = 8;
        const char* at = at_;
        for (const char* const last = at_ + std::min(longest, end_ - at_); at != last; ++at) {
            if (ends(static_cast<unsigned char>(*at))) {
                return {at_, at};
            }
        }
        return {};
    }
    // Past that word.
    void skip_short_word(std::size_t size) {
        at_ += size;
        first_column_ = false;
        line_start_ = false;
    }
    // Past the blank that is next, if one is; behind a word.
    void skip_blank() { at_ += at_ != end_ && *at_ == ' ' ? 1 : 0; }
    // What is left of the line, without its end; at most base::longest_text + 1 bytes of it.
    std::string_view rest_of_line();
    // The next `count` characters, fewer at the end. Does not advance.
    std::string_view look_ahead(std::size_t count);

    std::size_t line() const { return line_; }
    std::size_t column() const { return offset() - line_begin_ + 1; } // in bytes, from 1
    std::size_t offset() const { return dropped_ + static_cast<std::size_t>(at_ - begin_); }
    // Nothing but blanks stands before on this line.
    bool at_line_start() const { return line_start_; }
    bool at_first_column() const { return first_column_; }
    // The line before has nothing but blanks.
    bool after_blank_line() const { return after_blank_line_; }

private:
    // Makes at least `wanted` characters available if there are so many.
    bool refill(std::size_t wanted);
    bool followed_by_newline() { return look_ahead(2).ends_with('\n'); }

    const char* begin_ = nullptr; // of what is in memory
    const char* at_ = nullptr;
    const char* end_ = nullptr;
    std::istream* in_ = nullptr;
    std::vector<char> buffer_;
    std::size_t dropped_ = 0;       // bytes of the file before begin_
    std::size_t line_begin_ = 0;    // offset
    std::size_t no_end_before_ = 0; // offset up to which no line end comes
    std::size_t line_ = 1;
    bool line_start_ = true;
    bool first_column_ = true;
    bool after_blank_line_ = true;
};

} // namespace adjourn::chess::detail

namespace adjourn::chess {

namespace detail {

inline constexpr std::array<bool, 256> pgn_word_ends = [] {
    std::array<bool, 256> table{};
    for (std::size_t control = 0; control <= ' '; ++control) {
        table[control] = true; // form feeds and worse separate words as blanks do
    }
    for (const char c : std::string_view{"{}()[];$*\"<>"}) {
        table[static_cast<unsigned char>(c)] = true;
    }
    return table;
}();

// Of a character as PgnSource gives it.
inline bool ends_word(int c) {
    return c < 0 || pgn_word_ends[static_cast<std::size_t>(c)];
}

} // namespace detail

class PgnReader::Impl {
public:
    explicit Impl(std::string_view text) : source_{text} {}
    explicit Impl(std::istream& in) : source_{in} {}

    bool read_game(PgnVisitor& visitor) {
        visitor_ = &visitor;
        all_ = visitor.wants_all();
        if (!find_game()) {
            return false;
        }
        ++game_;
        visitor.begin_game();
        if (game_ == 1 && is_utf16()) {
            refuse_utf16();
            return true;
        }
        if (head_trouble_) { // a comment that belongs to no game
            refuse_comment();
            return true;
        }
        read_tags();
        begin_moves();
        read_moves();
        visitor.end_game(result_);
        return true;
    }
    bool at_end() { return source_.peek() < 0; }
    std::pair<std::size_t, std::size_t> span() const { return {symbol_, source_.offset()}; }
    std::size_t line_number() const { return source_.line(); }

private:
    // A line being read: the main line, or a variation.
    struct Line {
        Position current;
        Position before; // the last move
        bool has_moves = false;
        bool silent = false; // nothing more of it is told
        bool told = true;    // the visitor has been told that it begins
        std::size_t plies = 0;
        PgnPlace opened{0, 0}; // of a variation
    };
    enum class CommentEnd : std::uint8_t { closed, missing, too_long };

    bool find_game();
    bool begins_game();
    bool begins_anew();
    bool is_utf16();
    void refuse_utf16();
    void refuse_comment();
    bool take_start(const PgnTag& fen, PgnPlace at);
    void read_tags();
    bool take_tag(detail::TagPair pair, PgnPlace at);
    void begin_moves();
    void read_moves();
    bool read_symbol(int c);
    bool collect_word();
    void take_promotion();
    bool read_plain_word();
    void read_word();
    void take_word(std::string_view word, bool mend = true);
    bool take_result(std::string_view word);
    void take_move(std::string_view word, bool mend);
    void play(Line& at, Move move);
    void count_ply(Line& at);
    void take_mended(std::string_view word, std::string message);
    bool closes_again();
    bool at_next_tags();
    CommentEnd collect_brace_comment();
    CommentEnd collect_line_comment();
    void begin_comment();
    void add_to_comment(int c);
    void take_comment(CommentEnd end, PgnTextKind kind);
    std::string trouble_of(CommentEnd end);
    void collect_comment_of_tags();
    void drop_comment();
    void read_nag();
    void open_variation();
    void close_variation();
    void close_variations(std::size_t left = 1);
    void close_all();
    bool at_tag();
    bool at_first_move();
    void skip_line();
    void skip_remark();
    [[gnu::cold]] void skip_escape();
    void skip_brackets(char closing, bool told);
    [[gnu::cold]] void skip_stray();
    bool keep_comment(CommentEnd end, PgnTextKind kind);
    void fail(std::string message, std::size_t column = 0) {
        fail(std::move(message), source_.line(), column);
    }
    [[gnu::cold]] void fail(std::string message, std::size_t line_number, std::size_t column);
    // What only one wants who wants everything; for the others nothing of it is made.
    [[gnu::cold]] void tell_mended(PgnPlace at, const std::string& message);
    [[gnu::cold]] void tell_mended(std::string_view word, const std::vector<std::string>& parts);
    [[gnu::cold]] void tell_left_out(PgnPlace at, const std::string& message);
    [[gnu::cold]] void tell_left_out(std::string_view word);
    [[gnu::cold]] void tell_encoding(std::string_view text, PgnPlace at);
    [[gnu::cold]] void refuse_null_move(std::string_view word);
    void tell_sign(int nag, std::string_view sign);
    PgnPlace here() const { return {source_.line(), source_.column()}; }
    PgnPlace comment_place() const { return {comment_line_, comment_column_}; }
    void refuse_head(std::string message, PgnPlace at);
    void tell_head_trouble();

    Line& line() { return lines_.back(); }

    detail::PgnSource source_;
    PgnVisitor* visitor_ = nullptr; // during read_game
    bool all_ = false;              // it wants everything
    std::size_t game_ = 0;
    std::vector<Line> lines_;
    std::vector<PgnTag> tags_;
    std::vector<PgnPlace> tag_places_;
    std::size_t tag_bytes_ = 0;
    std::optional<PgnError> head_trouble_; // why the moves cannot be read
    bool head_open_ = false; // it is a comment that is not closed: tags that follow end it
    std::string word_;
    std::size_t word_column_ = 0; // where it begins
    std::string comment_;         // read before the game was known to begin, then any
    std::string converted_;
    std::string unmended_; // the error of a word as it stands in the file; "" if that is unclear
    bool comment_waits_ = false;
    bool comment_too_long_ = false; // comment_ is its beginning
    std::size_t comment_line_ = 0;  // where it begins
    std::size_t comment_column_ = 0;
    std::string result_;
    std::size_t words_ = 0;    // of this game's movetext
    std::size_t too_deep_ = 0; // variations open that are not in lines_
    std::size_t symbol_ = 0;   // offset of what is being read
    bool ended_ = false;
};

} // namespace adjourn::chess
