// Simulation: a server, people and machines on one clock that is turned, all from one seed. What
// goes wrong is told with the seed and the last steps; the same seed goes the same way again.
#pragma once

#include "world.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace adjourn::simulation {

struct Plan {
    std::uint64_t seed = 1;
    std::size_t steps = 1'200; // before the faults end
    std::size_t people = 3;
    std::size_t machines = 2;
    std::set<FaultKind> faults{FaultKind::kill, FaultKind::power,  FaultKind::disk,
                               FaultKind::hang, FaultKind::engine, FaultKind::clock};
    bool faulty_machines = true;
    bool as_is = false; // the log is printed as it comes

    std::string text() const; // as the program's options
};

struct Run {
    std::string violation; // "": all was as it must be
    std::vector<std::string> last;
    std::uint64_t trace = 0; // of all lines
    analysis::UnixMs simulated = 0;
    std::uint64_t facts = 0;
};

Run run(const Plan& plan);
// A plan as small as is found that still goes wrong.
Plan smaller(Plan plan);
// For people: what went wrong, the smallest plan, its last steps.
std::string report(const Plan& plan, const Run& run);

} // namespace adjourn::simulation
