#include "base/files.hpp"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

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

std::expected<void, std::string> replace_file(const std::filesystem::path& file,
                                              std::string_view text) {
    const std::filesystem::path draft = file.string() + ".new";
    const UniqueFd out = make_new_file(draft);
    if (!out.open() || !write_whole(out.get(), text) || ::fsync(out.get()) != 0 ||
        ::rename(draft.c_str(), file.c_str()) != 0) {
        return std::unexpected(file.string() + " cannot be written: " + std::strerror(errno));
    }
    return {};
}

namespace fs = std::filesystem;

ScratchDirectory::ScratchDirectory(const fs::path& parent, const std::string& prefix) {
    std::string pattern = (parent / (prefix + "XXXXXX")).string();
    if (mkdtemp(pattern.data()) == nullptr) {
        throw fs::filesystem_error{"cannot make a directory", parent,
                                   std::error_code{errno, std::generic_category()}};
    }
    path_ = pattern;
}

ScratchDirectory::~ScratchDirectory() {
    std::error_code ignored; // a directory left behind harms nobody
    fs::remove_all(path_, ignored);
}

namespace {

// The file that this very function was mapped from.
std::filesystem::path mapped_file() {
    const auto here = reinterpret_cast<std::uintptr_t>(&mapped_file);
    std::ifstream maps{"/proc/self/maps"};
    // "55d0c8a00000-55d0c8a21000 r-xp 00001000 fe:01 1234      /usr/bin/name"
    for (std::string line; std::getline(maps, line);) {
        std::uintptr_t from = 0;
        std::uintptr_t to = 0;
        const char* const end = line.data() + line.size();
        const char* const dash = std::from_chars(line.data(), end, from, 16).ptr;
        if (dash == end || std::from_chars(dash + 1, end, to, 16).ptr == end) {
            continue;
        }
        const auto name = line.find('/');
        if (from <= here && here < to && name != std::string::npos) {
            return line.substr(name);
        }
    }
    return {};
}

} // namespace

std::filesystem::path program_file() {
    // The kernel says where it loaded the loader that a program names: nowhere, if the loader
    // itself was started.
    if (getauxval(AT_BASE) == 0) {
        return mapped_file();
    }
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error);
}

} // namespace adjourn::base
