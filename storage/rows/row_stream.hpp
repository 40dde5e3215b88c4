// Rows of a store as they are, table by table in the order of their keys: what `copy` moves from
// one kind of store to another. Every kind has the same tables and columns
// (docs/internals/database-format.md).
#pragma once

#include "storage/rows/tables.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace adjourn::storage {

using Value = std::variant<std::monostate, std::int64_t, double, std::string, Buffer>;
using OwnedRow = std::vector<Value>;

// Text and bytes as the columns say: kinds of store tell them apart differently.
OwnedRow own(const Table& table, Cells row);
std::vector<Cell> view(const OwnedRow& row); // lives as long as the row
// "a DESC, b DESC"
std::string key_backward(const Table& table);

struct RowTally {
    std::int64_t rows = 0;
    std::int64_t sum = 0;
    friend bool operator==(const RowTally&, const RowTally&) = default;
};

// One thread at a time. All throw StoreError.
class RowSource {
public:
    RowSource() = default;
    RowSource(const RowSource&) = delete;
    RowSource& operator=(const RowSource&) = delete;
    virtual ~RowSource() = default;

    // Of the rows up to that key; of all if there is none.
    RowTally tally(const Table& table, const std::optional<OwnedRow>& up_to);
    // The first `most` behind that key.
    std::vector<OwnedRow> rows(const Table& table, const std::optional<OwnedRow>& after,
                               std::size_t most);
    // The largest id that was ever given.
    virtual std::int64_t last_id(const Table& table) = 0;

protected:
    // A statement whose parameters are a key, or none.
    virtual void run(const std::string& sql, const std::optional<OwnedRow>& key,
                     const std::function<void(Cells)>& take) = 0;
};

// A store that is being made. It is none for anybody else until finish().
class RowTarget : public RowSource {
public:
    // Durable on return, or nothing of them is there.
    virtual void write(const Table& table, std::span<const OwnedRow> rows) = 0;
    // Also of rows that refer to its rows.
    virtual void clear(const Table& table) = 0;
    std::optional<OwnedRow> last_key(const Table& table);
    virtual void set_last_id(const Table& table, std::int64_t id) = 0;
    // Looks at the whole, and makes it a store where nothing is wrong. Returns the findings.
    virtual std::vector<std::string> finish() = 0;
};

OwnedRow key_of(const Table& table, const OwnedRow& row);

} // namespace adjourn::storage
