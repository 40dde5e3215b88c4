#include "bench/strategies.hpp"

#include "arguments.hpp"
#include "bench/strategies/options.hpp"
#include "strategies/made_up.hpp"
#include "strategies/real.hpp"

#include <spdlog/spdlog.h>

#include <iostream>
#include <ostream>
#include <stdexcept>

namespace adjourn::bench {

namespace {

ComparisonOptions comparison_options(const StrategiesOptions& options) {
    ComparisonOptions result;
    result.budgets = options.budgets;
    result.tolerance = options.tolerance;
    result.bootstrap.seed = options.seed;
    return result;
}

} // namespace

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
        if (options->epd.empty()) {
            out << "Made-up trees.\n";
            print_comparison(compare_on_made_up_trees(*options), comparison_options(*options), out);
        } else {
            compare_on_positions(*options, out);
        }
    } catch (const std::runtime_error& problem) {
        std::cerr << "bench strategies: " << problem.what() << '\n';
        return 1;
    }
    return 0;
}

} // namespace adjourn::bench
