#include "bench/benches.hpp"

#include "arguments.hpp"
#include "strategies/options.hpp"
#include "strategies/real.hpp"

#include <spdlog/spdlog.h>

#include <iostream>
#include <ostream>
#include <stdexcept>

namespace adjourn::bench {

int run_strategies(const std::vector<std::string>& args, std::ostream& out) {
    if (asks_for_help(args)) {
        explain_options(out);
        return 0;
    }
    const auto options = parse_options(args);
    if (!options) {
        std::cerr << "bench strategies: " << options.error() << '\n';
        return 2;
    }
    spdlog::set_level(spdlog::level::warn);
    try {
        compare_on_positions(*options, out);
    } catch (const std::runtime_error& problem) {
        std::cerr << "bench strategies: " << problem.what() << '\n';
        return 1;
    }
    return 0;
}

} // namespace adjourn::bench
