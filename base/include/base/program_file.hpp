// The file that this program was started from.
#pragma once

#include <filesystem>

namespace adjourn::base {

// Absolute, links resolved; also where the dynamic loader was started with this program as its
// argument, as the launcher of the archive does: /proc/self/exe is the loader then. A name that no
// file has where the file is gone or another took its place; "" without /proc. Any thread.
std::filesystem::path program_file();

} // namespace adjourn::base
