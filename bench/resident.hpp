// How much memory this process holds.
#pragma once

#include <cstddef>

namespace adjourn::bench {

// Bytes in memory, by the kernel's count.
std::size_t resident_bytes();

} // namespace adjourn::bench
