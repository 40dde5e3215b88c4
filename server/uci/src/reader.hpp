// Reader: the thread that hands the GUI's lines to the input queue.
#pragma once

#include "input_queue.hpp"

#include "base/unique_fd.hpp"

#include <thread>

namespace adjourn::server::uci {

class Reader {
public:
    // Reads `input`; pushes "quit" when `stop` becomes readable (−1 = never). The input queue must
    // outlive it. Throws std::system_error if there are no descriptors or threads
    // left.
    Reader(int input, int stop, InputQueue& input_queue);
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader(); // ends the reading and waits for the thread

private:
    base::UniqueFd leave_; // a pipe: closing what holds it makes this end readable
    base::UniqueFd hold_;
    std::thread thread_;
};

} // namespace adjourn::server::uci
