#include "file_io.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
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
    std::size_t done = 0;
    while (done < size) {
        const auto put = ::write(file, static_cast<const char*>(from) + done, size - done);
        if (put < 0 && errno != EINTR) {
            fail_with_errno("a collection cannot be written");
        }
        done += put > 0 ? static_cast<std::size_t>(put) : 0;
    }
}

base::UniqueFd create_file(const std::filesystem::path& file) {
    base::UniqueFd created{::open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)};
    if (!created.open()) {
        fail_with_errno("cannot write " + file.string());
    }
    return created;
}

} // namespace adjourn::collections
