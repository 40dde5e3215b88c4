// Loop: an event loop that runs until a condition holds, and a look at what the process owns.
#pragma once

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstddef>

namespace adjourn::engine_bridge {

struct Loop {
    boost::asio::io_context context;

    // False if the condition does not hold within a generous time, which is a failure.
    template <typename Condition>
    bool run_until(Condition condition, std::chrono::seconds patience = std::chrono::minutes{3}) {
        const auto deadline = std::chrono::steady_clock::now() + patience;
        while (!condition()) {
            if (std::chrono::steady_clock::now() > deadline) {
                return false;
            }
            context.restart();
            context.run_one_for(std::chrono::milliseconds{10});
        }
        return true;
    }
};

// Descriptors of this process.
std::size_t open_descriptors();
// No child at all, living or zombie.
bool no_children();
// Neither gone nor a zombie.
bool alive(int pid);

} // namespace adjourn::engine_bridge
