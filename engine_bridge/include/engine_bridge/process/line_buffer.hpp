// LineBuffer: cuts a stream of bytes into lines, whatever the size of the reads.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::engine_bridge {

class LineBuffer {
public:
    // The longest line taken, without its end.
    static constexpr std::size_t max_line = 64 * 1024;

    struct Lines {
        // Complete lines without "\n", "\r\n". Valid until the next call.
        std::vector<std::string_view> lines;
        // A line was longer than max_line and is dropped. Nothing after it is returned.
        bool overlong = false;
    };

    Lines feed(std::string_view bytes);
    // What came after the last line end: the last words of a process that died in mid-line.
    std::string_view rest() const;

private:
    std::string buffer_;
    std::size_t consumed_ = 0; // bytes of buffer_ handed out by the last feed
};

} // namespace adjourn::engine_bridge
