#include "copy/sqlite_rows.hpp"

#include "check.hpp"
#include "database.hpp"
#include "directory_lock.hpp"
#include "schema.hpp"

#include <optional>
#include <system_error>

namespace adjourn::storage {

namespace {

namespace fs = std::filesystem;

std::string question_mark(int) {
    return "?";
}

Bytes as_bytes(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// What SQLite shares between reading and writing.
template <class Base>
class SqliteRows : public Base {
public:
    SqliteRows(const fs::path& file, Access access) : database_{file, access} {}

    Tally tally(const TableShape& table, const std::optional<Row>& up_to) override {
        Statement sums{database_, "SELECT count(*), coalesce(sum(" + std::string{table.tally} +
                                      "), 0) FROM " + table.name +
                                      key_condition(table, "<=", up_to, question_mark)};
        bind(sums, table, up_to);
        sums.step();
        return {sums.integer(0), sums.integer(1)};
    }

    std::vector<Row> rows(const TableShape& table, const std::optional<Row>& after,
                          std::size_t most) override {
        Statement rows{database_, "SELECT " + all_columns(table) + " FROM " + table.name +
                                      key_condition(table, ">", after, question_mark) +
                                      " ORDER BY " + key_columns(table) + " LIMIT " +
                                      std::to_string(most)};
        bind(rows, table, after);
        std::vector<Row> found;
        while (rows.step()) {
            found.push_back(row_of(rows, table, table.columns.size()));
        }
        return found;
    }

    // The file keeps the largest number only where it must not be given again.
    std::int64_t last_id(const TableShape& table) override {
        Statement ids{database_, "SELECT max((SELECT coalesce(max(id), 0) FROM " +
                                     std::string{table.name} +
                                     "), coalesce((SELECT seq FROM sqlite_sequence "
                                     "WHERE name = '" +
                                     table.name + "'), 0))"};
        ids.step();
        return ids.integer(0);
    }

protected:
    static void set_value(Statement& statement, int index, const Column& column,
                          const Value& value) {
        if (const auto* integer = std::get_if<std::int64_t>(&value)) {
            statement.set_one(index, *integer);
        } else if (const auto* real = std::get_if<double>(&value)) {
            statement.set_one(index, *real);
        } else if (const auto* text = std::get_if<std::string>(&value)) {
            column.type == ColumnType::bytes ? statement.set_one(index, as_bytes(*text))
                                             : statement.set_one(index, *text);
        } else {
            statement.set_one(index, std::optional<std::int64_t>{});
        }
    }

    static void bind(Statement& statement, const TableShape& table, const std::optional<Row>& key) {
        for (std::size_t i = 0; key && i < table.key; ++i) {
            set_value(statement, static_cast<int>(i) + 1, table.columns[i], (*key)[i]);
        }
    }

    static Row row_of(const Statement& from, const TableShape& table, std::size_t columns) {
        Row row;
        row.reserve(columns);
        for (std::size_t i = 0; i < columns; ++i) {
            const int column = static_cast<int>(i);
            switch (table.columns[i].type) {
            case ColumnType::text:
            case ColumnType::bytes: row.emplace_back(from.text(column)); break;
            case ColumnType::real: row.emplace_back(from.real(column)); break;
            default:
                from.is_null(column) ? row.emplace_back() : row.emplace_back(from.integer(column));
            }
        }
        return row;
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

    void write(const TableShape& table, std::span<const Row> rows) override {
        std::string marks;
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            marks += i == 0 ? "?" : ", ?";
        }
        Transaction transaction{database_, Transaction::Kind::write};
        Statement add{database_, "INSERT INTO " + std::string{table.name} + " (" +
                                     all_columns(table) + ") VALUES (" + marks + ")"};
        for (const Row& row : rows) {
            add.reset();
            for (std::size_t i = 0; i < row.size(); ++i) {
                set_value(add, static_cast<int>(i) + 1, table.columns[i], row[i]);
            }
            while (add.step()) {
            }
        }
        transaction.commit();
    }

    void clear(const TableShape& table) override {
        database_.execute(("DELETE FROM " + std::string{table.name}).c_str());
    }

    std::optional<Row> last_key(const TableShape& table) override {
        std::string order;
        for (std::size_t i = 0; i < table.key; ++i) {
            order += (i == 0 ? "" : ", ") + std::string{table.columns[i].name} + " DESC";
        }
        Statement last{database_, "SELECT " + key_columns(table) + " FROM " + table.name +
                                      " ORDER BY " + order + " LIMIT 1"};
        return last.step() ? std::optional{row_of(last, table, table.key)} : std::nullopt;
    }

    void set_last_id(const TableShape& table, std::int64_t id) override {
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
    bool is_numbered_by_file(const TableShape& table) {
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
    return std::make_unique<SqliteRowTarget>(std::move(lock), directory);
}

} // namespace adjourn::storage
