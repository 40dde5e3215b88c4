#include "database.hpp"

#include <sqlite3.h>

#include <array>
#include <cstring>

namespace adjourn::storage {

namespace {

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
