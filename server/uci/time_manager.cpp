#include "uci/time_manager.hpp"

#include <algorithm>
#include <bit>

namespace adjourn::server::uci {

using std::chrono::milliseconds;

std::optional<milliseconds> longest_wait(const Clock& clock) {
    return clock.left <= milliseconds{0} ? std::nullopt
                                         : std::optional{std::min(most_wait, clock.left / 2)};
}

std::optional<milliseconds> longest_wait(milliseconds movetime, milliseconds overhead) {
    return movetime <= milliseconds{0}
               ? std::nullopt
               : std::optional{(allot(movetime, overhead).maximum + movetime) / 2};
}

std::uint64_t evaluation_nodes(milliseconds time, double nodes_per_second, double evaluations) {
    const double nodes =
        static_cast<double>(time.count()) / 1000.0 * nodes_per_second / evaluations;
    const double within = std::clamp(nodes, static_cast<double>(least_evaluation_nodes),
                                     static_cast<double>(most_evaluation_nodes));
    return std::bit_floor(static_cast<std::uint64_t>(within));
}

} // namespace adjourn::server::uci
