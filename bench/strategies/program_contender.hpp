// What the program itself answers, `adjourn analyse` with several engine processes: the whole of
// it, with its scheduler and the long search beside the tree.
#pragma once

#include "strategies/assessments.hpp"

#include <optional>
#include <string>
#include <vector>

namespace adjourn::bench {

struct ProgramRequest {
    std::vector<std::string> engine; // command
    int hash = 16;                   // MB of each process
    std::size_t processes = 1;
    chess::Position root;
    analysis::StrategyParameters parameters;
    std::uint64_t nodes = 100'000; // of an evaluation
    std::uint64_t total = 0;       // of all of them
};

// Starts it with an empty data directory and waits until the nodes are spent. nullopt: it knows no
// best move. No two runs are the same: the processes run side by side. Throws std::runtime_error
// where the program does not start, ends without an answer or says nothing for an hour.
std::optional<Assessment> assessment_of_program(const ProgramRequest& request);

} // namespace adjourn::bench
