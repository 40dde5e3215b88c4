// Outcome: how a question ended.
#pragma once

#include "analysis/records.hpp"

#include <cstdint>
#include <string>
#include <variant>

namespace adjourn::server {

// How a question ended, from the moment that it is durable.
struct Dropped {};  // cancelled, or no engine takes it now: it may be asked again
struct Unanswered { // all attempts failed
    std::string reason;
    int attempts = 0;
    analysis::UnixMs at = 0;
};

struct Answered {
    analysis::Evaluation fact; // as it is stored
    // What the answer cost beyond what was paid before it, all threads together, and whether it is
    // this answer that is stored: somebody may have answered the question before.
    std::uint64_t nodes = 0;
    std::uint64_t engine_ms = 0;
    bool fresh = true;
};
using Outcome = std::variant<Answered, Unanswered, Dropped>;

} // namespace adjourn::server
