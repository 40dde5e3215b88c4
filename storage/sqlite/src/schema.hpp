// The schema's versions: which one a file has, and the steps from one to the next.
#pragma once

#include "database.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>

namespace adjourn::storage {

// One numbered file of migrations/: brings a database from version − 1 to version.
struct Migration {
    int version; // 1, 2, 3 …
    std::string_view name;
    const char* sql;
};

// Those built into this program, in order.
std::span<const Migration> migrations();

constexpr std::int64_t application_id = 0x41646a6e; // "Adjn", in the file's header

// The version of the schema; 0 for a file with nothing in it. Throws StoreError if it is the
// database of some other program, or of a version beyond `known`.
int schema_version(Database& database, std::span<const Migration> known);

// For reading: throws StoreError unless the file is a store of exactly the last version of `known`.
void require_current(Database& database, std::span<const Migration> known);
[[noreturn]] void throw_no_store(const std::filesystem::path& file,
                                 const std::error_code& why = {});

// Takes the steps that are missing, each in one transaction of its own, which either ends with the
// new version or leaves everything as it was. Only for the owner. Throws StoreError.
void migrate(Database& database, std::span<const Migration> steps);

} // namespace adjourn::storage
