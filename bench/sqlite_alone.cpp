#include "bench/sqlite_alone.hpp"

#include "bench/process_use.hpp"

#include <sqlite3.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <vector>

namespace adjourn::bench {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Not the store's own reading and writing, which is what this is beside.
class RowFile {
public:
    explicit RowFile(const fs::path& file) : file_{file} {
        sqlite3* opened = nullptr;
        const int code = sqlite3_open(file.c_str(), &opened);
        handle_.reset(opened);
        check(code);
    }

    void execute(const char* sql) const {
        check(sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr));
    }
    // Each row of `sql` as it is; of numbers and bytes.
    template <class Take>
    void each(const char* sql, Take take) const {
        const Statement rows = prepared(sql);
        while (sqlite3_step(rows.get()) == SQLITE_ROW) {
            take(rows.get());
        }
    }
    struct Cell {
        std::int64_t number = 0;
        std::string bytes;
        bool is_number = true;
    };
    using Row = std::vector<Cell>;
    static Row row_of(sqlite3_stmt* from) {
        Row row;
        for (int i = 0; i < sqlite3_column_count(from); ++i) {
            Cell& cell = row.emplace_back();
            cell.is_number = sqlite3_column_type(from, i) == SQLITE_INTEGER;
            if (cell.is_number) {
                cell.number = sqlite3_column_int64(from, i);
            } else if (const void* bytes = sqlite3_column_blob(from, i)) {
                cell.bytes.assign(static_cast<const char*>(bytes),
                                  static_cast<std::size_t>(sqlite3_column_bytes(from, i)));
            }
        }
        return row;
    }

    using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;
    Statement prepared(const char* sql) const {
        sqlite3_stmt* made = nullptr;
        check(sqlite3_prepare_v2(handle_.get(), sql, -1, &made, nullptr));
        return {made, sqlite3_finalize};
    }
    // So many cells of the row from `first` on.
    void insert(const Statement& into, const Row& row, std::size_t first, std::size_t count) const {
        for (std::size_t i = 0; i < count; ++i) {
            const Cell& cell = row[first + i];
            const int at = static_cast<int>(i) + 1;
            cell.is_number ? sqlite3_bind_int64(into.get(), at, cell.number)
                           : sqlite3_bind_blob64(into.get(), at, cell.bytes.data(),
                                                 cell.bytes.size(), SQLITE_STATIC);
        }
        if (sqlite3_step(into.get()) != SQLITE_DONE) {
            check(sqlite3_errcode(handle_.get()));
        }
        sqlite3_reset(into.get());
    }

private:
    struct Close {
        void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
    };
    void check(int code) const {
        if (code != SQLITE_OK) {
            throw std::runtime_error(file_.string() + ": " + sqlite3_errmsg(handle_.get()));
        }
    }

    fs::path file_;
    std::unique_ptr<sqlite3, Close> handle_;
};

} // namespace

Alone sqlite_alone(const fs::path& directory, std::size_t at_once) {
    const RowFile store{directory / "adjourn.db"}, other{directory / "alone.db"};
    Alone result;
    std::int64_t sum = 0;
    const auto reading = Clock::now();
    std::size_t count = 0;
    store.each("SELECT id, key FROM positions ORDER BY id", [&](sqlite3_stmt* row) {
        sum += sqlite3_column_int64(row, 0) + sqlite3_column_bytes(row, 1);
    });
    store.each("SELECT id, engine, limit_kind, limit_amount, excluded, at, answer, checksum "
               "FROM evaluations ORDER BY id",
               [&](sqlite3_stmt* row) {
                   for (const int number : {0, 1, 2, 3, 5, 7}) {
                       sum += sqlite3_column_int64(row, number);
                   }
                   sum += sqlite3_column_bytes(row, 4) + sqlite3_column_bytes(row, 6);
                   ++count;
               });
    result.read = static_cast<double>(count) / seconds_since(reading);
    std::vector<RowFile::Row> rows;
    store.each("SELECT e.id, engine, limit_kind, limit_amount, excluded, at, answer, checksum, "
               "p.id, p.key FROM evaluations e JOIN positions p ON p.id = e.id >> 16 ORDER BY at",
               [&](sqlite3_stmt* row) { rows.push_back(RowFile::row_of(row)); });
    other.execute(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536;"
        "CREATE TABLE positions (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE) STRICT;"
        "CREATE TABLE evaluations (id INTEGER PRIMARY KEY, engine INTEGER NOT NULL, limit_kind "
        "INTEGER NOT NULL, limit_amount INTEGER NOT NULL, excluded BLOB NOT NULL, at INTEGER NOT "
        "NULL, answer BLOB NOT NULL, checksum INTEGER NOT NULL) STRICT");
    const auto position = other.prepared("INSERT INTO positions VALUES (?, ?)");
    const auto fact = other.prepared("INSERT INTO evaluations VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    const auto inserting = Clock::now();
    std::unordered_set<std::int64_t> there;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i % at_once == 0) {
            other.execute(i == 0 ? "BEGIN" : "COMMIT; BEGIN");
        }
        if (there.insert(rows[i][8].number).second) {
            other.insert(position, rows[i], 8, 2);
        }
        other.insert(fact, rows[i], 0, 8);
    }
    other.execute("COMMIT");
    result.inserted = static_cast<double>(rows.size()) / seconds_since(inserting);
    if (sum == 0 || rows.size() != count) {
        throw std::logic_error{"SQLite alone has read something else"};
    }
    return result;
}

} // namespace adjourn::bench
