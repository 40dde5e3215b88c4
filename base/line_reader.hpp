// LineReader: the lines of a text, of which none can take all memory.
#pragma once

#include <cstddef>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::base {

// What people write is far shorter: bytes of a line, of a PGN's comment, tag or word.
inline constexpr std::size_t longest_text = std::size_t{1} << 20;

// "column 7: the comment is longer than 1 MiB". Columns are bytes, from 1.
std::string longer_than_allowed(std::string_view what, std::size_t column);

// The rest of the stream; nullopt if it is longer than that, or cannot be read.
std::optional<std::string> read_all(std::istream& in, std::size_t most = longest_text);

// Reads ahead in the stream, which must outlive it; blocks as that does. A line in which the stream
// goes bad() is none.
class LineReader {
public:
    explicit LineReader(std::istream& in);

    // The next line; false at the end.
    bool next();
    // Without its end (LF, CR or both); of a line that is too long the first longest_text + 1
    // bytes. Until the next call.
    std::string_view text() const { return text_; }
    bool too_long() const { return text_.size() > longest_text; }
    // Why a line that is too long is not taken.
    static std::string trouble() { return longer_than_allowed("the line", 1); }
    std::size_t number() const { return number_; } // of the line, from 1

private:
    bool fill();

    std::istream& in_;
    std::vector<char> buffer_;
    std::string_view rest_; // of the buffer
    std::string text_;
    std::size_t number_ = 0;
    bool after_return_ = false; // the line before ended with CR
};

} // namespace adjourn::base
