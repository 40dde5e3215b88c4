// Verdict: what an answer rests on. The answer is "this move before its rival"; it rests on the
// evaluations of which the cheapest set would have to be otherwise for the rival to be the answer.
// docs/internals/scores.md says what the costs mean.
#pragma once

#include "analysis/estimate.hpp"
#include "analysis/graph.hpp"
#include "analysis/growth.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace adjourn::analysis {

// How far off the score of a leaf is: a standard deviation that falls with the effort behind it.
struct LeafNoise {
    double sigma = 18;   // cp, of a search of that effort
    double effort = 0;   // log2 of nominal nodes
    double falls = 0.05; // for each doubling of the effort: σ · 2^−falls
    double of(double effort_of_leaf) const;
    double largest() const { return 2 * sigma; }
};
// For evaluations of the limit; by the differences between two searches where they are known.
LeafNoise leaf_noise(const std::optional<Noise>& noise, const Limit& limit);

// An evaluation that carries the answer.
struct Carrier {
    NodeId node{};                             // where it was asked
    std::optional<chess::Move> move;           // none: the moves that were not asked there
    EvaluationId evaluation{};                 // of the move; 0 where there is none
    std::vector<chess::Move> line;             // from the position asked about to `node`
    chess::Score score = chess::Score::cp(0);  // as it is, mover's side of `node`
    chess::Score needed = chess::Score::cp(0); // from where on the answer would be another one
    double cost = 0;                           // −ln of the chance of that
    double effort = 0;                         // log2 of nominal nodes behind it
    bool lifts_rival = false;                  // else it lowers the answer
};

struct Verdict {
    chess::Move best;
    std::optional<chess::Move> rival; // none: one of the moves that were not asked
    // −ln of the chance that all the carriers are otherwise at once, as if by independent errors.
    // Infinite: nothing can change the answer by errors of evaluations.
    double cost = 0;
    chess::Score meeting = chess::Score::cp(0); // the value at which the two meet, mover's side
    bool bound = false;                         // a cheaper set may exist
    std::vector<Carrier> carriers;              // the likeliest first
    int lead = 0; // cp, of the answer now; before what was not asked by the engine's bound
};

// cp by which the tree must prefer another move before the searches that decide are likely to do
// so, too: how likely an answer is to stand was fitted with it (docs/measurements/how-sure.md).
inline constexpr int overruling_lead = 10;

struct VerdictLimits {
    double most = 25;              // of cost: what is less likely is impossible
    std::size_t positions = 6'000; // looked at in one sweep, which is not interrupted
};

// Of the position at the end of the line, whose answer is `best`; another move would be the answer
// if it led by `margin` cp. `excluded`: moves that are no part of the game there.
class VerdictSearch {
public:
    // The graph must outlive it. It may change between two calls of go_on(); then what is told is
    // of the last one, and perhaps not the cheapest set.
    VerdictSearch(const Graph& graph, std::vector<NodeId> line, chess::Move best, int margin,
                  const LeafNoise& noise, std::vector<chess::Move> excluded = {},
                  const VerdictLimits& limits = {});
    ~VerdictSearch();

    // Looks at one meeting of the two; false when there is nothing more to look at.
    bool go_on();
    // nullopt: the position is exact or not expanded, or `best` is not among its moves, or there is
    // no other one.
    std::optional<Verdict> take() const;

private:
    class Asking;
    std::unique_ptr<Asking> asking_; // null: there is no verdict
};

// All at once.
std::optional<Verdict> verdict(const Graph& graph, std::span<const NodeId> line, chess::Move best,
                               int margin, const LeafNoise& noise,
                               std::span<const chess::Move> excluded = {},
                               const VerdictLimits& limits = {});

// What would tell most about a carrier: its move searched by itself, or what else there is.
// `line` and the rest as of the analysis's root. nullopt: nothing can be asked.
std::optional<PlannedQuestion> question_about(const Graph& graph, const Carrier& carrier,
                                              const Limit& limit,
                                              std::span<const chess::Move> excluded = {});

} // namespace adjourn::analysis
