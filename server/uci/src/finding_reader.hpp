// FindingReader: what is known of a search at some moment, from an analysis and from the store.
#pragma once

#include "deep_analysis.hpp"

#include "core/graphs/graph_slot.hpp"
#include "core/schedule/core.hpp"

#include <optional>
#include <vector>

namespace adjourn::server::uci {

// What of a finding only the store knows. It is read elsewhere: the core does not wait for a disk.
struct ToRead {
    struct Tail { // of a line: what the engine expected behind the tree
        std::size_t line = 0;
        chess::PackedPosition source;
        analysis::EvaluationId evaluation{};
        chess::Move move;
        chess::Position target;
    };
    std::vector<Tail> tails;
    std::optional<chess::PackedPosition> root; // where its facts are wanted
    std::optional<GraphKey> graph;             // whose evaluations the lines stand on
};

// On the core's thread, without the store; what is to be read there is added to `to_read`.
Finding finding_of(const Core& core, const AnalysisRun& run, const SearchRequest& request,
                   ToRead& to_read);
// On any thread: completes the finding. Blocks for the disk; throws storage::StoreError.
void read(const storage::Store& store, const ToRead& wanted,
          const std::vector<chess::Move>& searchmoves, Finding& finding);

bool among(const std::vector<chess::Move>& searchmoves, chess::Move move); // none: all
// A search that named a move without a score is worth a move.
Candidate candidate_of(const engine_bridge::BestLine& line);

} // namespace adjourn::server::uci
