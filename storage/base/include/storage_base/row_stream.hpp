// Rows of a store as they are, table by table in the order of their keys: what `copy` moves from
// one kind of store to another. Every kind has the same tables and columns
// (docs/internals/database-format.md).
#pragma once

#include "storage_base/bytes.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace adjourn::storage {

enum class ColumnType : std::uint8_t { int8, int4, int2, real, text, bytes };

struct Column {
    const char* name;
    ColumnType type = ColumnType::int8;
};

struct TableShape {
    const char* name;
    std::vector<Column> columns; // the key's first
    std::size_t key = 1;         // columns of the key
    // What is summed up over rows to see that two tables have the same, as SQL: an integer that
    // small, that no sum of it ends.
    const char* tally;
    bool large = false;    // copied in parts; what is not is copied as a whole
    bool numbered = false; // ids are never given twice
};

// In an order in which every row comes after those that it refers to.
std::span<const TableShape> table_shapes();

using Value = std::variant<std::monostate, std::int64_t, double, std::string>; // text and bytes
using Row = std::vector<Value>;

struct Tally {
    std::int64_t rows = 0;
    std::int64_t sum = 0;
    friend bool operator==(const Tally&, const Tally&) = default;
};

// One thread at a time. All throw StoreError.
class RowSource {
public:
    RowSource() = default;
    RowSource(const RowSource&) = delete;
    RowSource& operator=(const RowSource&) = delete;
    virtual ~RowSource() = default;

    // Of the rows up to that key; of all if there is none.
    virtual Tally tally(const TableShape& table, const std::optional<Row>& up_to) = 0;
    // The first `most` behind that key.
    virtual std::vector<Row> rows(const TableShape& table, const std::optional<Row>& after,
                                  std::size_t most) = 0;
    // The largest id that was ever given.
    virtual std::int64_t last_id(const TableShape& table) = 0;
};

// A store that is being made. It is none for anybody else until finish().
class RowTarget : public RowSource {
public:
    // Durable on return, or nothing of them is there.
    virtual void write(const TableShape& table, std::span<const Row> rows) = 0;
    // Also of rows that refer to its rows.
    virtual void clear(const TableShape& table) = 0;
    virtual std::optional<Row> last_key(const TableShape& table) = 0;
    virtual void set_last_id(const TableShape& table, std::int64_t id) = 0;
    // Looks at the whole, and makes it a store where nothing is wrong. Returns the findings.
    virtual std::vector<std::string> finish() = 0;
};

// " WHERE (a, b) > (?, ?)" and the like; "" without key. `mark` makes the n-th parameter, from 1.
std::string key_condition(const TableShape& table, const char* compare,
                          const std::optional<Row>& key, std::string (*mark)(int));
std::string key_columns(const TableShape& table);
std::string all_columns(const TableShape& table);
Row key_of(const TableShape& table, const Row& row);

} // namespace adjourn::storage
