// Extension: more work for an analysis that has ended, or would end.
#pragma once

#include <cstdint>

namespace adjourn::server {

struct Extension {
    enum class Kind : std::uint8_t {
        hours,     // of all processes of its engine
        levels,    // settled ones
        positions, // expanded
        nodes,     // of its own searches
        until,     // this moment, UnixMs
    };
    Kind kind = Kind::hours;
    double amount = 1;

    friend bool operator==(const Extension&, const Extension&) = default;
};

} // namespace adjourn::server
