// The time zone in which hours of the day are meant.
#pragma once

#include "analysis/records.hpp"

#include <expected>
#include <string>

namespace adjourn::server {

struct TimeZone {
    std::string name;       // "Europe/Berlin"; an abbreviation where the system has no better one
    int offset_minutes = 0; // local time − UTC, at that moment

    friend bool operator==(const TimeZone&, const TimeZone&) = default;
};

// Why the system's database has no zone of that name; "" if it has one.
std::string time_zone_problem(const std::string& name);

// The process' zone from now on, by its name in the system's database. The error is for people.
// REQUIRES: no other thread runs (it sets $TZ).
std::expected<void, std::string> use_time_zone(const std::string& name);

TimeZone time_zone(analysis::UnixMs at);

} // namespace adjourn::server
