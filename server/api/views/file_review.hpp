// What an analysis says of all games of a file: a row for each game, and one for each
// player.
#pragma once

#include "core/graphs/analysis_run.hpp"
#include "files/kept/kept_file.hpp"
#include "files/review/review.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::server {

// The file and its games, read on any thread.
struct ReadFile {
    std::int64_t id = 0;
    std::string name;
    analysis::UnixMs at = 0;
    std::vector<std::pair<std::int64_t, GameLine>> games; // by number
};
ReadFile read_for_review(const KeptFile& file, const chess::Position& root);

// Any thread. Shape: docs/api/reference.md, Review.
nlohmann::json file_review_json(const RunReader& reader, const ReadFile& file);

// {id, name, at, games}
nlohmann::json head_json(const ReadFile& file);

} // namespace adjourn::server
