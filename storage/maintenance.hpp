// What is done to a data directory as a whole: backup, repair, copies. All throw StoreError
// where the environment does not work; nothing of what they write has its name before it is whole.
#pragma once

#include "storage/store.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace adjourn::storage {

// How much is done, of how much; may be called often. May be empty.
using Advance = std::function<void(std::uint64_t done, std::uint64_t of)>;

struct BackupReport {
    std::uint64_t evaluations = 0;
    std::uint64_t bytes = 0;
    std::vector<std::string> findings; // of the copy's check: what is wrong with the store, too
};

// Copies the store of `directory`, as it is at this moment, to a new file, and
// checks it; also while a server works there. The file is a whole store: as
// adjourn.db in a directory of its own it can be opened.
BackupReport back_up(const std::filesystem::path& directory, const std::filesystem::path& file,
                     const Advance& advance = {});

struct RepairReport {
    struct Table {
        std::string name;
        std::uint64_t taken = 0;
        std::uint64_t left_out = 0; // as far as they could be counted
    };
    std::vector<Table> tables;
    // What could not be read or is not what was written, row by row, and what was mended.
    std::vector<std::string> lines;
    std::vector<std::string> findings; // of the new store's check: none, if all went well
};

// Writes all that can be read and proves itself to a new store in `to`, which must be a new or an
// empty directory. The old one is only read; no server may work there.
RepairReport repair(const std::filesystem::path& directory, const std::filesystem::path& to,
                    const Advance& advance = {});

// Copying a whole store to another place, of whatever kind: a directory or postgresql://….
struct CopyReport {
    struct Table {
        std::string name;
        std::uint64_t rows = 0;
        std::uint64_t there_before = 0; // from a copy that was interrupted
    };
    std::vector<Table> tables;
    std::vector<std::string> findings; // of the copy's check: none, if all went well
};

// Copies the store at `from`, as it is at this moment, to `to`, where no store may be; also while a
// server works on `from`. What was interrupted goes on where it was when it is called again; if the
// store at `from` has changed where it was copied already, that table is copied anew. Rows go as
// they are, with their numbers and checksums; at the end all are counted and checked. Until then
// there is no store at `to`. Throws StoreError, StoreInUse.
CopyReport copy_store(const std::filesystem::path& from, const std::filesystem::path& to,
                      const Advance& advance = {});

} // namespace adjourn::storage
