#include "progress.hpp"

#include <iostream>

namespace adjourn::bench {

void Progress::step() {
    const std::lock_guard lock{mutex_};
    ++done_;
    const std::chrono::duration<double> past = std::chrono::steady_clock::now() - begin_;
    const auto left = static_cast<long>(past.count() / static_cast<double>(done_) *
                                        static_cast<double>(of_ - done_));
    std::cerr << '\r' << what_ << ' ' << done_ << '/' << of_;
    if (done_ == of_) {
        std::cerr << "                    \n";
    } else {
        std::cerr << ", " << left / 60 << " min " << left % 60 << " s left   ";
    }
    std::cerr << std::flush;
}

} // namespace adjourn::bench
