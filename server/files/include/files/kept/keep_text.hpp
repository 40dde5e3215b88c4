// PGN text as a file of an analysis. What an import and the calls of files do.
#pragma once

#include "chess/game_reader.hpp"
#include "files/kept/kept_file.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace adjourn::server {

// Games as a file has them, and what had to be mended or left out.
struct GamesText {
    std::vector<std::string> games;
    chess::ReadingReport told;
};
GamesText read_games_text(std::string_view text);

// {mended, refused, told:[{game, line, column, message}]}, the first hundred of them.
nlohmann::json told_json(const chess::ReadingReport& told);
// The inverse; every note counts as mended. Throws nlohmann::json::exception.
chess::ReadingReport told_of(const nlohmann::json& json);

struct Kept {
    std::int64_t file = 0;
    bool known = false; // the same games were there under this name, and nothing was written
};
// Durable on return; blocks for the disk, throws storage::StoreError where it cannot be read. Not
// on the store's writer thread. Error: the store cannot write.
std::expected<Kept, std::string> keep(storage::Store& store, analysis::AnalysisId analysis,
                                      const std::string& name,
                                      const std::vector<std::string>& games, analysis::UnixMs at);

} // namespace adjourn::server
