// Affinity: which questions like the same engine process.
#pragma once

#include "analysis/records.hpp"

#include <cstdint>
#include <span>

namespace adjourn::server {

// Lines of one analysis that share their first two moves: the process's hash knows their subtree.
// `line` leads from the root. Never 0; others have, but for one in 2^63, another one.
std::uint64_t affinity_of(analysis::AnalysisId id, std::span<const chess::Move> line);

} // namespace adjourn::server
