// The schema's versions: which one a database has, and the steps from one to the next.
#pragma once

#include "storage/postgresql/connection.hpp"

#include <span>
#include <string_view>

namespace adjourn::storage::postgresql {

// One numbered file of migrations/postgresql/: brings a database from version − 1 to version.
struct Migration {
    int version; // 1, 2, 3 …
    std::string_view name;
    const char* sql;
};

// Those built into this program, in order.
std::span<const Migration> migrations();

// 0 for a database without store. Throws StoreError where the version is beyond those of `known`.
int schema_version(Connection& connection, std::span<const Migration> known);

// For reading: throws StoreError unless it is a whole store of exactly the last version.
void require_current(Connection& connection, std::span<const Migration> known);

// Takes the steps that are missing, each in one transaction of its own. Only for the owner. Throws
// StoreError.
void migrate(Connection& connection, std::span<const Migration> steps);

// What the table `adjourn` says under that name; "" if nothing.
std::string property(Connection& connection, const std::string& name);
void set_property(Connection& connection, const std::string& name, const std::string& value);
// What the owner announced: to whoever opens the store, and to workers.
inline constexpr const char* owner_property = "owner";
inline constexpr const char* workers_property = "workers";

// While a copy into it is not finished, the database is no store. Throws StoreError.
inline constexpr const char* copying = "copying";
void require_whole(Connection& connection);

// The lock of the owner, held until the connection ends. Throws StoreInUse.
void lock_as_owner(Connection& connection);
// Whether anybody has it. Throws PostgresError.
bool has_owner(Connection& connection);
// Before the connection ends. Throws PostgresError.
void unlock_as_owner(Connection& connection);

} // namespace adjourn::storage::postgresql
