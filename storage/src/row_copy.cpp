#include "row_copy.hpp"

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
        const auto next = next_readable(table, id, *last);
        tell_(table + ": rows after " + std::to_string(*last) +
              (next ? " and before " + std::to_string(*next + 1) : "") +
              " cannot be read: " + trouble);
        last = next;
    }
}

// A number after which rows can be read again; nothing if there is none.
std::optional<std::int64_t> RowCopy::next_readable(const std::string& table, const std::string& id,
                                                   std::int64_t after) {
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
    std::int64_t step = 1;
    constexpr std::int64_t far = std::int64_t{1} << 61;
    std::optional<bool> found;
    while (step < far && !(found = readable(after + step))) {
        step *= 2;
    }
    if (!found || (!*found && step == 1)) {
        return std::nullopt;
    }
    std::int64_t bad = after + step / 2, good = after + step;
    while (good - bad > 1) {
        const std::int64_t middle = bad + (good - bad) / 2;
        (readable(middle) ? good : bad) = middle;
    }
    return good;
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
