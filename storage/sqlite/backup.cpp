// Copies of a whole store: for safety, and for a smaller file.
#include "storage/maintenance.hpp"
#include "storage/sqlite/database.hpp"
#include "storage/sqlite/directory_lock.hpp"
#include "storage/sqlite/schema.hpp"
#include "storage/store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <future>
#include <system_error>
#include <utility>

namespace adjourn::storage {

namespace {

// WholeFile: a file that gets its name when it is complete and on the disk, in one step. Until then
// it stands beside that place under another name, and goes if nothing comes of it.
class WholeFile {
public:
    explicit WholeFile(std::filesystem::path file);
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;
    ~WholeFile();

    // Where to write.
    const std::filesystem::path& path() const { return draft_; }
    // Replaces what has the name. Throws StoreError.
    void take_name();

private:
    std::filesystem::path file_, draft_;
};

namespace fs = std::filesystem;

void sync(const fs::path& path, int flags) {
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
    const bool done = descriptor >= 0 && ::fsync(descriptor) == 0;
    const int error = errno;
    if (descriptor >= 0) {
        ::close(descriptor);
    }
    if (!done) {
        throw StoreError{"cannot write " + path.string() + ": " +
                         std::generic_category().message(error)};
    }
}

WholeFile::WholeFile(fs::path file) : file_{std::move(file)}, draft_{file_.string() + ".part"} {
    std::error_code missing;
    fs::remove(draft_, missing); // of a program that was ended
}

WholeFile::~WholeFile() {
    std::error_code missing;
    fs::remove(draft_, missing);
    fs::remove(draft_.string() + "-journal", missing);
}

void WholeFile::take_name() {
    sync(draft_, O_RDONLY);
    std::error_code error;
    fs::rename(draft_, file_, error);
    if (error) {
        throw StoreError{"cannot write " + file_.string() + ": " + error.message()};
    }
    sync(fs::absolute(file_).parent_path(), O_RDONLY | O_DIRECTORY);
}

fs::path file_of(const fs::path& directory) {
    return directory / "adjourn.db";
}

void require_file(const fs::path& directory) {
    std::error_code error;
    if (!fs::exists(file_of(directory), error)) {
        throw_no_store(file_of(directory), error);
    }
}

} // namespace

BackupReport back_up(const fs::path& directory, const fs::path& file, const Advance& advance) {
    require_file(directory);
    if (fs::exists(file)) {
        throw StoreError{file.string() + " is there already; choose another name"};
    }
    BackupReport report;
    WholeFile draft{file};
    {
        Database from{file_of(directory), Access::read};
        require_current(from, migrations());
        // One snapshot: what the server commits meanwhile belongs to the next backup.
        const Transaction snapshot{from, Transaction::Kind::read};
        (void)from.integer("SELECT count(*) FROM sqlite_schema");
        Database to{draft.path(), Access::write};
        from.copy_to(to, advance);
    }
    {
        Database copy{draft.path(), Access::read_frozen};
        report.findings = check_database(copy);
        report.evaluations = static_cast<std::uint64_t>(
            copy.integer("SELECT value FROM totals WHERE name = 'evaluations'"));
    }
    report.bytes = fs::file_size(draft.path());
    draft.take_name();
    return report;
}

CompactReport compact(const fs::path& directory, const Advance& advance) {
    require_file(directory);
    const DirectoryLock lock = DirectoryLock::own(directory);
    const fs::path file = fs::canonical(file_of(directory)); // a link stays one
    CompactReport report;
    WholeFile draft{file};
    {
        Database from{file, Access::write};
        require_current(from, migrations());
        from.execute("PRAGMA wal_checkpoint(TRUNCATE)");
        report.bytes_before = fs::file_size(file);
        const auto wanted = static_cast<std::uint64_t>(
            (from.integer("PRAGMA page_count") - from.integer("PRAGMA freelist_count")) *
            from.integer("PRAGMA page_size"));
        auto written = std::async(std::launch::async, [&] { from.vacuum_into(draft.path()); });
        while (written.wait_for(std::chrono::milliseconds{200}) != std::future_status::ready) {
            std::error_code not_yet;
            const auto size = fs::file_size(draft.path(), not_yet);
            if (advance && !not_yet) {
                advance(std::min<std::uint64_t>(size, wanted), wanted);
            }
        }
        written.get();
        Database copy{draft.path(), Access::read_frozen};
        if (const auto findings = check_database(copy); !findings.empty()) {
            throw StoreError{file.string() + " is damaged (" + findings.front() +
                             "); nothing was changed; see what 'adjourn check' finds, and use "
                             "'adjourn check --repair'"};
        }
    } // the last connection closes: there is no log any more
    for (const char* beside : {"-wal", "-shm"}) {
        if (fs::exists(file.string() + beside)) {
            throw StoreError{file.string() +
                             ": another program has it open; end that one, and try again"};
        }
    }
    report.bytes_after = fs::file_size(draft.path());
    draft.take_name();
    return report;
}

} // namespace adjourn::storage
