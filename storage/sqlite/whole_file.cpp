#include "storage/sqlite/whole_file.hpp"

#include "storage/store.hpp"

#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace adjourn::storage {

namespace fs = std::filesystem;

namespace {

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

} // namespace

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

} // namespace adjourn::storage
