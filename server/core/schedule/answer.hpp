// Answer: the move that an analysis stands by, wherever one is named: the best move of its tree, or
// with strategy `anchored` that of its long search unless the tree overrules it.
#pragma once

#include "analysis/confidence.hpp"
#include "analysis/root_answer.hpp"
#include "analysis/verdict.hpp"
#include "chess/position.hpp"
#include "core/graphs/analysis_run.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace adjourn::server {

struct EngineSlot;

// By how many cp the tree must lead to overrule the long search; `engine` may be null.
int answer_margin(const EngineSlot* engine);

// `line` ends at the root and is alpha's history; empty: line_to_root(). nullopt: the root has no
// scored move. The run has its graph.
std::optional<analysis::RootAnswer> answer_of(const RunView& run, int margin,
                                              std::span<const analysis::NodeId> line = {});

// Where the long search and the tree name different moves: both.
struct Disagreement {
    analysis::Anchor anchor;
    analysis::RootAnswer tree;
};
std::optional<Disagreement> disagreement_of(const RunView& run);

// What the answer at the end of a line from the root rests on; at the root that is answer_of(),
// elsewhere the best alpha. Null: there is no answer. The run has its graph.
std::unique_ptr<analysis::VerdictSearch> verdict_search(const RunView& run, int margin,
                                                        const std::vector<chess::Move>& line);

// What says how sure an analysis's answers are (Core::surety_of), for any thread.
struct Surety {
    int margin;                                               // answer_margin()
    std::shared_ptr<const analysis::Calibration> calibration; // its engine's; never null
    std::string before; // the answer at a quarter of the work, UCI; "": none is on record
};
struct Sure {
    analysis::AnswerKind kind;
    analysis::Confidence confidence;
    bool tested; // on trees like this one, or by enough answers like it
    analysis::LikeThis like;
    std::string known; // of answers like it, for people; "": the test is all
};
// Of the answer at the end of a line from the root, whose verdict this is.
Sure sure_of(const RunView& run, const Surety& surety, const std::vector<chess::Move>& line,
             const analysis::Verdict& verdict);

// What an answer rests on, as a sentence for people: "stands: 83 %, B (of 214 answers like this
// of your Stockfish 19, said 80 %, 78 % stood [72, 83]); it rests on 14...Rd8 -0.12 and 17.Nf5
// +0.31". The same words in the API, on the command line, in PGN and in webhooks.

// `from`: the position that the verdict is about; its move numbers count.
std::string verdict_text(const analysis::Verdict& verdict, const Sure& sure,
                         const chess::Position& from);

} // namespace adjourn::server
