#include "progress.hpp"

#include "base/standard_streams.hpp"

#include <iostream>
#include <string>

namespace adjourn::bench {

void Progress::step() {
    ++done_;
    const std::chrono::duration<double> past = std::chrono::steady_clock::now() - begin_;
    const auto left = static_cast<long>(past.count() / static_cast<double>(done_) *
                                        static_cast<double>(of_ - done_));
    const std::string done = what_ + ' ' + std::to_string(done_) + '/' + std::to_string(of_);
    if (done_ == of_) {
        base::rewrite_line(done + "                    ");
        std::cerr << '\n';
    } else {
        base::rewrite_line(done + ", " + std::to_string(left / 60) + " min " +
                           std::to_string(left % 60) + " s left   ");
    }
}

} // namespace adjourn::bench
