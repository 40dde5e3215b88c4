// Tables: the columns of every table, once for all kinds of store, which have the same ones
// (docs/internals/database-format.md); the statements that follow from them, and the checksum by
// which a row proves itself.
#pragma once

#include "storage/store.hpp"

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace adjourn::storage {

using Bytes = std::span<const std::uint8_t>;
using Buffer = std::vector<std::uint8_t>;

// An id of the records as the database keeps it.
template <class Id>
std::int64_t row(Id id) {
    return static_cast<std::int64_t>(id);
}

// Why a write is refused, in the words of all stores.
inline std::unexpected<std::string> refuse(const std::string& what, const std::string& why) {
    return std::unexpected(what + " refused: " + why);
}

template <class Id>
std::string no_such(const char* what, Id id) {
    return std::string{"there is no "} + what + " " + std::to_string(row(id));
}

constexpr std::int64_t numbers_per_position = 65'536;

// Whether it answers its question.
inline bool has_exact_score(const Evaluation& evaluation) {
    return evaluation.move && evaluation.score && evaluation.bound == analysis::Bound::exact;
}

// A value of a row. Text and bytes live where the row does.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string_view, Bytes>;
using Cells = std::span<const Cell>;

// NULL reads as 0 or as nothing.
std::int64_t integer(const Cell& cell);
Bytes bytes(const Cell& cell); // of text, too
std::string text(const Cell& cell);
inline bool is_null(const Cell& cell) {
    return cell.index() == 0;
}

enum class ColumnType : std::uint8_t { int8, int4, int2, real, text, bytes };

// Whose number stands in a column, or is a part of the number there.
enum class Refers : std::uint8_t { nothing, engine, position, fact, source };

struct Column {
    const char* name;
    ColumnType type = ColumnType::int8;
    Refers refers = Refers::nothing;
};

inline constexpr std::string_view checksum_column = "checksum";

struct Table {
    const char* name;
    const char* row; // what a row is called where it is told of
    // The key's first. `checksum`, where a row has one, last.
    std::vector<Column> columns;
    std::size_t key = 1;  // columns of the key
    std::size_t told = 0; // the column of the number that goes with the row's name
    // What is summed up to see that two tables have the same, as SQL: an integer that small, that
    // no sum of it ends. Of rows with a checksum it is that.
    std::string_view tally = checksum_column;
    bool large = false;         // read and copied in parts; what is not is copied as a whole
    bool numbered = false;      // ids are never given twice
    bool references_first = {}; // in the checksum

    bool sealed() const { return tally == checksum_column; } // has a checksum
};

namespace tables {
extern const Table engines, positions, evaluations, failures, analyses, directives, snapshots,
    sources, seeds, usage, files, machines, clouds, asked, asked_sums, totals;
}
// In an order in which every row comes after those that it refers to.
std::span<const Table* const> all_tables();

// "analysis 7"
std::string row_name(const Table& table, Cells row);

// ---- rows as they are read: the columns in order, then for each column that refers to another row
// what that one says: an engine's fingerprint, a position's key, the text of a source ----

// "SELECT … FROM table"
std::string select_rows(const Table& table);
// Of such a row. Of rows that refer to others it is of what these say, not of their numbers; NULL
// counts as −1 among numbers and as nothing among texts and bytes.
std::int64_t checksum(const Table& table, Cells row);
// Whether it is what was written; true where the table has no checksums.
bool is_sound(const Table& table, Cells row);

// ---- statements on the columns alone; parameters are $1, $2 … ----

std::string key_columns(const Table& table);
std::string all_columns(const Table& table);
// "(a, b) > ($1, $2)" and the like, on the key; `first` is the number of the first parameter.
std::string key_condition(const Table& table, const char* compare, std::size_t first = 1);
// Adds a row.
std::string copy_row(const Table& table);
// Likewise, or gives the one with its key these columns.
std::string put_row(const Table& table);
// Adds a row without its id, and returns that.
std::string add_row(const Table& table);
// Of which the first columns, or those behind the key, are as said.
std::string where_columns(const Table& table, std::size_t first, std::size_t count);

} // namespace adjourn::storage
