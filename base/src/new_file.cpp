#include "base/new_file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace adjourn::base {

UniqueFd make_new_file(const std::filesystem::path& file, int mode) {
    ::unlink(file.c_str()); // what cannot be removed is told by the next line
    return UniqueFd{::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)};
}

bool write_whole(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ::ssize_t written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) {
            return false;
        }
        bytes.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
    return true;
}

} // namespace adjourn::base
