// Copying a whole store to another place, of whatever kind: a directory or postgresql://….
#pragma once

#include "storage/maintenance.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace adjourn::storage {

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
