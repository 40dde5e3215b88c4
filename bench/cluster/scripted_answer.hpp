// What a simulated engine finds: a function of the question alone.
#pragma once

#include "engine_bridge/process/job.hpp"

namespace adjourn::bench {

// REQUIRES: the position has a legal move.
engine_bridge::Answer answer_to(const engine_bridge::Job& job);

} // namespace adjourn::bench
