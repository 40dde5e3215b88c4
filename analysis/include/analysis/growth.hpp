// Growth: what to ask next. A strategy looks at the facts (a Graph and what people said) and
// returns the questions that are still missing, in order of need. It keeps no state: the same facts
// give the same plan, whatever happened before. docs/search.md explains the rules.
#pragma once

#include "analysis/graph.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace adjourn::analysis {

// What people said about one position of an analysis.
struct NodeSteering {
    std::vector<chess::Move> included; // scored and followed whatever the window
    std::vector<chess::Move> excluded; // neither searched nor followed; best is taken without them
    int deepen = 0;                    // plies by which lines through here may exceed the horizon
    bool now = false;                  // establish with the full window, before everything else
};
using Steering = std::unordered_map<NodeId, NodeSteering>;

// Moves that people or games brought in, by position. No order is given to follow them: once the
// walk has a position established by the engine's own proposals, its seeds are scored, each alone;
// those inside the window are then followed like any other move. They never stand for a proposal of
// the engine: no count, rank or sum of moves tried includes one that the engine did not name.
using Seeds = std::unordered_map<NodeId, std::vector<chess::Move>>;

enum class StrategyKind : std::uint8_t { halving };

std::string_view to_text(StrategyKind kind);
std::optional<StrategyKind> parse_strategy(std::string_view text);

struct StrategyParameters {
    StrategyKind kind = StrategyKind::halving;
    int move_distance = 30; // cp, ≥ 0
    int floor = 5;          // cp, ≥ 0: no window is narrower
    int refine = 0;         // settle this refined depth and stop; 0 = no end

    friend bool operator==(const StrategyParameters&, const StrategyParameters&) = default;
};

// W(0) = W(1) = D, W(p) = D / 2^(p-1) for p ≥ 2, never below the floor (nor above D). In cp,
// rounded down.
int window_at(const StrategyParameters& parameters, int ply);

enum class TaskKind : std::uint8_t {
    first,       // no move of the position has a score of this limit
    alternative, // best move outside the ones already scored
    redo,        // one move alone: included by a person, or in the window with a smaller limit only
    seed,        // one move alone: brought in by a person or a game
};

struct Task {
    TaskKind kind = TaskKind::first;
    NodeId node{};
    std::vector<chess::Move> line;     // from the root to the node
    std::vector<chess::Move> excluded; // sorted; with node and limit this is the question
    bool urgent = false;               // a person's "now"
};

enum class QuestionState : std::uint8_t {
    open,    // may be asked
    pending, // asked, no answer yet
    dead,    // answered without a usable score, or failed for good
};

struct PlanRequest {
    const Graph& graph;
    NodeId root;
    Limit limit;
    StrategyParameters parameters;
    int refine = 1; // the depth to settle, ≥ 1
    const Steering& steering;
    // State of a question of the request's limit.
    std::function<QuestionState(NodeId, const std::vector<chess::Move>& excluded)> state;
    std::size_t max_tasks = 64;
    const Seeds* seeds = nullptr; // none
};

// The request's seeds of a position; empty if none.
std::span<const chess::Move> seeds_at(const PlanRequest& request, NodeId node);

struct Plan {
    std::vector<Task> tasks; // open questions in order of need, each once, at most max_tasks
    std::size_t pending = 0; // needed questions that are out
    bool complete = true;    // false: stopped collecting at max_tasks
    // Nothing is missing and nothing needed is out: the depth is settled.
    bool settled() const { return tasks.empty() && pending == 0; }

    std::vector<NodeId> visited; // positions the walk needs established, sorted
    std::size_t evaluations = 0; // scores of the limit or larger that stand on them
};

class Strategy {
public:
    virtual ~Strategy() = default;
    virtual Plan plan(const PlanRequest& request) const = 0;
};

std::unique_ptr<Strategy> make_strategy(StrategyKind kind);

} // namespace adjourn::analysis
