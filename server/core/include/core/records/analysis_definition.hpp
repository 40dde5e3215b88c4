// Which settings identify an analysis, and which make settled levels comparable. Code that asks
// whether two are the same compares these structs, so that no field is forgotten.
#pragma once

#include "core/records/analysis_spec.hpp"
#include "storage/store.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace adjourn::server {

// Two analyses with the same definition are one analysis. Name, labels, queue place and state are
// not in it.
struct AnalysisDefinition {
    std::string start_fen; // where the moves begin
    std::vector<chess::Move> moves;
    std::string engine; // profile name
    analysis::Limit limit;
    AnalysisSpec spec; // without labels

    friend bool operator==(const AnalysisDefinition&, const AnalysisDefinition&) = default;
};

// The settings without labels, which are no part of the definition.
AnalysisSpec without_labels(AnalysisSpec spec);

AnalysisDefinition definition_of(const storage::AnalysisRecord& record);

// What people are told of it: {id, name, start_fen, moves, engine, limit, strategy}. `moves` lead
// from `start` to the root.
nlohmann::json definition_json(const storage::AnalysisRecord& record, const AnalysisSpec& spec,
                               const chess::Position& start, const std::vector<chess::Move>& moves);

// Where a tree begins, and the rules under which it was grown. The last level is no part of them.
struct TreeRules {
    analysis::Limit limit;
    analysis::StrategyParameters strategy; // refine: 0
    std::vector<std::string> accept;
    std::string moved_to; // Snapshot::moved_to

    friend bool operator==(const TreeRules&, const TreeRules&) = default;
};

// Of a snapshot's {limit, strategy, accept, fen}; nothing if it has no limit or strategy, or one
// that is gone.
std::optional<TreeRules> rules_of_snapshot(const nlohmann::json& snapshot);

} // namespace adjourn::server
