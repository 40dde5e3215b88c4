// Answer: the move that an analysis stands by, wherever one is named: the best move of its tree, or
// with strategy `anchored` that of its last court.
#pragma once

#include "analysis/confidence.hpp"
#include "analysis/root_answer.hpp"
#include "analysis/verdict.hpp"
#include "chess/position.hpp"
#include "core/engines/engines.hpp"
#include "core/graphs/analysis_run.hpp"
#include "core/graphs/queue.hpp"
#include "core/guards/guard.hpp"
#include "storage/store.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace adjourn::server {

// `line` ends at the root and is alpha's history; empty: line_to_root(). nullopt: the root has no
// scored move. The run has its graph.
std::optional<analysis::RootAnswer> answer_of(const RunView& run,
                                              std::span<const analysis::NodeId> line = {});

// The move that the tree alone would answer with, where that is another one than the court's.
std::optional<chess::Move> overruled(const RunView& run, const analysis::JointSearch& court);

// What the answer at the end of a line from the root rests on; at the root that is answer_of(),
// elsewhere the best alpha. Null: there is no answer, or not enough to judge it by, as long as
// `anchored` has had no court and settled no level. The run has its graph.
std::unique_ptr<analysis::VerdictSearch> verdict_search(const RunView& run,
                                                        const std::vector<chess::Move>& line);

// What says how sure an analysis's answers are (Core::surety_of), for any thread.
struct Surety {
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

// A second engine that an analysis names (decision 145): what it is asked, and what it has said.
// Nothing of it is part of a value of the analysis. It has no graph: its few words are read from
// the store, so that a restart knows them, whoever asked for them.

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

// Calibrator: how sure the answers of each engine are, by what became of those of before. When a
// level has settled it looks at what the answer rests on; the next level is recorded with what was
// told then. Where a recorded level has four times the work, that answer has stood or fallen, and
// the curve of its engine is fitted. On the core's thread, in pieces.

class Calibrator {
public:
    // All of them must outlive it.
    Calibrator(const Queue& queue, const Health& health) : queue_{queue}, health_{health} {}

    // Looks at answers, no longer than so, and at what is on record. To be called a few times a
    // second.
    void look_after(std::chrono::milliseconds most);
    Surety of(const AnalysisRun& run) const;

private:
    bool begin();
    void fit();

    const Queue& queue_;
    const Health& health_; // whose clock says how long it has worked
    // The answer that is looked at.
    std::unique_ptr<analysis::VerdictSearch> search_; // null: none
    analysis::AnalysisId id_{};
    const GraphSlot* slot_ = nullptr;
    AnalysisPlan::Tree tree_;

    std::map<std::string, std::shared_ptr<const analysis::Calibration>> curves_; // by engine's name
    std::size_t levels_ = 0; // on record when they were fitted
};

} // namespace adjourn::server
