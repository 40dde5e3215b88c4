#include "row_copy.hpp"

#include "read_around.hpp"

#include <algorithm>

namespace adjourn::storage {

namespace {

std::string places(const std::string& columns) {
    std::string marks = "?";
    for (const char c : columns) {
        marks += c == ',' ? ", ?" : "";
    }
    return marks;
}

} // namespace

std::string RowCopy::columns_of(const std::string& table) {
    Statement rows{to_, "SELECT group_concat(name, ', ') FROM pragma_table_info('" + table + "')"};
    return rows.step() ? rows.text(0) : "";
}

void RowCopy::by_number(const std::string& table, const std::string& id) {
    const std::string columns = columns_of(table);
    Statement add{to_,
                  "INSERT INTO " + table + " (" + columns + ") VALUES (" + places(columns) + ")"};
    auto& counted = tables_[table];
    const auto readable = [&](std::int64_t from) -> std::optional<bool> {
        try {
            Statement rows{from_, "SELECT " + id + " FROM " + table + " WHERE " + id +
                                      " > ? ORDER BY " + id + " LIMIT 1"};
            rows.bind(from);
            return rows.step(); // false: the end
        } catch (const SqliteError&) {
            return std::nullopt;
        }
    };
    // Row 0 and below are nowhere.
    std::optional<std::int64_t> last = 0;
    while (last) {
        std::string trouble;
        try {
            // The number first: it says how far the reading came.
            Statement rows{from_, "SELECT " + columns + ", " + id + " FROM " + table + " WHERE " +
                                      id + " > ? ORDER BY " + id};
            const int number = static_cast<int>(std::ranges::count(columns, ',')) + 1;
            rows.bind(*last);
            while (rows.step()) {
                if (rows.integer(number) <= *last) {
                    continue; // pages in disorder
                }
                last = rows.integer(number);
                take(table + " " + std::to_string(*last), add, rows, counted);
            }
            return;
        } catch (const SqliteError& error) {
            trouble = error.what();
        }
        const auto next = next_readable(readable, *last);
        tell_(unreadable_rows(table, *last, next, trouble));
        last = next;
    }
}

void RowCopy::by_key(const std::string& table, const std::string& key) {
    const std::string columns = columns_of(table);
    Statement add{to_, "INSERT OR IGNORE INTO " + table + " (" + columns + ") VALUES (" +
                           places(columns) + ")"};
    std::string backward = key;
    for (std::size_t at = 0; (at = backward.find(',', at)) != std::string::npos; at += 6) {
        backward.replace(at, 1, " DESC,");
    }
    for (const std::string& order : {key, backward + " DESC"}) {
        try {
            Statement rows{from_, "SELECT " + columns + " FROM " + table + " ORDER BY " + order};
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
