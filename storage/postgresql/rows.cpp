#include "storage/postgresql/rows.hpp"

#include "storage/postgresql/connection.hpp"
#include "storage/postgresql/open.hpp"
#include "storage/postgresql/schema.hpp"

#include <optional>

namespace adjourn::storage::postgresql {

namespace {

template <class Base>
class PostgresRows : public Base {
public:
    PostgresRows(const std::string& url, const std::string& shown, Access access)
        : connection_{url, shown, access} {}

    std::int64_t last_id(const Table& table) override {
        return connection_
            .run("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM " +
                 std::string{table.name} + "_id_seq")
            .integer(0, 0);
    }

protected:
    void run(const std::string& sql, const std::optional<OwnedRow>& key,
             const std::function<void(Cells)>& take) override {
        const OwnedRow none;
        connection_.run_cells(sql, view(key ? *key : none)).each(take);
    }

    Connection connection_;
};

class PostgresRowSource final : public PostgresRows<RowSource> {
public:
    PostgresRowSource(const std::string& url, const std::string& shown)
        : PostgresRows{url, shown, Access::read} {
        require_current(connection_, migrations());
        snapshot_.emplace(connection_, Transaction::Kind::read);
    }

private:
    std::optional<Transaction> snapshot_;
};

class PostgresRowTarget final : public PostgresRows<RowTarget> {
public:
    PostgresRowTarget(const std::string& url, const std::string& shown)
        : PostgresRows{url, shown, Access::write}, url_{url} {
        const bool made = schema_version(connection_, migrations()) > 0;
        lock_as_owner(connection_);
        if (made && property(connection_, copying).empty()) {
            throw StoreError{"there is a store in " + shown + " already; choose a new database"};
        }
        if (!made) { // the mark comes first: without it this would be an empty store
            connection_.execute("CREATE TABLE adjourn (name text PRIMARY KEY, value text NOT "
                                "NULL); INSERT INTO adjourn VALUES ('copying', 'yes')");
        }
        migrate(connection_, migrations());
    }

    void write(const Table& table, std::span<const OwnedRow> rows) override {
        CopyText text;
        for (const OwnedRow& row : rows) {
            text.begin_row(static_cast<int>(row.size()));
            const std::vector<Cell> cells = view(row);
            for (std::size_t i = 0; i < cells.size(); ++i) {
                text.add(table.columns[i].type, cells[i]);
            }
        }
        connection_.copy_in(std::string{table.name} + " (" + all_columns(table) + ")", text);
    }

    void clear(const Table& table) override {
        connection_.execute("TRUNCATE " + std::string{table.name} + " CASCADE");
    }

    void set_last_id(const Table& table, std::int64_t id) override {
        connection_.run(
            "SELECT setval($1::text::regclass, greatest($2::bigint, 1), $2::bigint > 0)",
            std::string{table.name} + "_id_seq", id);
    }

    std::vector<std::string> finish() override {
        // What the planner knows of the tables is from when they were empty.
        connection_.execute("ANALYZE");
        connection_.run("DELETE FROM adjourn WHERE name = $1", std::string{copying});
        std::vector<std::string> findings =
            postgresql::open(url_, connection_.shown(), OpenMode::read)->check();
        if (!findings.empty()) {
            set_property(connection_, copying, "yes");
        }
        return findings;
    }

private:
    const std::string url_;
};

} // namespace

std::unique_ptr<RowSource> read_rows(const std::string& url, const std::string& shown) {
    return std::make_unique<PostgresRowSource>(url, shown);
}

std::unique_ptr<RowTarget> write_rows(const std::string& url, const std::string& shown) {
    return std::make_unique<PostgresRowTarget>(url, shown);
}

} // namespace adjourn::storage::postgresql
