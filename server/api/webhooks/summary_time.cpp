#include "api/webhooks/summary_time.hpp"

#include "base/text.hpp"
#include "core/records/analysis_spec.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>

namespace adjourn::server {

namespace {

constexpr std::array<std::string_view, 7> weekdays{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
constexpr analysis::UnixMs minute_ms = 60'000;
constexpr analysis::UnixMs day_ms = 24 * 60 * minute_ms;

} // namespace

std::optional<SummaryTime> SummaryTime::parse(std::string_view text) {
    SummaryTime time;
    if (const std::size_t space = text.find(' '); space != std::string_view::npos) {
        const auto named = std::ranges::find_if(weekdays, [&](std::string_view day) {
            return base::lower_case(text.substr(0, space)) == base::lower_case(day);
        });
        if (named == weekdays.end()) {
            return std::nullopt;
        }
        time.weekday = static_cast<int>(named - weekdays.begin());
        text.remove_prefix(space + 1);
    }
    const auto begins = TimeWindow::parse(std::string{text} + "-00:00");
    if (!begins) {
        return std::nullopt;
    }
    time.minute = begins->from_minute;
    return time;
}

std::string SummaryTime::text() const {
    return (weekday ? std::string{weekdays[static_cast<std::size_t>(*weekday)]} + " " : "") +
           fmt::format("{:02}:{:02}", minute / 60, minute % 60);
}

analysis::UnixMs SummaryTime::last(analysis::UnixMs local) const {
    analysis::UnixMs moment = local - local % day_ms + minute * minute_ms;
    moment -= moment > local ? day_ms : 0;
    if (weekday) {
        const analysis::UnixMs day = (moment / day_ms + 3) % 7; // 1970 began on a Thursday
        moment -= (day - *weekday + 7) % 7 * day_ms;
    }
    return moment;
}

} // namespace adjourn::server
