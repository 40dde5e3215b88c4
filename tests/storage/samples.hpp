// Facts of every kind, the same for the same number in every run.
#pragma once

#include "storage/open.hpp"
#include "temporary_directory.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace adjourn::storage::test {

EngineRecord sample_engine(int n = 1);
// The n-th position of a random walk through games that start over when they end.
chess::Position sample_position(std::uint64_t n);
// Legal and sound; different questions for different n. The id is 0.
Evaluation sample_fact(EngineId engine, std::uint64_t n);
AnalysisRecord sample_analysis(EngineId engine, const std::string& name, double rank);

// As the store gave it back, but without its id: comparable with what was appended.
Evaluation without_id(Evaluation evaluation);

// Appends and waits; throws StoreError with the refusal.
Written append_and_wait(Store& store, const Evaluation& evaluation);
Written insert_and_wait(Store& store, const AnalysisRecord& analysis);

std::unique_ptr<Store> open_owner(const std::filesystem::path& directory);
std::vector<Evaluation> all_facts(const Store& store, EngineId engine);

} // namespace adjourn::storage::test
