#include "database.hpp"

#include "storage_rows/checksum.hpp"

#include <sqlite3.h>

#include <cassert>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace adjourn::storage {

namespace {

constexpr int busy_timeout_ms = 30'000;

// What a person can do about it; "" where SQLite's own words are enough.
const char* way_out(int code) {
    switch (code & 0xff) {
    case SQLITE_FULL: return "; free some space";
    case SQLITE_IOERR: return "; check the disk";
    case SQLITE_READONLY:
    case SQLITE_PERM: return "; make the file and its directory writable";
    case SQLITE_CANTOPEN:
        return "; check that it exists and that you may open it and write beside it";
    case SQLITE_CORRUPT:
        return "; the file is damaged: restore a copy, or save what can be read with "
               "'adjourn check --repair'";
    case SQLITE_NOTADB: return "; move the file away or choose another directory";
    case SQLITE_BUSY: return "; another program keeps it locked: end that program";
    default: return "";
    }
}

// Of a pipe SQLite would wait for the other end, and it removes the log of an empty file even when
// it reads only.
void require_file(const std::filesystem::path& file, Access access) {
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        throw SqliteError{file.string() + " is not a file; move it away or choose another "
                                          "directory",
                          SQLITE_CANTOPEN};
    }
    const bool empty =
        std::filesystem::exists(status) && std::filesystem::file_size(file, error) == 0;
    const auto log = std::filesystem::file_size(file.string() + "-wal", error);
    if (access != Access::write && empty && !error && log > 0) {
        throw SqliteError{file.string() + " is empty, but not its log: put the file back, or "
                                          "restore a backup",
                          SQLITE_CANTOPEN};
    }
}

// It holds what people write: nobody else reads it, whatever the umask is. SQLite gives its log the
// mode of the file. What cannot be made, SQLite has words for.
void make_file(const std::filesystem::path& file) {
    constexpr int own = 0600;
    if (const int made = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, own);
        made >= 0) {
        ::close(made);
    }
}

// file:… with everything escaped that a URI would read as syntax.
std::string frozen_uri(const std::filesystem::path& file) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string uri = "file:";
    for (const char c : std::filesystem::absolute(file).string()) {
        if (c == '%' || c == '?' || c == '#') {
            uri += '%';
            uri += digits[static_cast<unsigned char>(c) >> 4];
            uri += digits[static_cast<unsigned char>(c) & 15];
        } else {
            uri += c;
        }
    }
    return uri + "?immutable=1";
}

// adjourn_checksum(value, …), by which migration 4 gives the rows of older stores their checksums:
// NULL counts as no bytes.
void checksum_function(sqlite3_context* context, int count, sqlite3_value** values) {
    Checksum checksum;
    for (int i = 0; i < count; ++i) {
        sqlite3_value* const value = values[i];
        switch (sqlite3_value_type(value)) {
        case SQLITE_INTEGER: checksum.add(std::int64_t{sqlite3_value_int64(value)}); break;
        case SQLITE_FLOAT: checksum.add(sqlite3_value_double(value)); break;
        default: {
            // In this order: the size is that of the form the first call made.
            const auto* data = static_cast<const std::uint8_t*>(sqlite3_value_blob(value));
            checksum.add(Bytes{data, static_cast<std::size_t>(sqlite3_value_bytes(value))});
        }
        }
    }
    sqlite3_result_int64(context, checksum.value());
}

} // namespace

bool SqliteError::data_fault() const {
    const int primary = code_ & 0xff;
    return primary == SQLITE_CONSTRAINT || primary == SQLITE_TOOBIG || primary == SQLITE_MISMATCH;
}

bool SqliteError::damage() const {
    const int primary = code_ & 0xff;
    return primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB || code_ == SQLITE_IOERR_READ ||
           code_ == SQLITE_IOERR_CORRUPTFS;
}

Database::Database(std::filesystem::path file, Access access, DamageNote* damage)
    : file_{std::move(file)}, damage_{damage} {
    require_file(file_, access);
    if (access == Access::write && file_ != ":memory:") {
        make_file(file_);
    }
    const bool frozen = access == Access::read_frozen;
    const int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE |
                      (access == Access::write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                               : SQLITE_OPEN_READONLY) |
                      (frozen ? SQLITE_OPEN_URI : 0);
    const std::string name = frozen ? frozen_uri(file_) : file_.string();
    try {
        check(sqlite3_open_v2(name.c_str(), &handle_, flags, nullptr));
        check(sqlite3_busy_timeout(handle_, busy_timeout_ms));
        // Nobody edits the file's pages through SQL, and no function runs because the file says so.
        check(sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr));
        check(sqlite3_create_function_v2(handle_, "adjourn_checksum", -1,
                                         SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                         nullptr, checksum_function, nullptr, nullptr, nullptr));
        execute(
            "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON;"
            "PRAGMA temp_store = MEMORY");
        if (access == Access::write) {
            if (sqlite3_db_readonly(handle_, "main") != 0) { // what SQLite opens instead, silently
                throw SqliteError{file_.string() + ": read-only" + way_out(SQLITE_READONLY),
                                  SQLITE_READONLY};
            }
            // Checkpoints are ours to time (Writer); a log that a long reader let grow is cut down.
            execute("PRAGMA synchronous = FULL; PRAGMA recursive_triggers = ON;"
                    "PRAGMA secure_delete = OFF; PRAGMA cache_size = -65536;"
                    "PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 67108864");
            sqlite3_wal_hook(
                handle_,
                [](void* self, sqlite3*, const char*, int pages) {
                    static_cast<Database*>(self)->wal_pages_ = pages;
                    return SQLITE_OK;
                },
                this);
        } else {
            execute("PRAGMA cache_size = -16384; PRAGMA query_only = ON");
        }
    } catch (...) {
        sqlite3_close_v2(handle_);
        throw;
    }
}

