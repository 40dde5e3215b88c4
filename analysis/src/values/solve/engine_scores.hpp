// EngineScores: which engine scores are trusted, and which are overruled by what is known below
// them.
//
// The *work* at a position is the nominal effort (as a number of nodes) of the evaluations that its
// moves have their scores from. The work below a move is that of all distinct positions to which
// its target leads without passing the move's source. A move's engine score is trusted, and the
// move counts as a leaf, while the work below is less than half of its own evaluation's. With that
// much or more below, the score is overruled.
//
// This is a function of the moves and their efforts alone. Where limits are alike no score is
// trusted, and nothing is kept: a target's own evaluations are enough. For each trusted score the
// positions below it are kept, and each enters once, as facts come. Work only ever grows, so a
// score that is overruled stays so, unless a larger search takes its place. Exact positions count
// and lead on like others: tables have no say in this.
#pragma once

#include "solution.hpp"
#include "values/order/component_order.hpp"
#include "values/store/flat_map.hpp"
#include "values/store/network.hpp"
#include "values/value_graph.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace adjourn::analysis {

class EngineScores {
public:
    // Node and index of a move.
    using Place = std::pair<NodeId, std::size_t>;
    struct Overruled {
        Place move;
        int before; // what it was worth, as a rank, mover's side
    };

    explicit EngineScores(Network& network) : network_{network} {}

    // The i-th move of the node is new, or has a larger effort than `before` by now. Marks it, and
    // the moves to its node, as trusted or not. Returns the moves, others than itself, whose scores
    // are overruled by this.
    std::vector<Overruled> grown(NodeId node, std::size_t i, double before);
    // A move that was not there before.
    static constexpr double absent = -1;

    // The same for all moves at once, whatever is marked.
    void judge_all();
    // Nodes with a move whose mark is wrong.
    std::vector<NodeId> wrong() const;

    std::size_t memory() const;

private:
    using Watch = ScoreWatch;

    void enter(Watch& watch, NodeId node) const;
    void judge(NodeId source, std::size_t i);
    void forget(Place place);

    Network& network_;
    std::map<Place, Watch> watches_; // of the trusted scores
    // The watches that a position is part of.
    std::unordered_map<NodeId, std::vector<Place>> watched_by_;
};

// PastEngineScores: which engine scores were trusted in a past network (engine_scores.hpp). They
// differ from the present ones only for moves that have changed since and for those above them:
// work below a move only grows, so a score that was trusted may be overruled by now.

class PastEngineScores {
public:
    explicit PastEngineScores(PastNetwork& network) : network_{network} {}

    // The node's moves are known to be those of then. None of them is marked.
    void add(NodeId node) { open_.push_back(node); }
    bool settled() const { return open_.empty() && climbs_.empty(); }
    // A small part of the work. Marks in the network; appends the nodes whose marks are others.
    void step(std::vector<NodeId>& changed);
    // So many positions were looked at above those that were added.
    std::size_t climbed() const { return reached_.size(); }

private:
    // The least work on a way from a position down to one that was added.
    using Climb = std::pair<std::uint64_t, NodeId>;

    bool any_may_be_trusted() const;
    void reach(NodeId node, std::uint64_t work);
    void climb(const Climb& from, std::vector<NodeId>& changed);
    void judge(NodeId source, std::size_t i, std::vector<NodeId>& changed);

    PastNetwork& network_;
    std::vector<NodeId> open_;
    FlatMap<std::uint64_t> reached_;
    std::priority_queue<Climb, std::vector<Climb>, std::greater<>> climbs_;
};

// PastValues: game values of a past network, worked out where they differ from the present ones.
// A value is a function of the moves alone, so that outside what was found to differ it is the
// present one, whichever way it is reached: components are solved in their order, upward, only
// while values differ; those of several positions all at once, since the support numbers of the
// present are of no use for other moves.

// The present network and components may change between two calls; present_changed() comes next,
// with all nodes whose values changed, before anything else.
class PastValues {
public:
    PastValues(const Network& present, const ComponentOrder& components)
        : network_{present}, components_{components}, scores_{network_} {}
    PastValues(const PastValues&) = delete;
    PastValues& operator=(const PastValues&) = delete;

    // What the node's moves were: some of those that it has, with scores and efforts of then.
    // All that is known must be said before the first go_on(); later only of nodes whose moves
    // have just changed in the present network, what they were before.
    void set_moves(NodeId node, std::vector<GraphMove> moves);
    void present_changed(std::span<const NodeId> nodes);
    // Works on until all is right (true), or between two steps `time_up` says so (false).
    bool go_on(const std::function<bool()>& time_up);
    // Beyond this it costs more than a graph of its own, or holds the thread too long: nothing
    // more is done then.
    bool too_much() const { return too_much_; }

    const PastNetwork& network() const { return network_; }
    std::optional<chess::Score> game_value(NodeId node) const;
    std::unique_ptr<LineSweep> sweep(std::span<const NodeId> line) const;

private:
    static constexpr std::size_t largest_group = 10'000;

    struct Open {
        std::uint32_t phi;
        std::int32_t order;
        Component component;
        NodeId node;

        bool later_than(const Open& other) const {
            if (phi != other.phi) {
                return phi > other.phi;
            }
            return order != other.order ? order > other.order : component > other.component;
        }
    };
    struct LaterFirst {
        bool operator()(const Open& a, const Open& b) const { return a.later_than(b); }
    };

    void open(NodeId node);
    void open_parents(NodeId node);
    void put(NodeId node);
    void solve_next();
    void solve_alone(NodeId node);
    void solve_group(Component component);

    PastNetwork network_;
    const ComponentOrder& components_;
    PastEngineScores scores_;
    FlatMap<bool> waiting_; // nodes of open_, true; those that were, false
    std::priority_queue<Open, std::vector<Open>, LaterFirst> open_;
    bool too_much_ = false;
};

} // namespace adjourn::analysis
