// The file behind the store's back: what other programs, bad disks and older versions do to it.
#pragma once

#include "storage/sqlite/database.hpp"
#include "storage/sqlite/schema.hpp"

#include "storage/open.hpp"
#include "storage/rows/row_stream.hpp"

#include <csignal>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

namespace adjourn::storage::test {

inline std::filesystem::path database_file(const std::filesystem::path& directory) {
    return directory / "adjourn.db";
}

// Runs SQL on the closed store's file without any of the store's rules; checksums stay as they are.
inline void damage(const std::filesystem::path& directory, const std::string& sql) {
    Database database{database_file(directory), Access::write};
    const WithoutTriggers open{database};
    database.execute("PRAGMA foreign_keys = OFF");
    database.execute(sql.c_str());
}

// Likewise, but with all checksums made anew where the schema has them: the work of a stranger's
// program, which knows what it does.
inline void edit(const std::filesystem::path& directory, const std::string& sql) {
    damage(directory, sql);
    Database database{database_file(directory), Access::write};
    database.execute("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON");
    if (database.integer("PRAGMA user_version") != migrations().back().version) {
        return;
    }
    const WithoutTriggers open{database};
    database.execute("BEGIN; DELETE FROM asked_sums; INSERT INTO asked_sums SELECT analysis, "
                     "sum(adjourn_checksum(analysis, evaluation)) FROM asked GROUP BY analysis");
    for (const Table* table : all_tables()) {
        const std::string name = table->name;
        if (!table->sealed() ||
            database.integer(
                ("SELECT count(*) FROM sqlite_schema WHERE name = '" + name + "'").c_str()) == 0) {
            continue;
        }
        std::vector<std::pair<OwnedRow, std::int64_t>> sums; // by key
        {
            Statement rows{database, select_rows(*table)};
            std::vector<Cell> cells;
            while (rows.step()) {
                rows.read(cells);
                sums.emplace_back(own(*table, Cells{cells}.first(table->key)),
                                  checksum(*table, cells));
            }
        }
        Statement set{database, "UPDATE " + name + " SET checksum = $" +
                                    std::to_string(table->key + 1) +
                                    where_columns(*table, 0, table->key)};
        for (const auto& [key, sum] : sums) {
            // Numbered as they come in the statement.
            std::vector<Cell> values{sum};
            for (const Cell& cell : view(key)) {
                values.push_back(cell);
            }
            set.bind_cells(values);
            set.step();
        }
    }
    database.execute("COMMIT");
}

inline void write_file(const std::filesystem::path& file, const std::string& text) {
    std::ofstream{file, std::ios::binary} << text;
}

inline std::string read_file(const std::filesystem::path& file) {
    std::ifstream in{file, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
}

// What open_store says; "" if it opens.
inline std::string trouble_opening(const std::filesystem::path& directory, OpenMode mode) {
    try {
        open_store(directory, mode);
        return "";
    } catch (const StoreError& error) {
        return error.what();
    }
}

// Runs in a process of its own that has no rights but those of everybody, and returns the text.
inline std::string as_nobody(const std::function<std::string()>& run) {
    int ends[2];
    if (::pipe(ends) != 0) {
        throw std::runtime_error{"no pipe"};
    }
    const pid_t child = ::fork();
    if (child == 0) {
        const bool dropped = ::geteuid() != 0 || (::setgid(65534) == 0 && ::setuid(65534) == 0);
        const std::string text = dropped ? run() : "cannot drop rights";
        const bool written = ::write(ends[1], text.data(), text.size()) >= 0;
        ::_exit(written ? 0 : 1);
    }
    ::close(ends[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t size = 0; (size = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
        text.append(buffer, static_cast<std::size_t>(size));
    }
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? text : "the child crashed: " + text;
}

} // namespace adjourn::storage::test
