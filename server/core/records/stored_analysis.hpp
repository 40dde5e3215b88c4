// What the store holds of an analysis, looked at before it is used: a store may come from anywhere.
#pragma once

#include "core/records/analysis_spec.hpp"
#include "core/records/directive.hpp"
#include "storage/store.hpp"

#include <expected>
#include <string>
#include <vector>

namespace adjourn::server {

struct StoredRoot {
    chess::Position start; // where the moves begin
    chess::Position root;  // where they end: what the analysis was made with
};
// Or why the record has none.
std::expected<StoredRoot, std::string> root_of(const storage::AnalysisRecord& record);

// The directive of an analysis that was made with this root; or why its text, line, position or
// move is wrong.
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
    // Why not all of its directives can be read; "" if all can. What the analysis would ask is not
    // known then.
    std::string lost;
};
// nullopt if it has no sound root. Damaged parts are left out or get defaults, with one line each
// in `findings`. Throws storage::StoreError if the store does not work.
std::optional<StoredAnalysis> read_analysis(const storage::Store& store,
                                            storage::AnalysisRecord record,
                                            std::vector<std::string>& findings);
// Its directives that are sound; the others are named in `findings`.
std::vector<Directive> read_directives(const storage::Store& store, analysis::AnalysisId analysis,
                                       const chess::Position& root,
                                       std::vector<std::string>& findings);

} // namespace adjourn::server
