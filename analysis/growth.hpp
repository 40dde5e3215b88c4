// Growth: what to ask next. A strategy (strategy.hpp) looks at the facts (a Graph and people's
// directives) and returns the questions that are still missing, in order of need. It keeps no
// state: the same facts give the same plan, whatever happened before. docs/internals/strategies.md
// explains the rules.
#pragma once

#include "analysis/graph.hpp"
#include "base/field.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace adjourn::analysis {

struct StrategyParameters {
    std::string kind = "halving"; // a name of strategies()
    int move_distance = 30;       // cp, ≥ 0
    int floor = 5;                // cp, ≥ 0: no window is narrower
    // … nor than so many σ of the engine's noise, ≥ 0: reckoned_sigma() of what measure_few() finds
    // in the graph, rounded up to whole cp. 0 costs nothing; else each plan looks at all moves.
    double floor_sigma = 0;
    int refine = 0; // settle this level and stop; 0 = no end
    // Threads of the search of the root that stands beside the tree (strategies with an anchor, two
    // processes or more): 0 three quarters of the processes, -1 no such search.
    int anchor_threads = 0;
    std::vector<double> own; // of Strategy::numbers(), in their order
    // Windowed strategies: the window, cp behind the best move, entry i at ply i from the root, the
    // last entry at all deeper plies. Empty: by move_distance and floor.
    std::vector<int> plan;

    friend bool operator==(const StrategyParameters&, const StrategyParameters&) = default;
};

// The numbers that every kind has.
std::span<const base::Field<StrategyParameters>> strategy_fields();
namespace plan_range {
inline constexpr int widest = 10'000;       // cp
inline constexpr std::size_t longest = 100; // plies
} // namespace plan_range

// What people's directives come to at one position of an analysis.
struct NodeDirectives {
    std::vector<chess::Move> included; // scored and followed whatever the window
    std::vector<chess::Move> excluded; // neither searched nor followed; best is taken without them
    // Plies by which lines through here may exceed the horizon. The position is also grown as a
    // root of so many plies, wherever the walk from the root ends.
    int deepen = 0;
    bool now = false; // establish with the full window, before everything else
    // From the root to here, where people asked for `deepen` or `now`; legal.
    std::vector<chess::Move> line;
};
using Directives = std::unordered_map<NodeId, NodeDirectives>;

// Moves that people or games brought in, by position. Once a position is established by the
// engine's own proposals, each of its seeds is scored by a search of that move alone; those inside
// the window are then followed like any other move. A seed that the engine did not name is in no
// count or sum of moves tried.
using Seeds = std::unordered_map<NodeId, std::vector<chess::Move>>;

enum class QuestionKind : std::uint8_t {
    first,       // no move of the position has a score of this limit
    alternative, // best move outside the ones already scored
    redo,        // one move alone: included by a person, or judged by too small a limit so far
    seed,        // one move alone: brought in by a person or a game
    court,       // candidates of the root together: which of them is the answer
};

struct PlannedQuestion {
    QuestionKind kind = QuestionKind::first;
    NodeId node{};
    std::vector<chess::Move> line;     // from the root to the node
    Limit limit;                       // the request's, or a larger one
    std::vector<chess::Move> excluded; // sorted; with node and limit this is the question
    bool urgent = false;               // a person's "now"
};

enum class QuestionState : std::uint8_t {
    open,    // may be asked
    pending, // asked, no answer yet
    failed,  // no engine could answer it: not asked for now, but the level lacks the answer
    dead,    // never asked, and not missed: the answer is known, or not for this engine to give
};

struct PlanRequest {
    const Graph& graph;
    NodeId root;
    Limit limit;
    StrategyParameters parameters;
    int refine = 1; // the level to settle, ≥ 1
    const Directives& directives;
    std::function<QuestionState(NodeId, const Limit&, const std::vector<chess::Move>& excluded)>
        state;
    std::size_t max_questions = 64;
    const Seeds* seeds = nullptr; // null: none
    // Positions that occurred twice in the game that leads to the root: a move to one of them is a
    // draw (game_history.hpp).
    std::vector<NodeId> before = {};
    // Nodes that one process may still spend on this analysis; nullopt: no such budget. Of limits
    // in nodes: the court of `anchored` has the last part of them, and `prove` asks for no larger
    // search than that.
    std::optional<std::uint64_t> nodes_left = {};
    // Somebody searches the root beside the plan, without end. Strategies with an anchor wait for
    // what that search has reached, and ask for none of their own.
    bool standing_search = false;
    // By one process so far: with nodes_left all that there is. nullopt: there will be more.
    std::optional<std::uint64_t> nodes_spent = {};
    bool court_is_out = false; // whichever candidates it is of: no other one is asked for
};

// The directives at a position; null if there are none.
const NodeDirectives* directives_at(const PlanRequest& request, NodeId node);

// The request's seeds of a position; empty if none.
std::span<const chess::Move> seeds_at(const PlanRequest& request, NodeId node);

struct Plan {
    std::vector<PlannedQuestion>
        questions;           // open questions in order of need, each once, at most max_questions
    std::size_t pending = 0; // needed questions that are out
    bool complete = true;    // false: stopped collecting at max_questions
    std::optional<PlannedQuestion> unanswered; // the first needed question that has failed
    // Nothing can be asked now and nothing needed is out.
    bool asks_nothing() const { return questions.empty() && pending == 0; }
    // Besides, nothing is missing: the level is settled.
    bool settled() const { return asks_nothing() && !unanswered; }

    std::vector<NodeId> visited; // positions the walk needs established, sorted
    std::size_t evaluations = 0; // moves of these with a score of the limit or larger
    // Root moves that the walk followed, sorted: their values are of this level.
    std::vector<chess::Move> followed;
};

// Plans by the strategy of request.parameters.
Plan make_plan(const PlanRequest& request);

} // namespace adjourn::analysis
