#include "database.hpp"

#include <sqlite3.h>

namespace adjourn::storage {

Statement::Statement(Database& database, std::string_view sql) : database_{database} {
    database.spent_ = &spent_; // the first one reads the schema
    database.check(sqlite3_prepare_v3(database.handle_, sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &handle_, nullptr));
}

Statement::~Statement() {
    sqlite3_finalize(handle_);
}

bool Statement::step() {
    database_.spent_ = &spent_;
    const int code = database_.stop_.stop_requested() ? SQLITE_INTERRUPT : sqlite3_step(handle_);
    if (code == SQLITE_ROW) {
        return true;
    }
    if (code == SQLITE_DONE) {
        reset();
        return false;
    }
    try {
        database_.fail(code);
    } catch (...) {
        reset();
        throw;
    }
}

void Statement::reset() noexcept {
    sqlite3_reset(handle_);
    spent_ = 0;
}

void Statement::bind_cells(Cells values) {
    reset();
    int index = 0;
    for (const Cell& value : values) {
        ++index;
        std::visit([&](const auto& one) { set(index, one); }, value);
    }
}

void Statement::bind_row(const Statement& from) {
    reset();
    for (int i = 0; i < sqlite3_bind_parameter_count(handle_); ++i) {
        database_.check(sqlite3_bind_value(handle_, i + 1, sqlite3_column_value(from.handle_, i)));
    }
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(handle_, column);
}

double Statement::real(int column) const {
    return sqlite3_column_double(handle_, column);
}

std::string Statement::text(int column) const {
    const Bytes raw = bytes(column);
    return {reinterpret_cast<const char*>(raw.data()), raw.size()};
}

Bytes Statement::bytes(int column) const {
    // In this order: the size is that of the form the first call made.
    const auto* data = static_cast<const std::uint8_t*>(sqlite3_column_blob(handle_, column));
    return {data, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
}

bool Statement::is_null(int column) const {
    return sqlite3_column_type(handle_, column) == SQLITE_NULL;
}

void Statement::read(std::vector<Cell>& row) const {
    const int columns = sqlite3_data_count(handle_);
    row.resize(static_cast<std::size_t>(columns));
    for (int i = 0; i < columns; ++i) {
        Cell& cell = row[static_cast<std::size_t>(i)];
        switch (sqlite3_column_type(handle_, i)) {
        case SQLITE_NULL: cell = std::monostate{}; break;
        case SQLITE_INTEGER: cell = integer(i); break;
        case SQLITE_FLOAT: cell = real(i); break;
        case SQLITE_TEXT: {
            const Bytes text = bytes(i);
            cell = std::string_view{reinterpret_cast<const char*>(text.data()), text.size()};
            break;
        }
        default: cell = bytes(i);
        }
    }
}

FactRow Statement::fact() const {
    return {integer(0), integer(1), integer(2), integer(3),
            bytes(4),   integer(5), bytes(6),   integer(7)};
}

void Statement::set(int index, double value) {
    database_.check(sqlite3_bind_double(handle_, index, value));
}

void Statement::set(int index, std::string_view value) {
    database_.check(sqlite3_bind_text64(handle_, index, value.data(), value.size(), SQLITE_STATIC,
                                        SQLITE_UTF8));
}

void Statement::set(int index, Bytes value) {
    // A null pointer would bind NULL instead of no bytes.
    database_.check(value.empty() ? sqlite3_bind_zeroblob(handle_, index, 0)
                                  : sqlite3_bind_blob64(handle_, index, value.data(), value.size(),
                                                        SQLITE_STATIC));
}

void Statement::set_integer(int index, std::int64_t value) {
    database_.check(sqlite3_bind_int64(handle_, index, value));
}

void Statement::set_null(int index) {
    database_.check(sqlite3_bind_null(handle_, index));
}

Transaction::Transaction(Database& database, Kind kind) : database_{database} {
    database_.execute(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
    if (!open_) {
        return;
    }
    try {
        database_.execute("ROLLBACK");
    } catch (const SqliteError&) {
        // SQLite rolled back by itself already (disk full, I/O error): there is nothing to end.
    }
}

void Transaction::commit() {
    database_.execute("COMMIT");
    open_ = false;
}

} // namespace adjourn::storage
