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
constexpr int longest_value = 64 << 20; // bytes; of a row, too

// SQLite's own steps. A statement of ours takes one for each byte of a file at most, and a
// file may be made so that one never ends: a page of it can stand at many places of a table.
constexpr int steps_between_looks = 1 << 16;
constexpr std::uint64_t steps_of_any_file = 1 << 20;
constexpr std::uint64_t steps_for_a_byte = 8;

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

// Of a pipe SQLite would wait for the other end, also of those beside the file that a link leads
// to; and it removes the log of an empty file even when it reads only.
void require_file(const std::filesystem::path& file, Access access) {
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    const std::string linked = std::filesystem::weakly_canonical(file, error).string();
    for (const std::string& name :
         {file.string(), linked + "-wal", linked + "-shm", linked + "-journal"}) {
        const auto found = std::filesystem::status(name, error);
        if (std::filesystem::exists(found) && !std::filesystem::is_regular_file(found)) {
            throw SqliteError{name + " is not a file; move it away or choose another directory",
                              SQLITE_CANTOPEN};
        }
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

bool SqliteError::stopped() const {
    return code_ == SQLITE_INTERRUPT;
}

bool SqliteError::damage() const {
    const int primary = code_ & 0xff;
    return primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB || code_ == SQLITE_IOERR_READ ||
           code_ == SQLITE_IOERR_CORRUPTFS;
}

Database::Database(std::filesystem::path file, Access access, DamageNote* damage,
                   std::stop_token stop)
    : file_{std::move(file)}, damage_{damage}, stop_{std::move(stop)} {
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
        sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH, longest_value);
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
            bound_statements();
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

void Database::bound_statements() {
    sqlite3_progress_handler(
        handle_, steps_between_looks,
        [](void* self) { return static_cast<Database*>(self)->may_go_on() ? 0 : 1; }, this);
}

bool Database::may_go_on() {
    *spent_ += steps_between_looks;
    if (stop_.stop_requested() || *spent_ <= steps_of_any_file) {
        return !stop_.stop_requested();
    }
    std::uint64_t bytes = 0;
    for (const std::string& name : {file_.string(), file_.string() + "-wal"}) {
        std::error_code missing;
        const auto size = std::filesystem::file_size(name, missing);
        bytes += missing ? 0 : size;
    }
    return *spent_ <= steps_of_any_file + steps_for_a_byte * bytes;
}

void Database::execute(const char* sql) {
    std::uint64_t spent = 0;
    spent_ = &spent;
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
    const char* words = code == SQLITE_INTERRUPT
                            ? stop_.stop_requested()
                                  ? "reading it was stopped"
                                  : "a table of it does not end: it takes longer to read than a "
                                    "sound file of this size; restore a copy"
                        : handle_ ? sqlite3_errmsg(handle_)
                                  : sqlite3_errstr(code);
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

} // namespace adjourn::storage
