// The positions of a site, in pieces that its page loads as somebody walks (decision 142).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::server {

// A position of a site. Positions are numbered from 0, the root of the analysis; each is there
// once, however many lines lead to it.
struct SitePosition {
    std::string node;                // JSON, as the API answers it by the line that led here first
    std::string verdict;             // JSON, the same; "" where there is none
    std::optional<std::size_t> from; // the position before on that line; nullopt: the root
    // Moves (UCI, as in `node`) to other positions of the site, with their numbers.
    std::vector<std::pair<std::string, std::size_t>> to{};
};

struct SiteChunks {
    // The number of each chunk's first position. The numbers are new ones, so that neighbours in
    // the tree are together: those of a chunk follow each other.
    std::vector<std::size_t> starts;
    // JSON of each: an array of {"from": number | null, "to": {uci: number}, "node", "verdict"?}.
    std::vector<std::string> texts;
};

inline constexpr std::size_t site_chunk_bytes = 128 * 1024;

// Chunks of about `bytes`, never more unless one position is larger. The first one has the root
// and what is nearest; each other one subtrees, nearest first. Positions whose `from` is not
// among them do not occur. Pure.
SiteChunks site_chunks(const std::vector<SitePosition>& positions,
                       std::size_t bytes = site_chunk_bytes);

// A script that hands a JSON value to the page: it works from a folder, where no page may fetch a
// file. `name` is a name of letters, digits and "-".
std::string site_script(const std::string& name, const std::string& json);

} // namespace adjourn::server
