// How long a server makes its callers wait while it starts, accepts, imports and is browsed.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace adjourn::bench {

// [--facts N] [--games N] [--directory DIR] [--seed S]: makes a store of N (1,000,000) facts and
// half as many of another engine under DIR (the temporary directory), which is removed afterwards;
// serves it on the loopback interface, and calls it while it reads its graphs, while an analysis
// accepts the other engine, and while games are imported into it. Prints the times of the calls and
// what held the core's thread longest. 0 done, 1 a call failed, 2 bad arguments.
int run_serve(const std::vector<std::string>& args, std::ostream& out);

} // namespace adjourn::bench
