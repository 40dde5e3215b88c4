// What this process and this thread have had of the machine, and of time.
#pragma once

#include <time.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <fstream>

namespace adjourn::bench {

// Bytes in memory, by the kernel's count.
inline std::size_t resident_bytes() {
    std::ifstream statm{"/proc/self/statm"};
    std::size_t total = 0;
    std::size_t resident = 0;
    statm >> total >> resident;
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Seconds of one core that this thread has had.
inline double thread_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// Seconds by the clock on the wall.
inline double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace adjourn::bench
