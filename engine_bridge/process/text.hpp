// Text from engines made fit for people and for JSON.
#pragma once

#include "chess/score.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::engine_bridge {

// Valid UTF-8 on one line: bytes that are not UTF-8 and control characters become "\xNN". At most
// `limit` bytes of the input are taken; what is left out is marked by "…".
std::string printable(std::string_view bytes, std::size_t limit = 400);

// LineBuffer: cuts a stream of bytes into lines, whatever the size of the reads.

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

// TailBuffer: the end of a stream of text of any length, in bounded memory.

class TailBuffer {
public:
    explicit TailBuffer(std::size_t size) : size_{size} {}

    void append(std::string_view bytes);
    // At most the last five lines, fit for people, joined by " | ".
    std::string last_lines() const;

private:
    std::size_t size_;
    std::string bytes_; // up to 2 * size_, to cut seldom
};

} // namespace adjourn::engine_bridge

// Ranges: what the numbers of an answer may be, whoever tells them: an engine here, or a machine
// elsewhere. A line or a message with another number is refused, never taken to the nearest limit;
// of a line that an engine says, counters that cannot be (seldepth, nodes, time, nps, hashfull,
// tbhits) are set aside instead: counters overflow, and the score is none the worse.

namespace adjourn::engine_bridge::ranges {

inline constexpr int most_depth = 1'000; // plies, of depth and seldepth; from 0
inline constexpr std::uint64_t most_nodes = 1'000'000'000'000'000;
inline constexpr std::uint32_t most_time_ms = 0xffff'ffff;
inline constexpr int most_hashfull = 1'000; // permille
inline constexpr int most_mate = chess::most_told_mate;
inline constexpr int most_cp = chess::most_told_cp; // mates as centipawns: see uci::to_score()

} // namespace adjourn::engine_bridge::ranges
