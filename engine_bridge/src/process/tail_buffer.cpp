#include "engine_bridge/process/tail_buffer.hpp"

#include "engine_bridge/process/text.hpp"

#include <algorithm>

namespace adjourn::engine_bridge {

void TailBuffer::append(std::string_view bytes) {
    bytes_ += bytes.substr(bytes.size() - std::min(bytes.size(), size_));
    if (bytes_.size() > 2 * size_) {
        bytes_.erase(0, bytes_.size() - size_);
    }
}

std::string TailBuffer::last_lines() const {
    std::string_view text =
        std::string_view{bytes_}.substr(bytes_.size() - std::min(bytes_.size(), size_));
    std::string result;
    for (int lines = 0; lines < 5 && !text.empty();) {
        const std::size_t end = text.rfind('\n');
        std::string_view line = end == text.npos ? text : text.substr(end + 1);
        text = text.substr(0, end == text.npos ? 0 : end);
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        if (!line.empty()) {
            result = printable(line) + (result.empty() ? "" : " | ") + result;
            ++lines;
        }
    }
    return result;
}

} // namespace adjourn::engine_bridge
