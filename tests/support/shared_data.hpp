// Real data of other projects: all of it beside the checkout, else the sample within it, which has
// the same folders. And how a test says that it could not do its work.
#pragma once

#include <filesystem>
#include <string>

namespace adjourn {

// Whether all of it is there, and not only the sample.
bool has_all_data();

// The folder with fen/, perft/, pgn/, polyglot/, syzygy/, uci/ … ; relative to the checkout.
std::filesystem::path data_root();

// Says why the running test, or a part of it, checks nothing; ./test lists it among its last lines.
void skip(const std::string& reason);

} // namespace adjourn
