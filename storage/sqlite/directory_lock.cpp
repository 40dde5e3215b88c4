#include "storage/sqlite/directory_lock.hpp"

#include "base/files.hpp"
#include "base/line_reader.hpp"
#include "storage/open.hpp"

#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace adjourn::storage {

namespace {

using std::filesystem::path;

path lock_file(const path& directory) {
    return directory / "lock";
}
path owner_file(const path& directory) {
    return directory / "owner";
}

std::string words(int error) {
    return std::generic_category().message(error);
}

// The names in a directory survive a power failure.
void sync_directory(const path& directory) {
    const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        ::fsync(descriptor); // file systems that cannot, need not
        ::close(descriptor);
    }
}

void make_directory(const path& directory) {
    std::error_code error;
    if (std::filesystem::is_directory(directory, error)) {
        return;
    }
    // What people write is in it: nobody else looks in, whatever the umask is. Those above it may
    // be others', and are made as any program makes them.
    const path whole = std::filesystem::absolute(directory).lexically_normal();
    const path name = whole.has_filename() ? whole : whole.parent_path(); // "DIR/"
    std::filesystem::create_directories(name.parent_path(), error);
    const int why = error ? error.value() : ::mkdir(name.c_str(), 0700) == 0 ? 0 : errno;
    if (why != 0 && !std::filesystem::is_directory(directory, error)) {
        throw StoreError{"cannot create the directory " + directory.string() + ": " + words(why) +
                         "; create it or choose another with --data"};
    }
    sync_directory(std::filesystem::absolute(directory).lexically_normal().parent_path());
}

constexpr std::size_t longest_owner = 4'096; // bytes; an address

std::string read_owner(const path& directory) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(owner_file(directory), error)) {
        return "";
    }
    std::ifstream in{owner_file(directory), std::ios::binary};
    return base::read_all(in, longest_owner).value_or("");
}

} // namespace

DirectoryLock DirectoryLock::own(const path& directory) {
    make_directory(directory);
    // O_CLOEXEC: an engine process that outlives us must not go on holding the lock.
    DirectoryLock lock{::open(lock_file(directory).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)};
    if (!lock) {
        throw StoreError{"cannot write in " + directory.string() + ": " + words(errno) +
                         "; make it writable or choose another directory with --data"};
    }
    // The file keeps older programs out. It can be removed while it is held (cleaners do so), and
    // another be made; the directory cannot. Not every file system locks directories.
    lock.directory_ = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool owned = lock.directory_ >= 0 && ::flock(lock.directory_, LOCK_EX | LOCK_NB) != 0 &&
                       errno == EWOULDBLOCK;
    if (owned || ::flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0) {
        const int error = errno;
        if (error != EWOULDBLOCK) {
            throw StoreError{"cannot lock " + lock_file(directory).string() + ": " + words(error) +
                             "; choose a directory on a local disk"};
        }
        const std::string holder = read_owner(directory);
        throw StoreInUse{directory.string() + " is in use by another Adjourn" +
                             (holder.empty() ? "" : " (" + holder + ")") +
                             "; end that one or choose another directory with --data",
                         holder};
    }
    std::error_code missing;
    std::filesystem::remove(owner_file(directory), missing);
    return lock;
}

DirectoryLock DirectoryLock::keep_owners_out(const path& directory) {
    DirectoryLock lock{::open(lock_file(directory).c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
    lock.directory_ = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool owned = lock.directory_ >= 0 && ::flock(lock.directory_, LOCK_SH | LOCK_NB) != 0 &&
                       errno == EWOULDBLOCK;
    if (owned || (lock && ::flock(lock.descriptor_, LOCK_SH | LOCK_NB) != 0)) {
        return {};
    }
    return lock;
}

DirectoryLock::DirectoryLock(DirectoryLock&& other) noexcept
    : descriptor_{std::exchange(other.descriptor_, -1)}, directory_{
                                                             std::exchange(other.directory_, -1)} {}

DirectoryLock& DirectoryLock::operator=(DirectoryLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(directory_, other.directory_);
    return *this;
}

DirectoryLock::~DirectoryLock() {
    for (const int held : {descriptor_, directory_}) {
        if (held >= 0) {
            ::close(held);
        }
    }
}

bool DirectoryLock::saw_store() const {
    struct stat found {};
    return ::fstat(descriptor_, &found) == 0 && found.st_size > 0;
}

void DirectoryLock::note_store() {
    constexpr std::string_view text = "a store was made here\n";
    if (!saw_store() && ::pwrite(descriptor_, text.data(), text.size(), 0) > 0) {
        ::fsync(descriptor_);
    }
}

std::optional<std::string> owner_of(const path& directory) {
    std::error_code error;
    if (!std::filesystem::exists(lock_file(directory), error) ||
        DirectoryLock::keep_owners_out(directory)) {
        return std::nullopt;
    }
    return read_owner(directory);
}

void DirectoryLock::write_owner(const path& directory, const std::string& text) {
    // readers see the old text or the new
    if (const auto written = base::replace_file(owner_file(directory), text); !written) {
        throw StoreError{written.error()};
    }
}

} // namespace adjourn::storage
