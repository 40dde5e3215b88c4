#include "storage/sqlite/database.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <array>
#include <cassert>
#include <cstring>
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

using Size = sqlite3_int64;

// SQLite's own descriptors are asked: to open and close the files again in this process would give
// up the locks that SQLite holds on them (decision 067).
sqlite3_file* open_file(sqlite3* database, int which) {
    sqlite3_file* file = nullptr;
    const int code = sqlite3_file_control(database, "main", which, &file);
    return code == SQLITE_OK && file != nullptr && file->pMethods != nullptr ? file : nullptr;
}

// Bytes; -1: not known.
Size size_of(sqlite3_file* file) {
    Size size = -1;
    return file != nullptr && file->pMethods->xFileSize(file, &size) == SQLITE_OK ? size : -1;
}

Size page_size(Size written) {
    return written == 1 ? 65'536 : written;
}

Size big_endian(const unsigned char* bytes, int count) {
    Size number = 0;
    for (int i = 0; i < count; ++i) {
        number = number << 8 | bytes[i];
    }
    return number;
}

// What the file must hold, by its first page (https://www.sqlite.org/fileformat.html); -1: it has
// none any more.
Size told_by_header(sqlite3_file* file) {
    std::array<unsigned char, 100> header{};
    if (file->pMethods->xRead(file, header.data(), header.size(), 0) != SQLITE_OK) {
        return -1;
    }
    return big_endian(header.data() + 28, 4) * page_size(big_endian(header.data() + 16, 2));
}

// What the log must hold, by its index in shared memory, which is in this machine's byte order
// (https://www.sqlite.org/walformat.html); 0: it need not hold anything, or somebody is at it.
Size told_by_index(sqlite3_file* file) {
    constexpr int region = 32'768, copy = 48, log_header = 32, frame_header = 24;
    void volatile* memory = nullptr;
    if (file->pMethods->iVersion < 2 ||
        file->pMethods->xShmMap(file, 0, region, 0, &memory) != SQLITE_OK || memory == nullptr) {
        return 0;
    }
    std::array<unsigned char, 2 * copy> index{};
    std::memcpy(index.data(), const_cast<const void*>(memory), index.size());
    std::uint16_t page = 0;
    std::uint32_t frames = 0;
    std::memcpy(&page, index.data() + 14, sizeof page);
    std::memcpy(&frames, index.data() + 16, sizeof frames);
    if (std::memcmp(index.data(), index.data() + copy, copy) != 0 || frames == 0) {
        return 0;
    }
    return log_header + Size{frames} * (frame_header + page_size(page));
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

Database::Database(std::filesystem::path file, Access access, DamageNote* damage)
    : file_{std::move(file)}, damage_{damage} {
    // Nobody asks how much memory SQLite takes: to count it, each piece would cost a mutex.
    [[maybe_unused]] static const int uncounted = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
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
    if (*spent_ <= steps_of_any_file) {
        return true;
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

void Database::forget_pages() {
    sqlite3_db_release_memory(handle_);
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

void Database::refuse(const std::string& why) const {
    throw SqliteError{file_.string() + ": " + why, SQLITE_CONSTRAINT};
}

void Database::fail(int code) const {
    const char* words = code == SQLITE_INTERRUPT
                            ? "a table of it does not end: it takes longer to read than a sound "
                              "file of this size; restore a copy"
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
    const int code = sqlite3_step(handle_);
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

std::string Database::cut() {
    sqlite3_file* const file = open_file(handle_, SQLITE_FCNTL_FILE_POINTER);
    sqlite3_file* const log = open_file(handle_, SQLITE_FCNTL_JOURNAL_POINTER);
    std::string which;
    if (const Size size = size_of(file); size >= 0) {
        if (size < largest_) {
            const Size told = told_by_header(file);
            which = told < 0 || size < told ? file_.string() : "";
        }
        largest_ = which.empty() ? size : largest_;
    }
    if (const Size size = size_of(log); size >= 0 && file != nullptr) {
        which = size < told_by_index(file) ? file_.string() + "-wal" : which;
    }
    if (!which.empty()) { // nothing of what is left is copied over the file when it is closed
        check(sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr));
    }
    return which;
}

} // namespace adjourn::storage
