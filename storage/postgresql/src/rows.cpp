#include "storage_postgresql/rows.hpp"

#include "check.hpp"
#include "connection.hpp"
#include "schema.hpp"
#include "storage_postgresql/open.hpp"

#include <optional>

namespace adjourn::storage::postgresql {

namespace {

std::string dollar_mark(int number) {
    return "$" + std::to_string(number);
}

template <class Base>
class PostgresRows : public Base {
public:
    PostgresRows(const std::string& url, const std::string& shown, Access access)
        : connection_{url, shown, access} {}

    Tally tally(const TableShape& table, const std::optional<Row>& up_to) override {
        const Rows sums = run("SELECT count(*), coalesce(sum(" + std::string{table.tally} +
                                  "), 0)::bigint FROM " + table.name +
                                  key_condition(table, "<=", up_to, dollar_mark),
                              up_to);
        return {sums.integer(0, 0), sums.integer(0, 1)};
    }

    std::vector<Row> rows(const TableShape& table, const std::optional<Row>& after,
                          std::size_t most) override {
        const Rows found = run("SELECT " + all_columns(table) + " FROM " + table.name +
                                   key_condition(table, ">", after, dollar_mark) + " ORDER BY " +
                                   key_columns(table) + " LIMIT " + std::to_string(most),
                               after);
        std::vector<Row> rows;
        rows.reserve(static_cast<std::size_t>(found.size()));
        for (int i = 0; i < found.size(); ++i) {
            rows.push_back(row_of(found, i, table, table.columns.size()));
        }
        return rows;
    }

    std::int64_t last_id(const TableShape& table) override {
        return run("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM " +
                       std::string{table.name} + "_id_seq",
                   {})
            .integer(0, 0);
    }

protected:
    Rows run(const std::string& sql, const std::optional<Row>& key) {
        Parameters parameters;
        for (const Value& value : key.value_or(Row{})) {
            if (const auto* integer = std::get_if<std::int64_t>(&value)) {
                parameters.add(*integer);
            } else if (const auto* text = std::get_if<std::string>(&value)) {
                parameters.add(*text);
            }
        }
        return connection_.run_with(sql, parameters);
    }

    static Row row_of(const Rows& from, int at, const TableShape& table, std::size_t columns) {
        Row row;
        row.reserve(columns);
        for (std::size_t i = 0; i < columns; ++i) {
            const int column = static_cast<int>(i);
            switch (table.columns[i].type) {
            case ColumnType::text:
            case ColumnType::bytes: row.emplace_back(from.text(at, column)); break;
            case ColumnType::real: row.emplace_back(from.real(at, column)); break;
            default:
                from.is_null(at, column) ? row.emplace_back()
                                         : row.emplace_back(from.integer(at, column));
            }
        }
        return row;
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

    void write(const TableShape& table, std::span<const Row> rows) override {
        CopyText text;
        for (const Row& row : rows) {
            text.begin_row(static_cast<int>(row.size()));
            for (std::size_t i = 0; i < row.size(); ++i) {
                add(text, table.columns[i].type, row[i]);
            }
        }
        connection_.copy_in(std::string{table.name} + " (" + all_columns(table) + ")", text);
    }

    void clear(const TableShape& table) override {
        connection_.execute("TRUNCATE " + std::string{table.name} + " CASCADE");
    }

    std::optional<Row> last_key(const TableShape& table) override {
        std::string order;
        for (std::size_t i = 0; i < table.key; ++i) {
            order += (i == 0 ? "" : ", ") + std::string{table.columns[i].name} + " DESC";
        }
        const Rows last = run("SELECT " + key_columns(table) + " FROM " + table.name +
                                  " ORDER BY " + order + " LIMIT 1",
                              {});
        return last.size() == 0 ? std::nullopt : std::optional{row_of(last, 0, table, table.key)};
    }

    void set_last_id(const TableShape& table, std::int64_t id) override {
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
    static void add(CopyText& text, ColumnType type, const Value& value) {
        if (const auto* integer = std::get_if<std::int64_t>(&value)) {
            switch (type) {
            case ColumnType::int4: text.add_int4(*integer); break;
            case ColumnType::int2: text.add_int2(*integer); break;
            default: text.add_int8(*integer);
            }
        } else if (const auto* real = std::get_if<double>(&value)) {
            text.add_real(*real);
        } else if (const auto* string = std::get_if<std::string>(&value)) {
            text.add(*string);
        } else {
            text.add_null();
        }
    }

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
