#include "reader.hpp"

#include "work/guard.hpp"

#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace adjourn::server::uci {

Reader::Reader(int input, int stop, Inbox& inbox) {
    if (pipe(leave_.data()) != 0) {
        throw std::system_error{errno, std::generic_category(), "no pipe can be made"};
    }
    try {
        thread_ = std::thread{[input, stop, leave = leave_[0], &inbox] {
            if (guarded("reading the GUI's lines",
                        [&] { read_lines(input, stop, leave, inbox); })) {
                inbox.push({"quit", Inbox::Clock::now()});
            }
        }};
    } catch (...) {
        close(leave_[0]);
        close(leave_[1]);
        throw;
    }
}

Reader::~Reader() {
    close(leave_[1]);
    thread_.join();
    close(leave_[0]);
}

} // namespace adjourn::server::uci
