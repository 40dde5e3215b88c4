// A small file that is written anew: it has the old text or the new one, whenever the power goes.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>

namespace adjourn::base {

// Nobody but its owner may read it. Blocks for the disk; one writer at a time. Error: why not, in
// words.
std::expected<void, std::string> replace_file(const std::filesystem::path& file,
                                              std::string_view text);

} // namespace adjourn::base
