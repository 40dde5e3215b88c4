#include "mapped_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace adjourn::tables {

std::expected<MappedFile, std::string> MappedFile::open(const std::filesystem::path& file) {
    const auto failed = [] { return std::unexpected(std::string{std::strerror(errno)}); };
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return failed();
    }
    struct stat about {};
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) {
        ::close(fd);
        return std::unexpected(std::string{"not a file"});
    }
    const auto size = static_cast<std::size_t>(about.st_size);
    if (size == 0) {
        ::close(fd);
        return MappedFile{{}};
    }
    void* at = mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0);
    const int error = errno;
    ::close(fd);
    if (at == MAP_FAILED) {
        return std::unexpected(std::string{std::strerror(error)});
    }
    return MappedFile{{static_cast<const std::uint8_t*>(at), size}};
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) {
        munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
    }
}

} // namespace adjourn::tables
