// How questions end, and Turn: a question whose answer takes effect in its turn (decision 105).
#pragma once

#include "analysis/growth.hpp"
#include "core/graphs/asked_facts.hpp"
#include "core/graphs/graph_slot.hpp"
#include "engine_bridge/process/job.hpp"

#include <cstdint>
#include <optional>
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

// A question of an analysis whose answers take effect in turn (GraphKey::in_turn), until that of
// its answer has come.
struct Turn {
    enum class Place : std::uint8_t {
        unknown, // whether the store has the answer
        reading, // the store is asked
        missing, // the store has none; an engine is to be asked
        out      // an engine is asked, by this analysis or by another one
    };
    analysis::PlannedQuestion planned;
    analysis::Question question;
    Place place = Place::unknown;
    std::uint64_t reading = 0;           // which one, if it is read
    engine_bridge::JobId job = 0;        // if it is out
    std::optional<Outcome> outcome = {}; // takes effect once all before it have

    NodeQuestion asked() const { return {planned.node, planned.limit, planned.excluded}; }
};

} // namespace adjourn::server
