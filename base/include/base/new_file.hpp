// A file that a program makes for itself, beside others.
#pragma once

#include "base/unique_fd.hpp"

#include <filesystem>
#include <string_view>

namespace adjourn::base {

// Whatever had the name loses it: nothing is written where a link leads that somebody has put
// there. Its owner's alone unless `mode` says more. Where there is none, errno says why.
UniqueFd make_new_file(const std::filesystem::path& file, int mode = 0600);
// All of it; blocks for the disk. False: errno says why.
bool write_whole(int file, std::string_view bytes);

} // namespace adjourn::base
