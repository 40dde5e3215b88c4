// The characters of a PGN file, from memory or a stream, with line numbers.
#pragma once

#include <cstddef>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::chess::detail {

class PgnSource {
public:
    explicit PgnSource(std::string_view text) : at_{text.data()}, end_{text.data() + text.size()} {}
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
    // the end of the file (-1) must be such.
    template <class Ends>
    void take_until(Ends ends, std::string& into) {
        for (int c = peek(); !ends(c); c = peek()) {
            const char* const begin = at_;
            do {
                ++at_;
            } while (at_ != end_ && !ends(static_cast<unsigned char>(*at_)));
            into.append(begin, static_cast<std::size_t>(at_ - begin));
            first_column_ = false;
            line_start_ = false;
        }
    }
    // What is left of the line, without its end; at most 64 KiB of it.
    std::string_view rest_of_line();
    // The next `count` characters, fewer at the end. Does not advance.
    std::string_view look_ahead(std::size_t count);

    std::size_t line() const { return line_; }
    // Nothing but blanks stands before on this line.
    bool at_line_start() const { return line_start_; }
    bool at_first_column() const { return first_column_; }
    // The line before has nothing but blanks.
    bool after_blank_line() const { return after_blank_line_; }

private:
    // Makes at least `wanted` characters available if there are so many.
    bool refill(std::size_t wanted);
    bool followed_by_newline() { return look_ahead(2).ends_with('\n'); }

    const char* at_ = nullptr;
    const char* end_ = nullptr;
    std::istream* in_ = nullptr;
    std::vector<char> buffer_;
    std::size_t line_ = 1;
    bool line_start_ = true;
    bool first_column_ = true;
    bool after_blank_line_ = true;
};

} // namespace adjourn::chess::detail
