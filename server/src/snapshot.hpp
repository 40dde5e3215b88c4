// A settled depth as JSON text: what the root looked like at that moment.
#pragma once

#include "server/analysis_run.hpp"

#include <cstdint>
#include <string>

namespace adjourn::server {

// {"evaluations","positions","engine_seconds","alpha","idea","moves":[…],"pv":[…]}; scores are
// White's.
std::string snapshot_text(const AnalysisRun& run, std::size_t positions);
// Whether two snapshots were made under the same rules: see TreeRules.
bool same_rules(const std::string& a, const std::string& b);
// Whether two snapshots say the same of the root, whatever it cost.
bool same_values(const std::string& a, const std::string& b);
// The deepest level that was recorded under the present limit and strategy; 0 if none was. Never
// deeper than the strategy is meant to go.
int recorded_level(const AnalysisRun& run);
std::uint64_t snapshot_evaluations(const std::string& text);

} // namespace adjourn::server
