#include "storage/sqlite/open.hpp"

#include "storage/sqlite/database.hpp"
#include "storage/sqlite/directory_lock.hpp"
#include "storage/sqlite/schema.hpp"

#include <optional>
#include <system_error>

namespace adjourn::storage {

namespace {

namespace fs = std::filesystem;

// What SQLite shares between reading and writing.
template <class Base>
class SqliteRows : public Base {
public:
    SqliteRows(const fs::path& file, Access access) : database_{file, access} {}

    // The file keeps the largest number only where it must not be given again.
    std::int64_t last_id(const Table& table) override {
        Statement ids{database_, "SELECT max((SELECT coalesce(max(id), 0) FROM " +
                                     std::string{table.name} +
                                     "), coalesce((SELECT seq FROM sqlite_sequence "
                                     "WHERE name = '" +
                                     table.name + "'), 0))"};
        ids.step();
        return ids.integer(0);
    }

protected:
    void run(const std::string& sql, const std::optional<OwnedRow>& key,
             const std::function<void(Cells)>& take) override {
        Statement rows{database_, sql};
        const OwnedRow none; // outlives the cells
        rows.bind_cells(view(key ? *key : none));
        std::vector<Cell> cells;
        while (rows.step()) {
            rows.read(cells);
            take(cells);
        }
    }

    Database database_;
};

class SqliteRowSource final : public SqliteRows<RowSource> {
public:
    explicit SqliteRowSource(const fs::path& file) : SqliteRows{file, Access::read} {
        require_current(database_, migrations());
        snapshot_.emplace(database_, Transaction::Kind::read);
    }

private:
    std::optional<Transaction> snapshot_;
};

class SqliteRowTarget final : public SqliteRows<RowTarget> {
public:
    SqliteRowTarget(DirectoryLock lock, fs::path directory)
        : SqliteRows{directory / "adjourn.db.copying", Access::write}, lock_{std::move(lock)},
          directory_{std::move(directory)} {
        migrate(database_, migrations());
        // Rows come as they were; what they are is looked at when all are there.
        database_.use_triggers(false);
        database_.execute("PRAGMA foreign_keys = OFF");
    }

    void write(const Table& table, std::span<const OwnedRow> rows) override {
        Transaction transaction{database_, Transaction::Kind::write};
        Statement add{database_, copy_row(table)};
        for (const OwnedRow& row : rows) {
            add.bind_cells(view(row));
            while (add.step()) {
            }
        }
        transaction.commit();
    }

    void clear(const Table& table) override {
        database_.execute(("DELETE FROM " + std::string{table.name}).c_str());
    }

    void set_last_id(const Table& table, std::int64_t id) override {
        Statement set{database_, "UPDATE sqlite_sequence SET seq = ? WHERE name = ?"};
        set.run(id, std::string{table.name});
        if (database_.integer("SELECT changes()") == 0 && is_numbered_by_file(table)) {
            Statement add{database_, "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)"};
            add.run(std::string{table.name}, id);
        }
    }

    std::vector<std::string> finish() override {
        database_.execute("PRAGMA foreign_keys = ON");
        database_.use_triggers(true);
        std::vector<std::string> findings = check_database(database_);
        if (findings.empty()) {
            std::error_code error;
            fs::rename(database_.file(), directory_ / "adjourn.db", error);
            if (error) {
                throw StoreError{"cannot name " + (directory_ / "adjourn.db").string() + ": " +
                                 error.message()};
            }
        }
        return findings;
    }

private:
    bool is_numbered_by_file(const Table& table) {
        Statement made{database_, "SELECT sql LIKE '%AUTOINCREMENT%' FROM sqlite_schema "
                                  "WHERE type = 'table' AND name = ?"};
        const std::string name{table.name};
        made.bind(name);
        return made.step() && made.integer(0) != 0;
    }

    DirectoryLock lock_;
    const fs::path directory_;
};

} // namespace

std::unique_ptr<RowSource> read_rows(const fs::path& directory) {
    std::error_code error;
    if (!fs::exists(directory / "adjourn.db", error)) {
        throw_no_store(directory / "adjourn.db", error);
    }
    return std::make_unique<SqliteRowSource>(directory / "adjourn.db");
}

std::unique_ptr<RowTarget> write_rows(const fs::path& directory) {
    DirectoryLock lock = DirectoryLock::own(directory);
    std::error_code error;
    if (fs::exists(directory / "adjourn.db", error)) {
        throw StoreError{"there is a store in " + directory.string() +
                         " already; choose a new directory"};
    }
    if (fs::is_symlink(directory / "adjourn.db.copying", error)) {
        throw StoreError{(directory / "adjourn.db.copying").string() +
                         " is a link to another file, which is none of ours; remove it"};
    }
    return std::make_unique<SqliteRowTarget>(std::move(lock), directory);
}

} // namespace adjourn::storage
