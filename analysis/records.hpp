// Records: the facts that the store keeps and the graph is made of. Plain values, no behaviour
// beyond comparison. Scores are from the side to move of the position they belong to.
#pragma once

#include "chess/position.hpp"
#include "chess/score.hpp"
#include "chess/types.hpp"

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace adjourn::analysis {

// Ids are the store's row numbers; 0 is never one.
enum class EngineId : std::int64_t {};
enum class EvaluationId : std::int64_t {};
enum class AnalysisId : std::int64_t {};

// Milliseconds since the Unix epoch, UTC.
using UnixMs = std::int64_t;

using chess::Bound;
using chess::Limit;

// Nominal effort, so that limits of different kinds have one total order: log2 of nodes, where a
// millisecond counts as 1,000 nodes and depth d as 2^(6.5 + 0.6 d) nodes. Strictly increasing
// within a kind. docs/decisions says why a nominal figure and not the nodes actually searched.
double effort(const Limit& limit);
// The smallest limit of a kind whose effort is not less (but for a rounding error of 1e-6).
Limit limit_of(Limit::Kind kind, double effort);

// The same question is never asked twice. `excluded` is sorted and without doubles.
struct Question {
    chess::PackedPosition position;
    EngineId engine{};
    Limit limit;
    std::vector<chess::Move> excluded;

    friend bool operator==(const Question&, const Question&) = default;
};

struct QuestionHash {
    std::size_t operator()(const Question& question) const noexcept;
};

// One finished engine search. Immutable. `move`, `score` and `pv` come from one info line, the last
// exact one where there is one. A fact without score, or with a bound that is not exact, answers
// nothing: it never becomes a move's engine score, and its question may be asked again.
struct Evaluation {
    EvaluationId id{};
    Question question;
    std::optional<chess::Move> move;
    std::optional<chess::Score> score;
    Bound bound = Bound::exact;
    int depth = 0;    // plies
    int seldepth = 0; // plies, 0 = not told
    std::uint64_t nodes = 0;
    std::uint32_t time_ms = 0;   // engine time
    std::vector<chess::Move> pv; // from the position, pv[0] == move
    UnixMs at = 0;               // when the answer arrived
    std::optional<chess::WinDrawLoss> wdl =
        std::nullopt;         // with the score, where the engine told it
    std::string machine = {}; // the name of the one that made it; "": it is not known

    friend bool operator==(const Evaluation&, const Evaluation&) = default;
};

// Basis: which facts a graph rests on. Two graphs of the same facts and basis are equal.

// A move that is no part of the game at that position.
struct ExcludedMove {
    chess::PackedPosition position;
    chess::Move move;

    friend auto operator<=>(const ExcludedMove&, const ExcludedMove&) = default;
};

struct Basis {
    // Evaluations of less effort have no part in the graph.
    double least_effort = -std::numeric_limits<double>::infinity();
    // These moves do not exist, whatever evaluations say of them. Sorted.
    std::vector<ExcludedMove> excluded = {};

    friend auto operator<=>(const Basis&, const Basis&) = default;
};

// Whether the fact is of that effort at least. A move that mates by the rules always is.
bool large_enough(const Basis& basis, const Evaluation& fact);
// Whether a graph of that basis rests on the fact, if its move is legal.
bool counts(const Basis& basis, const Evaluation& fact);

// Of an evaluation that is as large as one of that limit: one ply less, or half the nodes or time.
double least_effort(const Limit& limit);

// What an engine has said, for the graph of another one that has taken its place: of the least
// effort that counts there. So it holds until the other one speaks, and nothing counts as asked.
Evaluation provisional(Evaluation fact, const Basis& basis);

// Repetitions in the game before the root of an analysis.

// Positions that occurred twice at least before the game's last one, and can still recur: a move to
// one of them is a draw. A position that occurred once is not counted: the side that is better
// would deviate. In the order of the game, without its last position. REQUIRES: legal moves.
std::vector<chess::Position> repeated_before(const chess::Position& start,
                                             std::span<const chess::Move> moves);

} // namespace adjourn::analysis
