// KeptFile: games that a person brought to an analysis, with all their versions, as the store has
// them (docs/decisions/122-files-in-versions.md). Nobody keeps it in memory: it is read when
// somebody asks, and what is to change is a value for Store::write. Pure, but for what reads.
#pragma once

#include "chess/annotated_game.hpp"
#include "storage/store.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
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

} // namespace adjourn::server
