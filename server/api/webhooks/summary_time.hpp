// SummaryTime: when a webhook is told what changed: each day, or once a week, in the server's time
// zone. "07:00", "Mon 07:00".
#pragma once

#include "analysis/records.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace adjourn::server {

struct SummaryTime {
    int minute = 0;                            // of the day
    std::optional<int> weekday = std::nullopt; // 0 Monday … 6 Sunday; nullopt: each day

    // Weekdays are English, of three letters, large or small. nullopt: it is no such time.
    static std::optional<SummaryTime> parse(std::string_view text);
    std::string text() const;
    // The last such moment that is not after `local`. Both are ms since 1970-01-01 00:00 of the
    // same zone's clock.
    analysis::UnixMs last(analysis::UnixMs local) const;

    friend bool operator==(const SummaryTime&, const SummaryTime&) = default;
};

} // namespace adjourn::server
