// Reading on behind what cannot be read: the rows of a table in the order of a number.
#pragma once

#include "database.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

namespace adjourn::storage {

// A number, not below `after`, behind which rows can be read again, or behind which there are none;
// nullopt if no such is found. `readable`: whether a row with a larger number than this can be
// read; false: there is none; nullopt: it is damaged.
std::optional<std::int64_t>
next_readable(const std::function<std::optional<bool>(std::int64_t)>& readable, std::int64_t after);

// Where rows of `table` could not be read, for people. `next`: where reading went on.
std::string unreadable_rows(const std::string& table, std::int64_t after,
                            std::optional<std::int64_t> next, const std::string& why);

// Visits the rows that a statement gives, ascending by the number in their column `number`, until
// `visit` returns false. `bind` asks for those whose number is larger than the one it gets. Of each
// gap where the file is damaged `tell` gets the ends, as unreadable_rows, and why.
template <class Bind, class Visit, class Tell>
void read_around(Statement& rows, int number, Bind bind, Visit visit, Tell tell) {
    const auto readable = [&](std::int64_t after) -> std::optional<bool> {
        try {
            bind(rows, after);
            const ResetAtEnd reset{rows};
            return rows.step();
        } catch (const SqliteError& error) {
            if (!error.damage()) {
                throw;
            }
            return std::nullopt;
        }
    };
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    while (true) {
        std::string trouble;
        try {
            bind(rows, last);
            const ResetAtEnd reset{rows};
            while (rows.step()) {
                last = std::max(last, rows.integer(number)); // a damaged page may be in disorder
                if (!visit()) {
                    return;
                }
            }
            return;
        } catch (const SqliteError& error) {
            if (!error.damage()) {
                throw;
            }
            trouble = error.what();
        }
        const std::int64_t from = std::max<std::int64_t>(last, 0); // only damage goes below
        const auto next = next_readable(readable, from);
        tell(from, next, trouble);
        if (!next) {
            return;
        }
        last = *next;
    }
}

} // namespace adjourn::storage
