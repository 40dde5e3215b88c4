// Statistics of a paired comparison: bootstrap intervals, reproducible from a seed, and tables of
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

namespace adjourn::bench {

struct Interval {
    double low;
    double value; // of the sample itself
    double high;
};

struct Bootstrap {
    std::size_t resamples = 2'000;
    std::uint64_t seed = 1;
    double confidence = 0.95;
};

// Percentile bootstrap (Efron): the statistic of `n` items, given by their indices, on the sample
// and on resamples drawn with replacement. Items must be independent (here: roots); what is paired
// stays together in one item. REQUIRES: n > 0, resamples > 0. Values that are not numbers count as
// infinitely large.
Interval bootstrap(std::size_t n, const std::function<double(std::span<const std::size_t>)>& of,
                   const Bootstrap& how = {});
// Of the mean.
Interval bootstrap_mean(std::span<const double> values, const Bootstrap& how = {});

// McNemar's exact test, two-sided: how likely it is that of `only` + `other` differing pairs so
// few, or fewer, are on one side, if either side is as likely. 1 where none differ.
double mcnemar(int only, int other);

// "never" where infinite.
std::string number(double value, int digits);
// "value [low, high]".
std::string cell(const Interval& interval, int digits);

using Rows = std::vector<std::vector<std::string>>;
// As Markdown, which is also readable on a terminal. The first row is the head; columns are
// aligned; a blank line follows. REQUIRES: a row.
void print_table(const Rows& rows, std::ostream& out);

} // namespace adjourn::bench
