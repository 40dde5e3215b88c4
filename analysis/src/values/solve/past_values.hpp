// PastValues: game values of a past network, worked out where they differ from the present ones.
// A value is a function of the moves alone, so that outside what was found to differ it is the
// present one, whichever way it is reached: components are solved in their order, upward, only
// while values differ; those of several positions all at once, since the support numbers of the
// present are of no use for other moves.
#pragma once

#include "past_engine_scores.hpp"
#include "values/order/component_order.hpp"
#include "values/store/flat_map.hpp"
#include "values/store/past_network.hpp"
#include "values/value_graph.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <span>
#include <vector>

namespace adjourn::analysis {

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
