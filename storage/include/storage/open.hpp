// The factory of stores: what kind there is at a location is known here and nowhere else.
#pragma once

#include "storage/store.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace adjourn::storage {

enum class OpenMode : std::uint8_t {
    owner, // creates the directory and schema, migrates; holds the directory's lock while open
    read,  // for looking only: fails where there is no store or its schema is not this program's
};

// A data directory has one owner. Thrown by open_store when somebody else is it; the holder's text
// is what that process wrote with write_owner (its HTTP address), or "".
class StoreInUse : public StoreError {
public:
    StoreInUse(const std::string& message, std::string holder)
        : StoreError{message}, holder_{std::move(holder)} {}
    const std::string& holder() const { return holder_; }

private:
    std::string holder_;
};

// `location`: a directory, whose store is DIR/adjourn.db (SQLite in WAL mode, one writer thread,
// group commit, synchronous=FULL). A text like "kind://…" names a store of another kind, of which
// there are none yet. Throws StoreError (unwritable directory, newer schema, not a database, no
// such kind …) or StoreInUse.
std::unique_ptr<Store> open_store(const std::filesystem::path& location, OpenMode mode);

// Tells others how to reach the owner (kept in DIR/owner beside the lock). Only the owner may call
// it.
void write_owner(const std::filesystem::path& directory, const std::string& text);
// What the owner wrote ("" = nothing so far); nullopt if the directory has no owner now. Changes
// nothing.
std::optional<std::string> owner_of(const std::filesystem::path& directory);

} // namespace adjourn::storage
