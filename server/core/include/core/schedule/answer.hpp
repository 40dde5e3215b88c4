// Answer: the move that an analysis stands by, wherever one is named: the best move of its tree, or
// with strategy `anchored` that of its long search unless the tree overrules it.
#pragma once

#include "analysis/anchored.hpp"
#include "analysis/root_answer.hpp"
#include "core/graphs/analysis_run.hpp"

#include <optional>
#include <span>

namespace adjourn::server {

struct EngineSlot;

// `line` ends at the root and is alpha's history; empty: line_to_root(). `engine` may be null.
// nullopt: the root has no scored move. The run has its graph.
std::optional<analysis::RootAnswer> answer_of(const AnalysisRun& run, const EngineSlot* engine,
                                              std::span<const analysis::NodeId> line = {});

// Where the long search and the tree name different moves: both.
struct Disagreement {
    analysis::Anchor anchor;
    analysis::RootAnswer tree;
};
std::optional<Disagreement> disagreement_of(const AnalysisRun& run);

} // namespace adjourn::server
