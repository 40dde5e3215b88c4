// How long a server makes its callers wait while its database says nothing.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace adjourn::bench {

// [--seconds N] [--facts N] [--seed S]: serves a store of N (20,000) facts in a PostgreSQL of its
// own, stops all processes of the database for so many seconds (60), and calls the server
// meanwhile, one call after the other. Prints the times of the calls, what they said, and when the
// server did. 0 done, 1 there is no PostgreSQL, or a call failed, 2 bad arguments.
int run_silence(const std::vector<std::string>& args, std::ostream& out);

} // namespace adjourn::bench
