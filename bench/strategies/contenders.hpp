// Contenders: who takes part on a real position, and what each of them says there.
#pragma once

#include "crew.hpp"
#include "strategies/assessments.hpp"
#include "strategies/recorded_trees.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace adjourn::bench {

std::vector<std::string> names_of(const StrategiesOptions& options);
// In their order: the rivals, then the strategies. Throws std::runtime_error where one has no
// answer.
std::vector<Assessment> assessments_of(const StrategiesOptions& options,
                                       const chess::Position& root, Crew& crew);
// Throws std::runtime_error where the file cannot be written.
void record_trees(const std::filesystem::path& file, const std::vector<RecordedTree>& trees);

} // namespace adjourn::bench
