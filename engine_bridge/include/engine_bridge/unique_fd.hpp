// UniqueFd: a file descriptor that closes itself.
#pragma once

#include <utility>

namespace adjourn::engine_bridge {

class UniqueFd {
public:
    UniqueFd() = default;
    explicit UniqueFd(int fd) : fd_{fd} {}
    UniqueFd(UniqueFd&& other) noexcept : fd_{std::exchange(other.fd_, -1)} {}
    UniqueFd& operator=(UniqueFd&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~UniqueFd();

    bool open() const { return fd_ >= 0; }
    int get() const { return fd_; }
    int release() { return std::exchange(fd_, -1); }
    void close();

private:
    int fd_ = -1; // the kernel's own spelling of "none"
};

} // namespace adjourn::engine_bridge
