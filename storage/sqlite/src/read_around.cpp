#include "read_around.hpp"

namespace adjourn::storage {

std::optional<std::int64_t>
next_readable(const std::function<std::optional<bool>(std::int64_t)>& readable,
              std::int64_t after) {
    constexpr std::int64_t far = std::int64_t{1} << 61;
    if (after > std::numeric_limits<std::int64_t>::max() - far) {
        return std::nullopt;
    }
    std::int64_t step = 1;
    std::optional<bool> found;
    while (step < far && !(found = readable(after + step))) {
        step *= 2;
    }
    if (!found) {
        return std::nullopt;
    }
    std::int64_t bad = after + step / 2, good = after + step;
    while (good - bad > 1) {
        const std::int64_t middle = bad + (good - bad) / 2;
        (readable(middle) ? good : bad) = middle;
    }
    return good;
}

std::string unreadable_rows(const std::string& table, std::int64_t after,
                            std::optional<std::int64_t> next, const std::string& why) {
    return table + ": rows after " + std::to_string(after) +
           (next ? " and before " + std::to_string(*next + 1) : "") + " cannot be read: " + why;
}

} // namespace adjourn::storage
