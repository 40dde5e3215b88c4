// What the store holds of an analysis, looked at before it is used: a store may come from anywhere.
#pragma once

#include "records/analysis_spec.hpp"
#include "records/directive.hpp"
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

// What somebody said of an analysis with this root; or why it cannot apply, by its words, line,
// position or move.
std::expected<Directive, std::string> sound_directive(storage::DirectiveRecord record,
                                                      const chess::Position& root);

// Why a snapshot cannot be shown; "" if it can.
std::string snapshot_trouble(const storage::SnapshotRecord& snapshot);

// What a server would make of an analysis that it reads: all of it is sound.
struct StoredAnalysis {
    storage::AnalysisRecord record;
    StoredRoot root;
    AnalysisSpec spec;
    std::vector<Directive> directives;
    std::vector<storage::SnapshotRecord> snapshots;
    storage::UsageRecord usage;
    // Why not all that people said of it can be read: what it would ask is not known; "" if all
    // can.
    std::string lost;
};
// Nothing if there is no root to work from. What is set aside, and what got its default, is told
// one line each in `findings`; a part that is damaged costs what it holds. Throws
// storage::StoreError if the store does not work.
std::optional<StoredAnalysis> read_analysis(const storage::Store& store,
                                            storage::AnalysisRecord record,
                                            std::vector<std::string>& findings);
// What was said there, as far as it can apply.
std::vector<Directive> read_directives(const storage::Store& store, analysis::AnalysisId analysis,
                                       const chess::Position& root,
                                       std::vector<std::string>& findings);

} // namespace adjourn::server
