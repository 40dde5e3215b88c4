// CallTimes: how long calls took, as a line of a table.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iomanip>
#include <ostream>
#include <string>
#include <vector>

namespace adjourn::bench {

inline double milliseconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

class CallTimes {
public:
    void add(double ms) { all_.push_back(ms); }
    // Their number, the median, the 99th percentile and the longest, in ms.
    void print(std::ostream& out, const std::string& what) {
        std::ranges::sort(all_);
        out << std::left << std::setw(44) << what << std::right << std::setw(7) << all_.size()
            << " calls" << std::fixed << std::setprecision(2);
        for (const double share : {0.5, 0.99, 1.0}) {
            const auto at = static_cast<std::size_t>(share * static_cast<double>(all_.size()));
            out << std::setw(10) << (all_.empty() ? 0.0 : all_[std::min(at, all_.size() - 1)]);
        }
        out << '\n';
    }

private:
    std::vector<double> all_;
};

} // namespace adjourn::bench
