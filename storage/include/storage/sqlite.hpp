// The SQLite store: DIR/adjourn.db in WAL mode, one writer thread, group commit, synchronous=FULL.
#pragma once

#include "storage/store.hpp"

#include <filesystem>
#include <memory>

namespace adjourn::storage {

enum class OpenMode : std::uint8_t {
    owner, // creates the directory and schema, migrates; holds the directory's lock while open
    read,  // for looking only: fails where there is no store or its schema is not this program's
};

// A data directory has one owner. Thrown by open_sqlite when somebody else is it; the holder's text
// is what that process wrote with write_owner (its HTTP address), or "".
class StoreInUse : public StoreError {
public:
    StoreInUse(const std::string& message, std::string holder)
        : StoreError{message}, holder_{std::move(holder)} {}
    const std::string& holder() const { return holder_; }

private:
    std::string holder_;
};

// Throws StoreError (unwritable directory, newer schema, not a database …) or StoreInUse.
std::unique_ptr<Store> open_sqlite(const std::filesystem::path& directory, OpenMode mode);

// Tells others how to reach the owner (kept in DIR/owner beside the lock). Only the owner may call
// it.
void write_owner(const std::filesystem::path& directory, const std::string& text);

} // namespace adjourn::storage
