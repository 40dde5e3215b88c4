// KeptFile: games that a person brought to an analysis, with all their versions, as the store has
// them (docs/decisions/122-files-in-versions.md). Nobody keeps it in memory: it is read when
// somebody asks, and what is to change is a value for Store::write. Pure, but for what reads.
#pragma once

#include "chess/game_reader.hpp"
#include "chess/game_tree.hpp"
#include "core/records/analysis_spec.hpp"
#include "storage/store.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

constexpr std::size_t most_kept_games = 2'000; // of a file

class KeptFile {
public:
    using Version = storage::FileRecord;

    // Versions of one file, oldest first; not empty.
    explicit KeptFile(std::vector<Version> versions);

    std::int64_t id() const { return id_; }
    analysis::AnalysisId analysis() const { return analysis_; }
    const std::string& name() const { return name_; }
    analysis::UnixMs at() const { return at_; } // when it came
    bool deleted() const { return deleted_; }
    // The last version of each game that is there, by number.
    std::vector<const Version*> games() const;
    const Version* game(std::int64_t number) const; // null: there is none
    // What the games were before somebody changed or deleted them.
    std::vector<const Version*> earlier() const;

    // ---- what is to be written; without rows: nothing ----
    // These games from number 1 on, and no others. An empty name: as it is.
    storage::FileChange with(const std::string& name, const std::vector<std::string>& games,
                             analysis::UnixMs at) const;
    storage::FileChange with_game(std::int64_t number, std::string pgn, analysis::UnixMs at) const;
    storage::FileChange without(analysis::UnixMs at) const; // deleted
    // The last change of a game is taken back, and with the next call the one before it; of number
    // 0 that of the file's name, or that it was deleted. Error: there is nothing to take back.
    std::expected<storage::FileChange, std::string> undone(std::int64_t number,
                                                           analysis::UnixMs at) const;

private:
    const Version* last(std::int64_t number) const; // null: there was none
    Version next(std::int64_t number, std::string text, analysis::UnixMs at) const;

    std::int64_t id_;
    analysis::AnalysisId analysis_;
    std::string name_;
    analysis::UnixMs at_;
    bool deleted_ = false;
    std::map<std::int64_t, std::vector<Version>> versions_; // by number
};

storage::FileChange new_file(analysis::AnalysisId analysis, const std::string& name,
                             const std::vector<std::string>& games, analysis::UnixMs at);

// Any thread; these block for the disk and throw storage::StoreError.
// Those that are not deleted, the oldest first.
std::vector<KeptFile> kept_files(const storage::Store& store, analysis::AnalysisId analysis);
// nullopt: the analysis has none of this number. Also one that is deleted.
std::optional<KeptFile> kept_file(const storage::Store& store, analysis::AnalysisId analysis,
                                  std::int64_t file);
// All their games, file by file: as they are, and as they were before somebody changed them.
std::vector<chess::AnnotatedGame> games_of(const std::vector<KeptFile>& files);
std::vector<chess::AnnotatedGame> earlier_games_of(const std::vector<KeptFile>& files);
// One that a file has. Empty text: none.
std::optional<chess::AnnotatedGame> game_of(const std::string& pgn);

// PGN text as a file of an analysis. What an import and the calls of files do.

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

// Leaving: games of a person's files that leave the moves which the files before them have. Pure.

struct LeavingGame {
    std::string players;            // "White – Black", or the file's name
    std::vector<chess::Move> line;  // from the root; the last one is the move that leaves
    std::vector<chess::Move> known; // what the files before have in its place
    analysis::UnixMs at = 0;        // when the game came
    std::optional<chess::Color> me; // which side is mine; nullopt: nobody said
};

// Of files that came after `since`, `most` games at most, those first that leave the latest. Where
// a game does not lead through the root or nothing before it does, it leaves nothing. `files`: all
// of an analysis, the oldest first. Where `mine` has my names, games of others are only known, and
// mine only looked at: what I played is not what I should have known.
std::vector<LeavingGame> games_that_leave(const std::vector<KeptFile>& files,
                                          const chess::Position& root, analysis::UnixMs since,
                                          std::size_t most, const Labels& mine = {});

} // namespace adjourn::server
