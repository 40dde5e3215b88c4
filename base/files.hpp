// Files: descriptors, what a program makes for itself beside others, and its own.
#pragma once

#include <unistd.h>

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace adjourn::base {

// UniqueFd: a file descriptor that closes itself.
class UniqueFd {
public:
    UniqueFd() = default;
    explicit UniqueFd(int fd) : fd_{fd} {}
    UniqueFd(UniqueFd&& other) noexcept : fd_{std::exchange(other.fd_, -1)} {}
    UniqueFd& operator=(UniqueFd&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~UniqueFd() { close(); }

    bool open() const { return fd_ >= 0; }
    int get() const { return fd_; }
    int release() { return std::exchange(fd_, -1); }
    void close() {
        if (fd_ >= 0) {
            ::close(release()); // nothing sensible can be done about an error here
        }
    }

private:
    int fd_ = -1; // the kernel's own spelling of "none"
};

// Whatever had the name loses it: nothing is written where a link leads that somebody has put
// there. Its owner's alone unless `mode` says more. Where there is none, errno says why.
UniqueFd make_new_file(const std::filesystem::path& file, int mode = 0600);
// All of it; blocks for the disk. False: errno says why.
bool write_whole(int file, std::string_view bytes);

// A small file that is written anew: it has the old text or the new one, whenever the power goes.

// Nobody but its owner may read it. Blocks for the disk; one writer at a time. Error: why not, in
// words.
std::expected<void, std::string> replace_file(const std::filesystem::path& file,
                                              std::string_view text);

// A directory for what need not last.

// A new directory, removed with all that is in it when the object goes.
class ScratchDirectory {
public:
    // Its name is `prefix` and something that makes it new; `parent` must exist. Throws
    // std::filesystem::filesystem_error.
    ScratchDirectory(const std::filesystem::path& parent, const std::string& prefix);
    ~ScratchDirectory();
    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

// The file that this program was started from.

// Absolute, links resolved; also where the dynamic loader was started with this program as its
// argument, as the launcher of the archive does: /proc/self/exe is the loader then. A name that no
// file has where the file is gone or another took its place; "" without /proc. Any thread.
std::filesystem::path program_file();

} // namespace adjourn::base
