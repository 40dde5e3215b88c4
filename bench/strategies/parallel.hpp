// A loop whose rounds wait for engines, on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace adjourn::bench {

// Calls `round` for 0 … count − 1, each once, started in that order, on so many threads. Blocks
// until all are done. The first exception stops the start of further rounds and is thrown.
void parallel_for(std::size_t count, std::size_t threads,
                  const std::function<void(std::size_t)>& round);

} // namespace adjourn::bench
