// How much memory this process holds.
#pragma once

#include <unistd.h>

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

} // namespace adjourn::bench
