// What `adjourn doctor` looks at. Each check looks at one thing, changes nothing, and says what it
// found in words for people.
#pragma once

#include "host/config.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace adjourn::server {

class InstalledEngines;

struct Finding {
    enum class Kind : std::uint8_t { good, doubtful, bad };
    Kind kind = Kind::good;
    std::string what;
    std::string cure; // "" if good
};
using Findings = std::vector<Finding>;

// Of the file that was read: may others read its tokens; are they long enough.
Findings check_tokens(const Config& config, const std::filesystem::path& file);
// Exists or can be made, may be written, has room, lies on a file system that SQLite can use.
Findings check_data_directory(const std::filesystem::path& directory);
// Opens it for reading: schema, number of evaluations, who owns it; no fact is of the future.
Findings check_store(const std::filesystem::path& directory, std::int64_t now_ms);
// Starts one process of each profile and asks it about the start position. Blocks, 30 s at most for
// each.
Findings check_engines(const Config& config, std::int64_t now_ms);
// Engines that people could add. Blocks.
Findings check_installed(InstalledEngines& installed);
// Processes, threads, hash and descriptors against what the machine has.
Findings check_machine(const Config& config);
Findings check_tables(const Config& config);
// Whether the address can be listened on, unless a server has the data directory already.
Findings check_address(const Config& config, const std::filesystem::path& directory);
Findings check_page(const std::string& directory);

} // namespace adjourn::server
