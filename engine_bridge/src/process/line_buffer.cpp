#include "engine_bridge/process/line_buffer.hpp"

namespace adjourn::engine_bridge {

LineBuffer::Lines LineBuffer::feed(std::string_view bytes) {
    buffer_.erase(0, consumed_);
    consumed_ = 0;
    std::size_t searched = buffer_.size();
    buffer_.append(bytes);

    Lines result;
    const std::string_view all{buffer_};
    while (true) {
        const std::size_t end = all.find('\n', searched);
        const std::size_t length = (end == all.npos ? all.size() : end) - consumed_;
        if (length > max_line + 1) { // one more for "\r"
            result.overlong = true;
            consumed_ = buffer_.size();
            return result;
        }
        if (end == all.npos) {
            return result;
        }
        std::string_view line = all.substr(consumed_, length);
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        result.lines.push_back(line);
        consumed_ = searched = end + 1;
    }
}

std::string_view LineBuffer::rest() const {
    return std::string_view{buffer_}.substr(consumed_);
}

} // namespace adjourn::engine_bridge
