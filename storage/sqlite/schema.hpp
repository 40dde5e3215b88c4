// The schema's versions: which one a file has, and the steps from one to the next.
#pragma once

#include "storage/sqlite/database.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace adjourn::storage {

// One numbered file of migrations/: brings a database from version − 1 to version.
struct Migration {
    int version; // 1, 2, 3 …
    std::string_view name;
    const char* sql;
};

// Those built into this program, in order.
std::span<const Migration> migrations();

// How the tables, indexes and triggers of a file differ from what those steps make: one line each.
struct SchemaDifference {
    std::vector<std::string> other;   // "table extra of extra: CREATE TABLE extra (x)"
    std::vector<std::string> missing; // "trigger engines_stay of engines"
    // The first of `other` that is none of ours with a few bytes damaged; "" if there is none.
    std::string strange;
};
SchemaDifference compare_schema(Database& database, std::span<const Migration> steps);

constexpr std::int64_t application_id = 0x41646a6e; // "Adjn", in the file's header

// The version of the schema; 0 for a file with nothing in it. Throws StoreError if it is the
// database of some other program, of a version beyond `known`, or has what no program of ours made
// (SchemaDifference::strange): a view in a table's place may be read for ever.
int schema_version(Database& database, std::span<const Migration> known);

// For reading: throws StoreError unless the file is a store of exactly the last version of `known`.
void require_current(Database& database, std::span<const Migration> known);
[[noreturn]] void throw_no_store(const std::filesystem::path& file,
                                 const std::error_code& why = {});

// Takes the steps that are missing, each in one transaction of its own, which either ends with the
// new version or leaves everything as it was. Only for the owner. Throws StoreError.
void migrate(Database& database, std::span<const Migration> steps);

// What is looked at of a file besides its rows: pages, schema, references.
// One line a finding, at most 200 of them and then how many more; empty = sound. Sees one snapshot.
// Reads everything: about a minute for 10 million evaluations. Throws StoreError where reading has
// no end, or is stopped.
std::vector<std::string> check_database(Database& database);

} // namespace adjourn::storage
