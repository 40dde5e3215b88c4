// TailBuffer: the end of a stream of text of any length, in bounded memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace adjourn::engine_bridge {

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
