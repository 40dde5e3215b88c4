#include "core/records/analysis_spec.hpp"

#include "analysis/strategy.hpp"
#include "core/records/time_zone.hpp"
#include "test.hpp"

#include <ctime>

using namespace adjourn::server;

TEST_CASE("time window: may span midnight") {
    const auto night = TimeWindow::parse("22:00-07:00");
    REQUIRE(night);
    CHECK(night->text() == "22:00-07:00");
    struct Row {
        const char* window;
        int minute;
        bool inside;
        int left; // of what is inside
    };
    for (const Row& row : {Row{"22:00-07:00", 23 * 60 + 59, true, 7 * 60 + 1},
                           {"22:00-07:00", 0, true, 7 * 60},
                           {"22:00-07:00", 6 * 60 + 59, true, 1},
                           {"22:00-07:00", 7 * 60, false, 0},
                           {"22:00-07:00", 12 * 60, false, 0},
                           {"09:00-17:00", 9 * 60, true, 8 * 60},
                           {"00:00-24:00", 700, true, 24 * 60}}) { // it never ends
        CAPTURE(row.window, row.minute);
        CHECK(TimeWindow::parse(row.window)->contains(row.minute) == row.inside);
        if (row.inside) {
            CHECK(TimeWindow::parse(row.window)->minutes_left(row.minute) == row.left);
        }
    }
    CHECK(TimeWindow::parse("00:00-00:00")->contains(700)); // as older versions wrote the whole day
    CHECK(TimeWindow::parse("00:00-24:00")->text() == "00:00-24:00");
    CHECK(TimeWindow::parse("22:00-24:00")->text() == "22:00-24:00");
    CHECK(TimeWindow::parse("24:00-06:00").error().find("24:00") != std::string::npos);
    CHECK(TimeWindow::parse("02:30-02:30").error().find("same time") != std::string::npos);
    for (const char* text : {"24:00-06:00", "24:00-24:00", "02:30-02:30", "", "22-7", "22:00",
                             "24:30-07:00", "22:00-07:60", "aa:bb-cc:dd"}) {
        CHECK_FALSE(TimeWindow::parse(text));
    }
}

TEST_CASE("analysis spec: one of a strategy that is gone goes on as uniform, and says so") {
    // As they were stored.
    const std::string numbers =
        R"("growth":1.0,"horizon":4.0,"loosening":0.125,"other_side":0.5,"per_cp":0.05,)"
        R"("per_ply":0.25,"per_rank":0.0,"shuffle":1.0,"step":1.0,"threshold":20.0)";
    for (const std::string kind : {"interest", "consistency", "minmax"}) {
        for (const bool window : {true, false}) {
            INFO(kind << window);
            std::vector<std::string> findings;
            const AnalysisSpec spec = parse_spec(
                R"({"strategy":{"kind":")" + kind +
                    R"(","refine":3,"level_budget":"joint","bonus":1.0,"carry":1.0,"dullness":0.8,)" +
                    R"("spread":1.0,)" + (window ? R"("move_distance":17,"floor":8,)" : "") +
                    numbers + R"(},"budget":{"positions":9}})",
                &findings);
            AnalysisSpec wanted;
            wanted.strategy = analysis::default_parameters("uniform");
            wanted.strategy.move_distance = window ? 17 : wanted.strategy.move_distance;
            wanted.strategy.floor = window ? 8 : wanted.strategy.floor;
            wanted.strategy.refine = 3;
            wanted.budget.positions = 9;
            CHECK(spec == wanted);
            REQUIRE(findings.size() == 1);
            CHECK(findings[0] == "there is no strategy '" + kind +
                                     "' any more; uniform goes on with its facts and its window");
        }
    }
    // Numbers that are gone are passed over.
    std::vector<std::string> findings;
    const std::string before =
        R"({"strategy":{"kind":"dropout","level_budget":"in_turn",)" + numbers;
    AnalysisSpec wanted;
    wanted.strategy = analysis::default_parameters("dropout");
    wanted.strategy.own = {0.25, 0.05, 0.5};
    CHECK(parse_spec(before + "}}", &findings) == wanted);
    CHECK(findings.empty());
    CHECK(parse_spec(before + R"(,"carry":0.5}})", &findings) == wanted);
    CHECK(findings.empty());
}

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
