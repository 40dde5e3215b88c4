// `adjourn export --format site`: an analysis as a web site of files, which needs no server. Its
// positions are asked of the API one by one, so that the site says what the page says.
#pragma once

#include "program/client/remote.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <string>

namespace adjourn::server {

// What a site keeps of a position: what its page does not read, and what would tell of other
// machines and of lines elsewhere in the graph, is left out; so is what has its usual value
// (web/src/data/site/siteNode.ts puts it back). Nothing is made.
nlohmann::json site_node(nlohmann::json node);
nlohmann::json site_verdict(nlohmann::json verdict);

struct SiteOptions {
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
write_site(Remote& remote, const SiteOptions& options,
           const std::function<void(std::uint64_t, std::uint64_t)>& progress);

} // namespace adjourn::server
