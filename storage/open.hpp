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

// A store has one owner. Thrown by open_store when somebody else is it; the holder's text is what
// that process announced (Store::announce: its HTTP address), or "".
class StoreInUse : public StoreError {
public:
    StoreInUse(const std::string& message, std::string holder)
        : StoreError{message}, holder_{std::move(holder)} {}
    const std::string& holder() const { return holder_; }

private:
    std::string holder_;
};

// `location`: a directory, whose store is DIR/adjourn.db (SQLite in WAL mode, one writer thread,
// group commit, synchronous=FULL), or "postgresql://…" as libpq reads it, a database of PostgreSQL.
// Throws StoreError (unwritable directory, no connection, newer schema, not a database, no such
// kind, none in this build, tables that no program of ours made …) or StoreInUse.
std::unique_ptr<Store> open_store(const std::filesystem::path& location, OpenMode mode);

// Whether it names a store that is no directory: "postgresql://…".
bool is_url(const std::filesystem::path& location);
// Whether this build has stores of that kind.
bool has_kind(const std::filesystem::path& location);
// For people: without the password that a URL may hold.
std::string shown(const std::filesystem::path& location);

// What the owner of a directory announced ("" = nothing so far); nullopt if it has no owner now.
// Changes nothing.
std::optional<std::string> owner_of(const std::filesystem::path& directory);

// What the owner of a database announced to workers ("" = nothing so far); nullopt if it has no
// owner now. Blocks for the database. Throws StoreError where it cannot be reached, or has no
// store, and for a directory, which only its owner can reach.
std::optional<std::string> announced_to_workers(const std::filesystem::path& location);

// Whether the store has an owner at present. Blocks for the database; throws StoreError where it
// cannot be reached.
bool has_owner(const std::filesystem::path& location);

} // namespace adjourn::storage
