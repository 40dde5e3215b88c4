// A line on the error stream of a terminal that says how far a loop is, and when it may end.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace adjourn::bench {

class Progress {
public:
    Progress(std::string what, std::size_t of) : what_{std::move(what)}, of_{of} {}
    // One more is done. The time left is as if the rest took as long as what is
    // done, kept answers included.
    void step();

private:
    std::string what_;
    std::size_t of_;
    std::size_t done_ = 0;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

} // namespace adjourn::bench
