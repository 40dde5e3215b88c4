#include "base/line_reader.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::base {

namespace {

constexpr std::size_t buffer_size = std::size_t{64} << 10;

} // namespace

std::string longer_than_allowed(std::string_view what, std::size_t column) {
    return "column " + std::to_string(column) + ": " + std::string{what} + " is longer than 1 MiB";
}

std::optional<std::string> read_all(std::istream& in, std::size_t most) {
    std::string text;
    std::vector<char> buffer(buffer_size);
    while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || in.gcount() > 0) {
        text.append(buffer.data(), static_cast<std::size_t>(in.gcount()));
        if (text.size() > most) {
            return std::nullopt;
        }
    }
    return in.bad() ? std::nullopt : std::optional{std::move(text)};
}

LineReader::LineReader(std::istream& in) : in_{in}, buffer_(buffer_size) {}

// What the stream has at once, so that what stands before damaged data is read. False at the end.
bool LineReader::fill() {
    if (!in_.good() || in_.peek() == std::istream::traits_type::eof()) {
        return false;
    }
    const auto size = std::clamp<std::streamsize>(in_.rdbuf()->in_avail(), 1,
                                                  static_cast<std::streamsize>(buffer_.size()));
    in_.read(buffer_.data(), size);
    rest_ = {buffer_.data(), static_cast<std::size_t>(in_.gcount())};
    return !rest_.empty();
}

bool LineReader::next() {
    text_.clear();
    bool any = false;
    bool whole = false;
    while (!whole && (!rest_.empty() || fill())) {
        if (std::exchange(after_return_, false) && rest_.front() == '\n') { // one end of two bytes
            rest_.remove_prefix(1);
            continue;
        }
        any = true;
        const std::size_t end = std::min(rest_.find_first_of("\r\n"), rest_.size());
        text_ += rest_.substr(0, std::min(end, longest_text + 1 - text_.size()));
        whole = end < rest_.size();
        after_return_ = whole && rest_[end] == '\r';
        rest_.remove_prefix(whole ? end + 1 : end);
    }
    const bool found = any && (whole || !in_.bad());
    number_ += found ? 1 : 0;
    return found;
}

} // namespace adjourn::base
