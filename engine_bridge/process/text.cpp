#include "engine_bridge/process/text.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace adjourn::engine_bridge {

std::string printable(std::string_view bytes, std::size_t limit) {
    static constexpr std::string_view digits = "0123456789abcdef";
    std::string result;
    std::size_t taken = 0;
    while (taken < bytes.size()) {
        const std::string_view rest = bytes.substr(taken);
        const std::size_t length = base::utf8_length(rest, 0);
        if (taken + std::max<std::size_t>(length, 1) > limit) {
            return result + "…";
        }
        const auto first = static_cast<unsigned char>(rest[0]);
        if (length == 0 || (first < 0x20 && first != '\t') || first == 0x7F) {
            result += "\\x";
            result += digits[first >> 4];
            result += digits[first & 15];
            taken += 1;
        } else {
            result += rest.substr(0, length);
            taken += length;
        }
    }
    return result;
}

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
