// What engines say of themselves and of positions, as the records that the store keeps.
#pragma once

#include "engine_bridge/process/job.hpp"
#include "engine_bridge/process/profile.hpp"
#include "storage/store.hpp"

namespace adjourn::server {

// Without id. The version is the last word of the name where that starts with a digit.
storage::EngineRecord engine_record(const engine_bridge::Identity& who);

// The fact in an answer to a question; without id.
analysis::Evaluation evaluation_of(const engine_bridge::Answer& answer, analysis::Question question,
                                   analysis::UnixMs at);

} // namespace adjourn::server
