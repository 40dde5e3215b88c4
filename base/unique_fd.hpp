// UniqueFd: a file descriptor that closes itself.
#pragma once

#include <unistd.h>

#include <utility>

namespace adjourn::base {

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

} // namespace adjourn::base
