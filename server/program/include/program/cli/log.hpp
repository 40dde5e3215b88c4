// The log on standard error.
#pragma once

#include "host/config.hpp"

namespace adjourn::server {

// Text: "12:00:00 warning …"; to systemd's journal (as $JOURNAL_STREAM tells) "<4>…", from which it
// takes the level, and the time is its own. JSON: one object a line, {"time","level","message"},
// the time in UTC as RFC 3339 has it.
void set_log(const LogSettings& settings);

} // namespace adjourn::server
