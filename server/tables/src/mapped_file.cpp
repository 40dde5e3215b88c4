#include "mapped_file.hpp"

#include "base/unique_fd.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace adjourn::tables {

std::expected<MappedFile, std::string> MappedFile::open(const std::filesystem::path& file) {
    const auto failed = [] { return std::unexpected(std::string{std::strerror(errno)}); };
    const base::UniqueFd fd{::open(file.c_str(), O_RDONLY | O_CLOEXEC)};
    if (!fd.open()) {
        return failed();
    }
    struct stat about {};
    if (fstat(fd.get(), &about) != 0 || !S_ISREG(about.st_mode)) {
        return std::unexpected(std::string{"not a file"});
    }
    const auto size = static_cast<std::size_t>(about.st_size);
    if (size == 0) {
        return MappedFile{{}};
    }
    void* at = mmap(nullptr, size, PROT_READ, MAP_SHARED, fd.get(), 0);
    if (at == MAP_FAILED) {
        return failed();
    }
    return MappedFile{{static_cast<const std::uint8_t*>(at), size}};
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) {
        munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
    }
}

} // namespace adjourn::tables
