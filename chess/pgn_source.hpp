// The characters of a PGN file, from memory or a stream, with line numbers.
#pragma once

#include "base/line_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::chess::detail {

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
