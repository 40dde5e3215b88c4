// EndWatch: a descriptor that says when a child process has ended.
#pragma once

#include "base/unique_fd.hpp"

#include <cstdint>
#include <expected>
#include <thread>

namespace adjourn::engine_bridge {

class EndWatch {
public:
    enum class Way : std::uint8_t {
        descriptor, // the kernel's pidfd
        thread,     // a thread that waits: where the kernel knows no pidfd (before Linux 5.3, some
                    // sandboxes, valgrind)
    };

    // Watches a child of this process that nobody has reaped. The error is errno.
    static std::expected<EndWatch, int> of(int pid);
    static std::expected<EndWatch, int> of(int pid, Way way);

    EndWatch(EndWatch&&) = default;
    EndWatch& operator=(EndWatch&&) = delete;
    // Blocks until the child has ended, if a thread waits for it: kill it before.
    ~EndWatch();

    // Readable once the child has ended, whether or not it is reaped. Valid as long as this.
    int fd() const { return fd_.get(); }

private:
    EndWatch(base::UniqueFd fd, std::thread waiter)
        : fd_{std::move(fd)}, waiter_{std::move(waiter)} {}

    base::UniqueFd fd_;
    std::thread waiter_;
};

} // namespace adjourn::engine_bridge
