// N workers against one search of N threads, at equal wall time.
#pragma once

#include "bench/strategies/options.hpp"
#include "bench/strategies/oracle.hpp"
#include "bench/strategies/roots.hpp"

#include <iosfwd>
#include <optional>
#include <span>

namespace adjourn::bench {

// One root, one strategy.
struct Match {
    chess::Position root;
    std::size_t variant; // index in the options' strategies
    chess::Move workers; // what the tree grown by N workers chose
    // What its searches took, divided by N: workers are never idle (`adjourn bench busy`).
    std::uint64_t wall_ms;
    std::optional<chess::Move> threads; // what one search of N threads chose in that time
};

// Follows each strategy with options.threads workers on the first options.thread_roots roots.
std::vector<Match> worker_choices(const StrategiesOptions& options, std::span<const Root> roots,
                                  Oracle& evaluations);
// One search at a time; the machine should have the threads to itself.
void add_thread_choices(std::vector<Match>& matches, Oracle& threads);
// Throws std::runtime_error if the reference fails.
void print_matches(const StrategiesOptions& options, const std::vector<Match>& matches,
                   Oracle& reference, std::ostream& out);

} // namespace adjourn::bench
