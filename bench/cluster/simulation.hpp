// A simulated fleet: the real scheduler, lease book and store, and machines whose engines answer
// after a time that only a clock of the simulation knows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <ostream>

namespace adjourn::bench {

struct SimulationOptions {
    std::size_t processes = 1'000;
    std::size_t of_machine = 8; // processes of each
    double seconds = 2;         // of an answer, on average; from half to one and a half
    std::size_t analyses = 50;  // that share them
    std::uint64_t answers = 20'000;
    std::uint64_t seed = 1;
    std::filesystem::path directory; // of the store, which is new
};

// Prints what an answer costs the one thread of the scheduler, in growing trees, and how many
// answers a second that allows. Throws std::runtime_error where not all answers come.
void simulate(const SimulationOptions& options, std::ostream& out);

} // namespace adjourn::bench
