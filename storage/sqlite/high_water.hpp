// HighWater: how far a store has come, noted in a small file beside it. A store that has come less
// far has lost its log or a part of it, or an older file was put in its place: SQLite takes that
// for what was stored.
#pragma once

#include "storage/sqlite/database.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::storage {

// Numbers that never become smaller: evaluations, and the last numbers given to analyses,
// directives, snapshots and versions of files, of which any may be deleted again.
struct Level {
    std::array<std::int64_t, 5> counts{};
    friend bool operator==(const Level&, const Level&) = default;
};
// As the connection sees it; nullopt if it cannot be read.
std::optional<Level> level_of(Database& database);

class HighWater {
public:
    // Reads DIR/acknowledged; one that is not whole counts as none.
    explicit HighWater(const std::filesystem::path& directory);
    HighWater(const HighWater&) = delete;
    HighWater& operator=(const HighWater&) = delete;
    ~HighWater();

    // Compares, before anything is written. `keep`: notes where the store is from now on, and what
    // is missing until accept(). Of the owner.
    void compare(const Level& level, bool keep);
    // What is missing, for people; "" if nothing is. Any thread.
    std::string missing() const;
    // Is missing no longer. Any thread; writes, and does not wait for the disk.
    void accept();
    // So far it has come, durably. Does not wait for the disk: after a crash of the machine the
    // file may tell less. Any thread.
    void note(const Level& level);

private:
    struct Mark {
        std::int64_t at = 0; // ms since 1970
        Level level;
        std::int64_t missing_at = 0; // when what is missing had been there; 0: nothing is
        Level missing;
    };
    void write(); // with the mutex

    const std::filesystem::path file_;
    int descriptor_ = -1; // while it is kept: the file that was opened, wherever it is moved
    mutable std::mutex mutex_;
    std::optional<Mark> mark_;
};

// FileWatch: whether the files that this process has open are still those of their names. Somebody
// may remove or replace them, or a mount may go; what is written then is gone with the process.

class FileWatch {
public:
    // Of those that exist now.
    explicit FileWatch(std::vector<std::filesystem::path> files);

    // Which of them is not at its place; "" if all are. Any thread.
    std::string trouble() const;

private:
    struct Watched {
        std::filesystem::path file;
        std::pair<std::uint64_t, std::uint64_t> identity; // device, inode
    };
    std::vector<Watched> watched_;
};

} // namespace adjourn::storage
