// A file of games as analyses, one for each game or chapter.
#pragma once

#include "program/cli/common.hpp"

#include <istream>
#include <string>

namespace adjourn::server {

struct EachGame {
    bool at_start = false; // root: where the game begins; else where it ends
    bool hold = false;     // made paused
    bool print_json = false;
};
// Makes them, here or in the server that has the store, and keeps each game as the file of its
// analysis, called `name`. Returns the exit code.
int import_each(const CommonOptions& common, std::istream& in, const std::string& name,
                const EachGame& options);

} // namespace adjourn::server