Database::~Database() {
    [[maybe_unused]] const int code = sqlite3_close(handle_);
    assert(code != SQLITE_BUSY && "a statement outlives its database");
}

void Database::execute(const char* sql) {
    check(sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr));
}

std::int64_t Database::integer(const char* sql) {
    Statement statement{*this, sql};
    return statement.step() ? statement.integer(0) : 0;
}

std::string Database::text(const char* sql) {
    Statement statement{*this, sql};
    return statement.step() ? statement.text(0) : "";
}

std::int64_t Database::last_insert_id() const {
    return sqlite3_last_insert_rowid(handle_);
}

void Database::use_triggers(bool wanted) {
    check(sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_TRIGGER, wanted ? 1 : 0, nullptr));
}

void Database::use_wal() {
    const std::string mode = text("PRAGMA journal_mode = WAL");
    if (mode != "wal") {
        throw StoreError{file_.string() +
                         ": this file system cannot hold a write-ahead log (journal mode stays " +
                         mode + "); choose a directory on a local disk"};
    }
}

void Database::checkpoint() {
    const int code =
        sqlite3_wal_checkpoint_v2(handle_, nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
    wal_pages_ = 0;
    // BUSY: somebody else is at it, or a reader stands in the way; the next one takes the rest.
    if ((code & 0xff) != SQLITE_BUSY) {
        check(code);
    }
}

void Database::copy_to(Database& target,
                       const std::function<void(std::uint64_t, std::uint64_t)>& advance) {
    constexpr int pages_at_once = 2'048;
    sqlite3_backup* const copy = sqlite3_backup_init(target.handle_, "main", handle_, "main");
    if (copy == nullptr) {
        target.fail(sqlite3_errcode(target.handle_));
    }
    int code = SQLITE_OK;
    while (code == SQLITE_OK) {
        code = sqlite3_backup_step(copy, pages_at_once);
        if (advance && code == SQLITE_OK) {
            const auto all = static_cast<std::uint64_t>(sqlite3_backup_pagecount(copy));
            advance(all - static_cast<std::uint64_t>(sqlite3_backup_remaining(copy)), all);
        }
    }
    const int end = sqlite3_backup_finish(copy);
    if (code != SQLITE_DONE || end != SQLITE_OK) {
        target.fail(code == SQLITE_DONE ? end : code);
    }
}

void Database::vacuum_into(const std::filesystem::path& file) {
    make_file(file);
    Statement statement{*this, "VACUUM INTO ?"};
    const std::string name = file.string();
    statement.run(name);
}

void Database::refuse(const std::string& why) const {
    throw SqliteError{file_.string() + ": " + why, SQLITE_CONSTRAINT};
}

void Database::fail(int code) const {
    const char* words = handle_ ? sqlite3_errmsg(handle_) : sqlite3_errstr(code);
    const SqliteError error{file_.string() + ": " + words + way_out(code), code};
    if (damage_ != nullptr && error.damage()) {
        damage_->take(error.what());
    }
    throw error;
}

void Database::check(int code) const {
    if (code != SQLITE_OK) {
        fail(code);
    }
}

Statement::Statement(Database& database, std::string_view sql) : database_{database} {
    database.check(sqlite3_prepare_v3(database.handle_, sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &handle_, nullptr));
}

Statement::~Statement() {
    sqlite3_finalize(handle_);
}

bool Statement::step() {
    const int code = sqlite3_step(handle_);
    if (code == SQLITE_ROW) {
        return true;
    }
    if (code == SQLITE_DONE) {
        sqlite3_reset(handle_);
        return false;
    }
    try {
        database_.fail(code);
    } catch (...) {
        sqlite3_reset(handle_);
        throw;
    }
}

void Statement::reset() noexcept {
    sqlite3_reset(handle_);
}

void Statement::bind_cells(Cells values) {
    sqlite3_reset(handle_);
    int index = 0;
    for (const Cell& value : values) {
        ++index;
        std::visit([&](const auto& one) { set(index, one); }, value);
    }
}

void Statement::bind_row(const Statement& from) {
    sqlite3_reset(handle_);
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
