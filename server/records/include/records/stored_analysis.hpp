// What the store holds of an analysis, looked at before it is used: a store may come from anywhere.
#pragma once

#include "records/analysis_spec.hpp"
#include "storage/store.hpp"

#include <expected>
#include <string>
#include <vector>

namespace adjourn::server {

struct StoredRoot {
    chess::Position start; // where the moves begin
    chess::Position root;  // where they end
};
// Or why the record has none.
std::expected<StoredRoot, std::string> root_of(const storage::AnalysisRecord& record);

// Plies that a directive to deepen stands for; nullopt if its text says none. "" says 2.
std::optional<int> deepen_plies(const storage::DirectiveRecord& said);

// Why a directive's words mean nothing; "" if they do.
std::string word_trouble(const storage::DirectiveRecord& said);
// Why it cannot apply to an analysis with this root, by its words, line, position or move; "" if it
// can.
std::string directive_trouble(const storage::DirectiveRecord& said, const chess::Position& root);

// Why a snapshot cannot be shown; "" if it can.
std::string snapshot_trouble(const storage::SnapshotRecord& snapshot);

// What a server would make of an analysis that it reads: all of it is sound.
struct StoredAnalysis {
    storage::AnalysisRecord record;
    StoredRoot root;
    AnalysisSpec spec;
    std::vector<storage::DirectiveRecord> directives;
    std::vector<storage::SnapshotRecord> snapshots;
    storage::UsageRecord usage;
};
// Nothing if there is no root to work from. What is set aside, and what got its default, is told
// one line each in `findings`. Throws storage::StoreError if the store does not work.
std::optional<StoredAnalysis> read_analysis(const storage::Store& store,
                                            storage::AnalysisRecord record,
                                            std::vector<std::string>& findings);
// What was said there, as far as it can apply.
std::vector<storage::DirectiveRecord> read_directives(const storage::Store& store,
                                                      analysis::AnalysisId analysis,
                                                      const chess::Position& root,
                                                      std::vector<std::string>& findings);

} // namespace adjourn::server
