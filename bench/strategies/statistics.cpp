#include "bench/strategies/statistics.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iomanip>
#include <limits>
#include <numeric>
#include <ostream>
#include <random>
#include <sstream>

namespace adjourn::bench {

namespace {

double ordered(double value) {
    return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

} // namespace

Interval bootstrap(std::size_t n, const std::function<double(std::span<const std::size_t>)>& of,
                   const Bootstrap& how) {
    assert(n > 0 && how.resamples > 0);
    std::vector<std::size_t> items(n);
    std::iota(items.begin(), items.end(), std::size_t{0});
    const double value = ordered(of(items));
    std::mt19937_64 random{how.seed};
    std::vector<double> drawn;
    drawn.reserve(how.resamples);
    for (std::size_t i = 0; i < how.resamples; ++i) {
        for (std::size_t& item : items) {
            item = random() % n; // the bias is far below anything that shows
        }
        drawn.push_back(ordered(of(items)));
    }
    std::sort(drawn.begin(), drawn.end());
    const double last = static_cast<double>(drawn.size() - 1);
    const double tail = (1 - how.confidence) / 2;
    return {drawn[static_cast<std::size_t>(std::floor(tail * last))], value,
            drawn[static_cast<std::size_t>(std::ceil((1 - tail) * last))]};
}

Interval bootstrap_mean(std::span<const double> values, const Bootstrap& how) {
    return bootstrap(
        values.size(),
        [&](std::span<const std::size_t> items) {
            double sum = 0;
            for (const std::size_t item : items) {
                sum += values[item];
            }
            return sum / static_cast<double>(items.size());
        },
        how);
}

double mcnemar(int only, int other) {
    const int all = only + other;
    const auto log_factorial = [](int n) { return std::lgamma(n + 1.0); };
    double sum = 0;
    for (int k = 0; k <= std::min(only, other); ++k) {
        sum += std::exp(log_factorial(all) - log_factorial(k) - log_factorial(all - k) -
                        all * std::log(2.0));
    }
    return std::min(1.0, 2 * sum);
}

std::string number(double value, int digits) {
    if (std::isinf(value)) {
        return "never";
    }
    std::ostringstream text;
    text << std::fixed << std::setprecision(digits) << value;
    return text.str();
}

std::string cell(const Interval& interval, int digits) {
    return number(interval.value, digits) + " [" + number(interval.low, digits) + ", " +
           number(interval.high, digits) + "]";
}

void print_table(const Rows& rows, std::ostream& out) {
    std::vector<std::size_t> widths(rows.front().size(), 0);
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t i = 0; i < rows[r].size(); ++i) {
            out << "| " << std::left << std::setw(static_cast<int>(widths[i])) << rows[r][i] << ' ';
        }
        out << "|\n";
        if (r == 0) {
            for (const std::size_t width : widths) {
                out << '|' << std::string(width + 2, '-');
            }
            out << "|\n";
        }
    }
    out << '\n';
}

} // namespace adjourn::bench
