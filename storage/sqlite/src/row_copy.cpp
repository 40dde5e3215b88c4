#include "row_copy.hpp"

#include "read_around.hpp"
#include "storage_rows/row_stream.hpp"

#include <algorithm>

namespace adjourn::storage {

void RowCopy::by_number(const Table& of) {
    const std::string table = of.name, id = of.columns[0].name;
    Statement add{to_, copy_row(of)};
    auto& counted = tables_[table];
    Statement rows{from_, "SELECT " + all_columns(of) + " FROM " + table + " WHERE " + id +
                              " > ? ORDER BY " + id};
    std::int64_t last = 0; // row 0 and below are nowhere
    read_around(
        rows, 0,
        [](Statement& from, std::int64_t after) { from.bind(std::max<std::int64_t>(after, 0)); },
        [&] {
            if (rows.integer(0) > last) { // else pages in disorder
                last = rows.integer(0);
                take(table + " " + std::to_string(last), add, rows, counted);
            }
            return true;
        },
        [&](std::int64_t from, std::optional<std::int64_t> next, const std::string& why) {
            tell_(unreadable_rows(table, from, next, why));
        });
}

void RowCopy::by_key(const Table& of) {
    const std::string table = of.name;
    Statement add{to_, copy_row(of) + " ON CONFLICT DO NOTHING"};
    for (const std::string& order : {key_columns(of), key_backward(of)}) {
        try {
            Statement rows{from_,
                           "SELECT " + all_columns(of) + " FROM " + table + " ORDER BY " + order};
            while (rows.step()) {
                take("a row of " + table, add, rows, tables_[table]);
            }
            return;
        } catch (const SqliteError& error) {
            tell_(table + ": not all rows can be read: " + error.what());
        }
    }
}

void RowCopy::take(const std::string& what, Statement& add, const Statement& row,
                   RepairReport::Table& counted) {
    try {
        add.bind_row(row);
        while (add.step()) {
        }
        ++counted.taken;
    } catch (const SqliteError& error) {
        if (!error.data_fault()) {
            throw StoreError{error.what()}; // of the new file: no row is to blame
        }
        ++counted.left_out;
        tell_(what + ": " + error.what());
    }
    if (advance_ && ++done_ % 4'096 == 0) {
        advance_(done_, std::max(done_, expected_));
    }
}

} // namespace adjourn::storage
