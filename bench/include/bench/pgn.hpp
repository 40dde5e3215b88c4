// Speed of reading PGN, beside pgn-extract's in the same run, and of importing it into the store.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace adjourn::bench {

// [--file FILE] [--games N] [--repeat N] [--directory DIR] [--pgn-extract PATH]: reads FILE, or N
// (5,000) made-up games of up to 160 plies, with every move resolved and checked; the same by
// `pgn-extract -r`, where that is installed; and imports it as seeds into a new store under DIR
// (the temporary directory), which is removed afterwards. Best of --repeat (3) runs. 0 done, 1 if
// something could not be measured, 2 bad arguments.
int run_pgn(const std::vector<std::string>& args, std::ostream& out);

} // namespace adjourn::bench
