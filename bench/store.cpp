#include "bench/benches.hpp"

#include "base/files.hpp"
#include "bench/arguments.hpp"
#include "bench/made_up.hpp"
#include "storage/open.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <future>
#include <iomanip>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <vector>

namespace adjourn::bench {

namespace {

namespace fs = std::filesystem;
using analysis::Evaluation;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

struct StoreOptions {
    std::uint64_t facts = 1'000'000;
    fs::path directory = fs::temp_directory_path();
    fs::path store;
};

Arguments arguments(StoreOptions& to) {
    return {
        number("--facts", "N", "evaluations that are stored", to.facts),
        path("--directory", "DIR", "where the store is made, and removed", to.directory),
        path("--store", "URL", "an empty database instead of the directory; it stays", to.store)};
}

void row(std::ostream& out, const char* what, double value, int digits, const char* target) {
    out << std::left << std::setw(40) << what << std::right << std::setw(14) << std::fixed
        << std::setprecision(digits) << value << "   " << target << '\n';
}

// SQLite alone: the same rows in tables without triggers, in the order in which they came, in
// groups of the same size and as durable; no checksum, nothing asked before.
class SqliteAlone {
public:
    explicit SqliteAlone(const fs::path& file) : file_{file} {
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

struct Alone { // facts/s
    double inserted = 0;
    double read = 0;
};

// `directory` has the store's file, and gets another one.
Alone sqlite_alone(const fs::path& directory, std::size_t at_once) {
    const SqliteAlone store{directory / "adjourn.db"}, other{directory / "alone.db"};
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
    std::vector<SqliteAlone::Row> rows;
    store.each("SELECT e.id, engine, limit_kind, limit_amount, excluded, at, answer, checksum, "
               "p.id, p.key FROM evaluations e JOIN positions p ON p.id = e.id >> 16 ORDER BY at",
               [&](sqlite3_stmt* row) { rows.push_back(SqliteAlone::row_of(row)); });
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

} // namespace

int run_store(const std::vector<std::string>& args, std::ostream& out) {
    StoreOptions options;
    if (const auto code = answer_arguments("store", arguments(options), args, out)) {
        return *code;
    }
    fs::create_directories(options.directory);
    const base::ScratchDirectory scratch{options.directory, "adjourn-bench-store-"};
    const bool in_directory = options.store.empty();
    const fs::path location = in_directory ? scratch.path() : options.store;
    const storage::EngineRecord engine{{}, "Bench", "1", "Hash=64\nThreads=1", "net.nnue"};
    double append_seconds = 0, single_seconds = 0;
    constexpr std::size_t batch_size = 50'000, singles = 200;
    {
        const auto store = storage::open_store(location, storage::OpenMode::owner);
        FactMaker maker{store->engine(engine), made_up_seed};
        std::vector<Evaluation> batch;
        for (std::uint64_t done = 0; done < options.facts; done += batch.size()) {
            batch.clear();
            const auto size = std::min<std::uint64_t>(batch_size, options.facts - done);
            std::generate_n(std::back_inserter(batch), size, [&] { return maker.next(); });
            const auto start = Clock::now();
            for (const Evaluation& fact : batch) {
                store->append(fact, {});
            }
            store->flush();
            append_seconds += seconds_since(start);
        }
        for (std::size_t i = 0; i < singles; ++i) {
            const Evaluation fact = maker.next();
            const auto start = Clock::now();
            store->append(fact, {});
            store->flush();
            single_seconds += seconds_since(start);
        }
    }
    const auto store = storage::open_store(location, storage::OpenMode::read);
    std::uint64_t rows = 0;
    const auto loading = Clock::now();
    store->for_each_evaluation(store->engines().front().id, [&](const Evaluation&) { ++rows; });
    const double load_seconds = seconds_since(loading);

    out << "store: " << rows << " facts in "
        << storage::shown(in_directory ? options.directory : options.store) << '\n';
    if (in_directory) {
        const auto bytes = static_cast<double>(fs::file_size(scratch.path() / "adjourn.db"));
        row(out, "disk for a fact, PV included (bytes)", bytes / static_cast<double>(rows), 1,
            "<= 100");
    }
    row(out, "append in batches, durable (facts/s)",
        static_cast<double>(options.facts) / append_seconds, 0, ">= 100000");
    row(out, "append one, durable (ms)", 1e3 * single_seconds / singles, 2, "");
    row(out, "load (facts/s)", static_cast<double>(rows) / load_seconds, 0, ">= 2000000");
    if (in_directory) {
        const Alone alone = sqlite_alone(scratch.path(), batch_size);
        row(out, "SQLite alone, the same rows: inserted (/s)", alone.inserted, 0, "");
        row(out, "SQLite alone, the same rows: read (/s)", alone.read, 0, "");
        row(out, "  append, of that",
            static_cast<double>(options.facts) / append_seconds / alone.inserted, 2, "");
        row(out, "  load, of that", static_cast<double>(rows) / load_seconds / alone.read, 2, "");
    }
    return 0;
}

} // namespace adjourn::bench
