// A second engine that an analysis names (decision 145): what it is asked, and what it has said.
// Nothing of it is part of a value of the analysis. It has no graph: its few words are read from
// the store, so that a restart knows them, whoever asked for them.
#pragma once

#include "analysis/verdict.hpp"
#include "core/engines/engines.hpp"
#include "storage/store.hpp"

#include <optional>
#include <vector>

namespace adjourn::server {

// Null where none is named, it cannot be asked, or it is the analysis's own. On the core's thread.
EngineSlot* second_engine_of(const RunView& run, const Engines& engines);

// A score that an answer rests on, and the question that asks another engine for its own.
struct SecondQuestion {
    analysis::Carrier about;            // of a move: with the score of its largest search
    analysis::UnixMs at = 0;            // when that came; 0: it is not about one move
    analysis::PlannedQuestion question; // its line begins where that of `about` does
    chess::Position position;           // which is asked
};
// Of the answer, its rival and what carries it, each once. `node`: where the answer is. The run has
// its graph.
std::vector<SecondQuestion> second_questions(const RunView& run, analysis::NodeId node,
                                             const analysis::Verdict& verdict);

// What the engine has answered: the largest that is as large as the question. Blocks for the disk.
std::optional<analysis::Evaluation>
second_answer(const storage::Store& store, analysis::EngineId engine, const SecondQuestion& asked);

// Both scores from White's side. How much more White has by the second engine, in percent of
// winning chances.
struct SecondOpinion {
    chess::Score own;
    chess::Score second;
    double chances = 0;
};
// nullopt: they agree. `noise`: that of both engines, cp. Scores beyond 10 pawns are alike.
std::optional<SecondOpinion> disagreement(const SecondQuestion& asked,
                                          const analysis::Evaluation& answer, double noise);

} // namespace adjourn::server
