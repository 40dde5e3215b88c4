#include "reader.hpp"

#include "core/guards/guard.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace adjourn::server::uci {

Reader::Reader(int input, int stop, InputQueue& input_queue) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) {
        throw std::system_error{errno, std::generic_category(), "no pipe can be made"};
    }
    leave_ = base::UniqueFd{ends[0]};
    hold_ = base::UniqueFd{ends[1]};
    thread_ = std::thread{[input, stop, leave = leave_.get(), &input_queue] {
        if (guarded("reading the GUI's lines",
                    [&] { read_lines(input, stop, leave, input_queue); })) {
            input_queue.push({"quit", InputQueue::Clock::now()});
        }
    }};
}

Reader::~Reader() {
    hold_.close();
    thread_.join();
}

} // namespace adjourn::server::uci
