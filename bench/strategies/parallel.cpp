#include "parallel.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace adjourn::bench {

void parallel_for(std::size_t count, std::size_t threads,
                  const std::function<void(std::size_t)>& round) {
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    std::exception_ptr problem;
    const auto work = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            try {
                round(i);
            } catch (...) {
                const std::lock_guard lock{mutex};
                if (!problem) {
                    problem = std::current_exception();
                }
                next = count;
            }
        }
    };
    std::vector<std::thread> crew;
    for (std::size_t i = 0; i < threads; ++i) {
        crew.emplace_back(work);
    }
    for (std::thread& thread : crew) {
        thread.join();
    }
    if (problem) {
        std::rethrow_exception(problem);
    }
}

} // namespace adjourn::bench
