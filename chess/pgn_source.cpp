#include "chess/pgn_source.hpp"

#include <algorithm>
#include <cstring>

namespace adjourn::chess::detail {

namespace {

constexpr std::size_t chunk = std::size_t{64} << 10;

} // namespace

bool PgnSource::refill(std::size_t wanted) {
    while (in_ != nullptr && static_cast<std::size_t>(end_ - at_) < wanted) {
        const auto left = static_cast<std::size_t>(end_ - at_);
        if (left > 0) {
            std::memmove(buffer_.data(), at_, left);
        }
        dropped_ = offset();
        buffer_.resize(std::max(buffer_.size(), left + chunk));
        in_->read(buffer_.data() + left, static_cast<std::streamsize>(buffer_.size() - left));
        const auto got = static_cast<std::size_t>(in_->gcount());
        begin_ = at_ = buffer_.data();
        end_ = at_ + left + got;
        if (got == 0) {
            in_ = nullptr;
        }
    }
    return static_cast<std::size_t>(end_ - at_) >= wanted;
}

std::string_view PgnSource::look_ahead(std::size_t count) {
    if (static_cast<std::size_t>(end_ - at_) < count) {
        refill(count);
    }
    return {at_, std::min(count, static_cast<std::size_t>(end_ - at_))};
}

std::string_view PgnSource::rest_of_line() {
    constexpr std::size_t most = base::longest_text + 1;
    // A line may hold any number of tags: no part of it is looked through twice.
    no_end_before_ = std::max(no_end_before_, offset());
    for (std::size_t window = 256;; window = std::min(4 * window, most)) {
        const std::string_view text = look_ahead(window);
        const std::size_t known = std::min(no_end_before_ - offset(), text.size());
        const std::size_t end = std::min(text.find_first_of("\r\n", known), text.size());
        no_end_before_ = std::max(no_end_before_, offset() + end);
        if (end < text.size() || text.size() < window || window == most) {
            return text.substr(0, end);
        }
    }
}

} // namespace adjourn::chess::detail
