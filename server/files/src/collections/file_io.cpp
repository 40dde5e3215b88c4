#include "file_io.hpp"

#include "base/new_file.hpp"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace adjourn::collections {

namespace {

[[noreturn]] void fail_with_errno(const std::string& what) {
    throw std::runtime_error(what + ": " + std::strerror(errno));
}

} // namespace

std::size_t read_at(int file, std::uint64_t at, void* to, std::size_t size) {
    std::size_t done = 0;
    while (done < size) {
        const auto got = ::pread(file, static_cast<char*>(to) + done, size - done,
                                 static_cast<off_t>(at + done));
        if (got == 0) {
            break;
        }
        if (got < 0 && errno != EINTR) {
            fail_with_errno("a collection cannot be read");
        }
        done += got > 0 ? static_cast<std::size_t>(got) : 0;
    }
    return done;
}

void write_all(int file, const void* from, std::size_t size) {
    if (!base::write_whole(file, {static_cast<const char*>(from), size})) {
        fail_with_errno("a collection cannot be written");
    }
}

base::UniqueFd create_file(const std::filesystem::path& file) {
    base::UniqueFd created = base::make_new_file(file);
    if (!created.open()) {
        fail_with_errno("cannot write " + file.string());
    }
    return created;
}

} // namespace adjourn::collections
