#include "storage/sqlite/sqlite_store.hpp"

#include "storage/sqlite/check.hpp"
#include "storage/sqlite/open.hpp"
#include "storage/sqlite/schema.hpp"

#include <system_error>
#include <utility>

namespace adjourn::storage {

namespace fs = std::filesystem;

namespace {

bool has_log(const fs::path& file) {
    std::error_code missing;
    const auto size = fs::file_size(file.string() + "-wal", missing);
    return !missing && size > 0;
}

// SQLite would begin a new database, and remove the log of the one that was there.
void require_store(const fs::path& file) {
    std::error_code error;
    const bool there = fs::exists(file, error);
    if (there ? fs::file_size(file, error) > 0 || error : !has_log(file)) {
        return;
    }
    throw StoreError{file.string() + (there ? " is empty" : " is missing, but not its log") +
                     ": a store was there; put the file back, or restore a backup and move " +
                     file.filename().string() +
                     "-wal away; to begin anew, remove both and the files 'lock' and "
                     "'acknowledged' beside them"};
}

} // namespace

std::unique_ptr<Store> open_directory(const fs::path& directory, OpenMode mode,
                                      const std::stop_token& stop) {
    return std::make_unique<SqliteStore>(directory, mode, SqliteTarget::default_checkpoint_pages,
                                         stop);
}

SqliteStore::SqliteStore(fs::path directory, OpenMode mode, int checkpoint_pages,
                         const std::stop_token& stop)
    : directory_{std::move(directory)} {
    mode == OpenMode::owner ? open_owner(checkpoint_pages) : open_read(stop);
}

SqliteStore::~SqliteStore() {
    if (database_) {
        writer_.reset();
        if (const auto level = level_of(*database_)) {
            high_water_->note(*level);
        }
        database_->cut(); // then nothing of the log is copied over the file
        std::error_code missing;
        fs::remove(directory_ / "owner", missing);
    }
}

void SqliteStore::open_owner(int checkpoint_pages) {
    lock_ = DirectoryLock::own(directory_);
    if (lock_.saw_store()) {
        require_store(file());
    }
    high_water_.emplace(directory_);
    database_ = std::make_unique<Database>(file(), Access::write, &damage_);
    schema_version(*database_, migrations()); // before anything of a stranger's file is changed
    database_->use_wal();
    migrate(*database_, migrations());
    if (!lock_.saw_store()) {
        database_->checkpoint(); // what begins here is in the file, whatever happens to the log
        lock_.note_store();
    }
    if (const auto level = level_of(*database_)) {
        high_water_->compare(*level, true);
    }
    readers_ = std::make_unique<ReaderPool>(file(), Access::read, &damage_);
    watch_.emplace(std::vector{file(), fs::path{file().string() + "-wal"}});
    target_ = std::make_unique<SqliteTarget>(
        *database_, checkpoint_pages, [this] { return trouble(); }, &*high_water_);
    writer_ = std::make_unique<GroupWriter>(*target_);
}

std::string SqliteStore::trouble() const {
    if (std::string moved = watch_->trouble(); !moved.empty()) {
        return moved;
    }
    const std::string cut = database_->cut();
    return cut.empty()
               ? ""
               : cut + " was cut off while it was in use: what is written now would do more "
                       "damage; end this program, and see what 'adjourn check' finds, or "
                       "restore a backup";
}

void SqliteStore::open_read(const std::stop_token& stop) {
    std::error_code error;
    if (!fs::exists(file(), error)) {
        throw_no_store(file(), error);
    }
    Access access = Access::read;
    high_water_.emplace(directory_); // before the store, which a server may write to
    const auto look_at = [this](Database& probe) {
        require_current(probe, migrations());
        if (const auto level = level_of(probe)) {
            high_water_->compare(*level, false);
        }
    };
    try {
        Database probe{file(), access, &damage_, stop};
        look_at(probe);
    } catch (const SqliteError&) {
        // A directory on read-only media has no place for the files that readers share. Without a
        // log and with owners kept out, the file itself is all there is.
        lock_ = DirectoryLock::keep_owners_out(directory_);
        if (!lock_ || has_log(file())) {
            throw;
        }
        access = Access::read_frozen;
        Database probe{file(), access, &damage_, stop};
        look_at(probe);
    }
    readers_ = std::make_unique<ReaderPool>(file(), access, &damage_, stop);
    writer_ = std::make_unique<GroupWriter>("not stored: " + file().string() +
                                            " was opened for reading only");
}

void SqliteStore::announce(const std::string& url, const std::string&) {
    DirectoryLock::write_owner(directory_, url);
}

void SqliteStore::read(const std::function<void(Reads&)>& work) const {
    const auto lease = readers_->lease();
    work(*lease);
}

StoreEnvironment SqliteStore::environment() const {
    StoreEnvironment seen;
    std::error_code error;
    const fs::space_info space = fs::space(directory_, error);
    seen.problem = watch_ ? watch_->trouble() : "";
    if (error) {
        seen.problem =
            seen.problem.empty() ? directory_.string() + ": " + error.message() : seen.problem;
    } else {
        seen.free_bytes = space.available;
    }
    std::uint64_t bytes = 0;
    for (const std::string& name : {file().string(), file().string() + "-wal"}) {
        std::error_code missing;
        const auto size = fs::file_size(name, missing);
        bytes += missing ? 0 : size;
    }
    seen.bytes = bytes;
    try {
        seen.evaluations = evaluation_count();
    } catch (const StoreError&) {
        // Reads tell where they are needed; a damaged table need not stop what is written.
    }
    seen.damage = damage_.first();
    seen.missing = high_water_->missing();
    return seen;
}

std::vector<std::string> SqliteStore::check() const {
    std::vector<std::string> findings = check_database(readers_->lease()->database());
    if (std::string missing = high_water_->missing(); !missing.empty()) {
        findings.push_back(std::move(missing));
    }
    return findings;
}

SqliteTarget::SqliteTarget(Database& database, int checkpoint_pages,
                           std::function<std::string()> trouble, HighWater* noted)
    : database_{database}, checkpoint_pages_{checkpoint_pages}, writes_{database},
      trouble_{std::move(trouble)}, noted_{noted} {
    writes_.on_progress = [this] { answered(); };
    count();
}

void SqliteTarget::look() {
    if (const std::string trouble = trouble_ ? trouble_() : ""; !trouble.empty()) {
        throw StoreError{trouble};
    }
}

void SqliteTarget::transact(const std::function<void()>& work) {
    Transaction transaction{database_, Transaction::Kind::write};
    work();
    transaction.commit();
}

bool SqliteTarget::refused(const StoreError& error) const {
    const auto* of_sqlite = dynamic_cast<const SqliteError*>(&error);
    return of_sqlite != nullptr && of_sqlite->data_fault();
}

bool SqliteTarget::for_good(const std::exception& error) const {
    const auto* of_store = dynamic_cast<const StoreError*>(&error);
    return of_store != nullptr && of_store->damage();
}

// What was acknowledged is in the log and safe; where this throws, the disk takes no more.
void SqliteTarget::afterwards() {
    constexpr std::chrono::seconds between_notes{1};
    const auto now = std::chrono::steady_clock::now();
    if (noted_ != nullptr && now >= next_note_) {
        if (const auto level = level_of(database_)) {
            noted_->note(*level);
        }
        next_note_ = now + between_notes;
    }
    if (database_.wal_pages() >= checkpoint_pages_) {
        database_.checkpoint();
    }
}

} // namespace adjourn::storage
