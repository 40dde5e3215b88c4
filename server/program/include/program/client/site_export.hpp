// `adjourn export --format site`: an analysis as a web site of files, which needs no server.
#pragma once

#include "program/client/site_walk.hpp"

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <string>

namespace adjourn::server {

struct SiteWish {
    std::int64_t id = 0;
    std::string moves; // from the position after these; as people type them
    int margin = 100;
    std::size_t plies = 40;
    std::size_t max_moves = 100'000;
    std::filesystem::path directory;
    std::filesystem::path page; // of the build: web/dist/site
    std::int64_t now = 0;       // Unix ms
};

struct SiteWritten {
    std::size_t positions = 0;
    std::size_t moves = 0; // listed at them
    bool cut = false;      // by max_moves
};

// Blocks until the site is there, or nothing has changed. `progress`: positions so far, and how
// many there are at most. What the site has of other analyses is nothing; what it has of machines,
// tokens and paths, too.
std::expected<SiteWritten, Refusal>
write_site(Remote& remote, const SiteWish& wish,
           const std::function<void(std::uint64_t, std::uint64_t)>& progress);

} // namespace adjourn::server
