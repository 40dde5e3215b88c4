// FlipCosts: how unlikely it is that positions are worth a value after all. Each leaf has a score
// with normal noise; a set of leaves that would have to be otherwise costs the sum of −ln P. What a
// position costs is the cheapest such set that lifts its value for one side to a threshold:
//
//   that side's position    the least over its moves
//   the other side's        the sum over its moves
//   a leaf                  0 if its score is enough, else −ln P(N(score, σ) ≥ threshold)
//
// A generalisation of conspiracy numbers (McAllester 1988) to probabilities. The costs grow along
// the moves, so one sweep in the order of costs settles graphs with cycles (Knuth 1977,
// "A Generalization of Dijkstra's Algorithm"). Endless play is worth 0: where that is enough, only
// positions from which the other side can force less cost anything.
#pragma once

#include "analysis/graph.hpp"
#include "analysis/verdict.hpp"
#include "chess/types.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <queue>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace adjourn::analysis {

// A move of a graph as this needs it. Ranks are those of scores, of the side that plays the move.
struct FlipMove {
    std::size_t index = 0;    // of the move among those of its position
    std::uint32_t target = 0; // of one that is no leaf
    bool leaf = false;        // worth `rank`, whatever is known below
    int rank = 0;
    double sigma = 0; // cp, of a leaf; 0: the rank is exact
    // Where more than that is said of moves that nobody has asked for: as much. It need not be
    // wrong to be true, only asked.
    std::optional<int> hoped = std::nullopt;
    std::optional<double> cost = std::nullopt; // of a leaf that costs something else than by noise
};

// The graph that costs are asked of, with the line that leads to the position asked about.
class FlipGame {
public:
    virtual ~FlipGame() = default;
    virtual chess::Color turn(std::uint32_t node) const = 0;
    // Of an expanded position, appended to `out`.
    virtual void moves(std::uint32_t node, std::vector<FlipMove>& out) const = 0;
    // The rank of its value for the side to move, without history.
    virtual int value(std::uint32_t node) const = 0;
    virtual bool on_line(std::uint32_t node) const = 0; // there again is worth 0
    // Whether play can come from there to the line: then value() is not what it is worth here.
    virtual bool may_return(std::uint32_t node) const = 0;
};

inline constexpr double impossible = std::numeric_limits<double>::infinity();

// −ln P(N(rank, σ) ≥ threshold), 0 where the rank is enough; impossible for what is exact or no
// centipawns.
double leaf_cost(int rank, double sigma, int threshold);

class FlipCosts {
public:
    struct Limits {
        double sigma = 0;                // the largest of any leaf
        double most = impossible;        // dearer positions count as impossible
        double off = impossible;         // and those whose value is that unlikely to be so far off
        std::size_t positions = 100'000; // that are looked at
        // Not 0: of the other side's moves the dearest counts, and so much for each further one
        // that costs anything, in place of the sum: leaves that branches share count once.
        double further = 0;
    };
    // What it costs that positions are worth `threshold` at least for `side`.
    FlipCosts(const FlipGame& game, chess::Color side, int threshold, Limits limits)
        : game_{game}, side_{side}, threshold_{threshold}, limits_{limits} {}

    // A position that is asked about. All of them before settle().
    void ask(std::uint32_t node) { find(node); }
    void settle();

    double of(std::uint32_t node) const; // one that was asked
    double of_leaf(const FlipMove& move, chess::Color mover) const;

    // A move, by its position and index.
    using Step = std::pair<std::uint32_t, std::size_t>;
    struct Leaf {
        Step at;
        std::vector<Step> way; // from the position that was asked to there
        double cost = 0;
    };
    // The leaves behind a cost, each once, the nearest first: their sum is at most that cost, which
    // counts those that several branches share more than once. REQUIRES: a finite cost. `through`:
    // gets the positions of that set's tree, also where nothing has to change.
    std::vector<Leaf> leaves(std::uint32_t node,
                             std::vector<std::uint32_t>* through = nullptr) const;

    // Whether some positions that cost something are reached in several ways, or not all could be
    // looked at: then a cheaper set of leaves may exist.
    bool bound() const { return bound_; }
    std::size_t looked_at() const { return nodes_.size(); }

private:
    using Local = std::uint32_t;
    enum class State : std::uint8_t { open, settled };
    struct Edge {
        Local child = 0; // where it is no leaf
        bool leaf = false;
        std::size_t index = 0;
        double cost = 0; // of a leaf
    };
    struct Node {
        std::uint32_t node = 0;
        bool own = false; // `side` moves
        State state = State::open;
        bool forced = false; // the other side can force less
        int entries = 0;
        double cost = impossible;
        double sum = 0;          // of the other side's: of what has settled
        std::size_t summed = 0;  // moves in that
        std::size_t waiting = 0; // children that have not
        std::vector<Edge> edges;
        std::size_t best = 0; // of one's own
    };

    Local find(std::uint32_t node);
    void open(Local at);
    void find_forced();
    void sweep();
    bool costs(const Edge& edge) const;
    void add(Node& node, double cost) const;
    double sum_of(const Node& node) const;
    void offer(Local at, std::size_t edge, double cost);
    const Node& asked(std::uint32_t node) const { return nodes_[known_.at(node)]; }

    const FlipGame& game_;
    const chess::Color side_;
    const int threshold_;
    const Limits limits_;
    std::unordered_map<std::uint32_t, Local> known_;
    std::vector<Node> nodes_;
    std::vector<std::vector<std::pair<Local, std::size_t>>> above_; // edges into each
    std::vector<FlipMove> moves_;
    std::priority_queue<std::pair<double, Local>, std::vector<std::pair<double, Local>>,
                        std::greater<>>
        ready_;
    bool bound_ = false;
};

// GraphGame: a graph of positions as FlipCosts looks at it, with the line that leads to the
// position asked about.

class GraphGame final : public FlipGame {
public:
    // Index of the moves of a position that were not asked, as one leaf.
    static constexpr std::size_t the_rest = ~std::size_t{0};

    // The graph must outlive it. `line` ends at the position asked about, of which `excluded` are
    // no part of the game.
    GraphGame(const Graph& graph, std::span<const NodeId> line, const LeafNoise& noise,
              std::vector<chess::Move> excluded);

    chess::Color turn(std::uint32_t node) const override;
    void moves(std::uint32_t node, std::vector<FlipMove>& out) const override;
    int value(std::uint32_t node) const override;
    bool on_line(std::uint32_t node) const override { return line_.contains(node); }
    bool may_return(std::uint32_t node) const override { return before_.contains(node); }

    // One of moves(); nullopt: there is none of that index.
    std::optional<FlipMove> move(NodeId node, std::size_t index) const;

private:
    FlipMove of_move(NodeId node, std::size_t i) const;
    void add_rest(NodeId node, std::span<const chess::Move> excluded, int best,
                  std::vector<FlipMove>& out) const;

    const Graph& graph_;
    const LeafNoise noise_;
    const NodeId asked_;
    const std::vector<chess::Move> excluded_;
    std::unordered_set<std::uint32_t> line_;
    std::unordered_set<std::uint32_t> before_; // from there play can come back to the line
};

} // namespace adjourn::analysis
