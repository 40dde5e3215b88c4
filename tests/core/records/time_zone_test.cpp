// Hours of the day in a zone with summer time.
#include "core/records/analysis_spec.hpp"
#include "core/records/time_zone.hpp"
#include "test.hpp"

#include <ctime>

using namespace adjourn::server;

namespace {

// Gives the process its own zone back.
struct ZoneKept {
    ZoneKept() : set{std::getenv("TZ") != nullptr ? std::getenv("TZ") : ""} {}
    ZoneKept(const ZoneKept&) = delete;
    ZoneKept& operator=(const ZoneKept&) = delete;
    ~ZoneKept() {
        set.empty() ? unsetenv("TZ") : setenv("TZ", set.c_str(), 1);
        tzset();
    }
    std::string set;
};

constexpr adjourn::analysis::UnixMs hour = 3'600'000;
constexpr adjourn::analysis::UnixMs summer_begins = 1'774'746'000'000; // 2026-03-29 01:00 UTC
constexpr adjourn::analysis::UnixMs summer_ends = 1'792'890'000'000;   // 2026-10-25 01:00 UTC

} // namespace

TEST_CASE("time zone: hours are those of the named zone, through both changes of summer time") {
    const ZoneKept kept;
    REQUIRE(use_time_zone("Europe/Berlin"));
    CHECK(time_zone(summer_begins - 1) == TimeZone{"Europe/Berlin", 60});
    CHECK(time_zone(summer_begins) == TimeZone{"Europe/Berlin", 120});
    CHECK(time_zone(summer_ends) == TimeZone{"Europe/Berlin", 60});
    CHECK(local_minute_of_day(summer_begins - 60'000) == 1 * 60 + 59);
    CHECK(local_minute_of_day(summer_begins) == 3 * 60); // 02:00 to 03:00 is no hour of that day
    CHECK(local_minute_of_day(summer_ends - hour) == 2 * 60); // and of this one it is twice
    CHECK(local_minute_of_day(summer_ends) == 2 * 60);
    // A night of nine hours has eight in spring, ten in autumn: it ends by the clock on the wall.
    const auto night = *TimeWindow::parse("22:00-07:00");
    const auto hours_of_night = [&](adjourn::analysis::UnixMs noon_before) {
        int count = 0;
        for (auto at = noon_before; at < noon_before + 24 * hour; at += hour / 4) {
            count += night.contains(local_minute_of_day(at)) ? 1 : 0;
        }
        return count / 4;
    };
    CHECK(hours_of_night(summer_begins - 14 * hour) == 8);
    CHECK(hours_of_night(summer_ends - 14 * hour) == 10);
    CHECK(hours_of_night(summer_ends + 10 * 24 * hour) == 9);
}

TEST_CASE("time zone: a wrong name is refused and changes nothing") {
    const ZoneKept kept;
    REQUIRE(use_time_zone("Europe/Berlin"));
    for (const auto* name : {"", "Europe", "Europe/Nowhere", "/etc/passwd", "../../../etc/passwd",
                             "Europe/Ber lin", "CET-1CEST"}) {
        CAPTURE(name);
        REQUIRE_FALSE(use_time_zone(name));
        CHECK(time_zone(0).name == "Europe/Berlin");
    }
}
