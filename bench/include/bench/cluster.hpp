// A server and its workers on one machine, under faults: what is lost, what is doubled, how busy.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace adjourn::bench {

// Grows the same trees several times, with real processes of `adjourn serve`, `adjourn worker` and
// hash_engine: by one server on a directory; by --workers N (8) with --engines M (8) each on a
// PostgreSQL of its own, first in peace, then while processes are killed and stopped and the
// database is restarted; by workers over HTTP. --faults N (4) of each kind, drawn by --seed S (1).
// Prints a table of speed, the faults, and whether all evaluations are there, once, and the same.
// Returns 0; 1 if something is lost, doubled or different, or does not go on; 2 for bad arguments.
// Where PostgreSQL is missing, that part is left out and said so.
int run_cluster(const std::vector<std::string>& args, std::ostream& out);

} // namespace adjourn::bench
