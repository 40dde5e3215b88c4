#include "table.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <ostream>
#include <sstream>

namespace adjourn::bench {

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
