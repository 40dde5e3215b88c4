// What two moments of a tree differ in: what is looked at, in which order, and how it is told.
#pragma once

#include "analysis/graph.hpp"
#include "analysis/move_order.hpp"
#include "analysis/radar.hpp"
#include "api/views/graph_views.hpp"
#include "chess/notation.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <span>
#include <stop_token>
#include <unordered_set>
#include <vector>

namespace adjourn::server {

// What the root was worth at some moment.
struct RootThen {
    std::optional<chess::Score> alpha;                       // mover's side, as the others
    nlohmann::json pv = nlohmann::json::array();             // in SAN
    std::vector<std::pair<chess::Move, chess::Score>> moves; // best first
};

// The moves of a node, best first.
inline std::vector<std::size_t> ordered(const analysis::Graph& graph, analysis::NodeId node) {
    const auto moves = graph.moves(node);
    std::vector<std::size_t> order(moves.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) {
        return analysis::move_order(graph, moves[i], graph.game_value_of(node, i));
    });
    return order;
}

// `repeated`: before the root.
inline RootThen look_at(const analysis::Graph& graph, analysis::NodeId node,
                        const chess::Position& root, const std::vector<chess::Position>& repeated) {
    std::vector<analysis::NodeId> line;
    for (const chess::Position& position : repeated) {
        if (const auto known = graph.find(position.packed())) {
            line.push_back(*known);
        }
    }
    line.push_back(node);
    RootThen then;
    const analysis::LineValues values{graph, line};
    then.alpha = values.alpha();
    for (const std::size_t i : ordered(graph, node)) {
        then.moves.emplace_back(graph.moves(node)[i].move, values.alpha_of(i).value);
    }
    chess::Position position = root;
    for (const chess::Move move : analysis::alpha_pv(graph, line)) {
        then.pv.push_back(chess::to_san(position, move));
        position.play(move);
    }
    return then;
}

struct Swing {
    std::vector<chess::Move> line;
    chess::Score before; // White's side
    chess::Score after;
    int size() const { return std::abs(after.rank() - before.rank()); }
};

struct NewLine {
    std::vector<chess::Move> line;
    chess::Score alpha; // White's side
};

struct NewBest {
    std::vector<chess::Move> line; // to the position
    chess::Move before;
    chess::Move after;
};

struct Differences {
    std::vector<Swing> swings;
    std::vector<NewBest> best;
    std::vector<NewLine> lines;
};

// Precondition: there is a move.
inline std::size_t best_of(const analysis::Graph& graph, analysis::NodeId node) {
    const auto moves = graph.moves(node);
    const auto order = [&](std::size_t i) {
        return analysis::move_order(graph, moves[i], graph.game_value_of(node, i));
    };
    std::size_t best = 0;
    for (std::size_t i = 1; i < moves.size(); ++i) {
        best = order(i) < order(best) ? i : best;
    }
    return best;
}

// The best move then and now, where the one of then is worth less than the other now.
inline std::optional<NewBest> new_best(const analysis::Graph& graph, analysis::NodeId node,
                                       chess::Move was, const std::vector<chess::Move>& line) {
    const auto moves = graph.moves(node);
    const std::size_t best = best_of(graph, node);
    const auto old = std::ranges::find(moves, was, &analysis::GraphMove::move);
    const auto i = static_cast<std::size_t>(old - moves.begin());
    if (graph.game_value_of(node, i) < graph.game_value_of(node, best)) {
        return NewBest{line, was, moves[best].move};
    }
    return std::nullopt;
}

// Breadth first from the root, best moves first; new are positions that were not expanded before
// and whose parent was. `Before` tells value() and best() of a node, if it had one.
template <class Before>
class Comparison {
public:
    // Both must outlive it, and tell the same all the while.
    Comparison(const Before& before, const analysis::Graph& graph, analysis::NodeId root)
        : before_{before}, graph_{graph}, at_root_{graph.position(root).turn()}, met_{root},
          open_{{root, {}}} {}

    // One position; false when all are seen.
    bool step() {
        if (next_ == open_.size() || next_ == most_positions_seen) {
            return false;
        }
        const Open here = std::move(open_[next_++]);
        const auto was = before_.best(here.node);
        if (was) {
            if (auto change = new_best(graph_, here.node, *was, here.line)) {
                found_.best.push_back(std::move(*change));
            }
        }
        for (const std::size_t i : ordered(graph_, here.node)) {
            const analysis::GraphMove& move = graph_.moves(here.node)[i];
            if (graph_.expanded(move.target) && met_.insert(move.target).second) {
                enter(here, move, was.has_value());
            }
        }
        return true;
    }

    Differences result() {
        std::stable_sort(found_.swings.begin(), found_.swings.end(),
                         [](const Swing& a, const Swing& b) { return a.size() > b.size(); });
        std::stable_sort(
            found_.lines.begin(), found_.lines.end(),
            [](const NewLine& a, const NewLine& b) { return a.line.size() < b.line.size(); });
        return std::move(found_);
    }

private:
    struct Open {
        analysis::NodeId node;
        std::vector<chess::Move> line;
    };

    void enter(const Open& from, const analysis::GraphMove& move, bool from_known) {
        std::vector<chess::Move> line = from.line;
        line.push_back(move.move);
        const bool mover_is_white =
            (line.size() % 2 == 0 ? at_root_ : !at_root_) == chess::Color::white;
        const auto white = [&](chess::Score score) { return mover_is_white ? score : -score; };
        const auto now = graph_.game_value(move.target);
        const auto old = before_.value(move.target);
        if (now && old && *now != *old) {
            found_.swings.push_back({line, white(*old), white(*now)});
        } else if (now && !old && (from.line.empty() || from_known)) {
            found_.lines.push_back({line, white(*now)});
        }
        open_.push_back({move.target, std::move(line)});
    }

    const Before& before_;
    const analysis::Graph& graph_;
    chess::Color at_root_;
    std::unordered_set<analysis::NodeId> met_;
    std::vector<Open> open_;
    std::size_t next_ = 0;
    Differences found_;
};

// What is told of two moments.
struct Changes {
    analysis::UnixMs since;
    analysis::UnixMs now;
    std::size_t evaluations = 0; // newer, that the tree rests on
    RootThen before;
    RootThen after;
    Differences found;
    std::optional<analysis::Refutation> refuted; // the new best move at the root, if it is one
    // Of the root; null: it has no other one.
    const NewBest* new_best() const {
        return found.best.empty() || !found.best.front().line.empty() ? nullptr
                                                                      : &found.best.front();
    }
    // `graph`: as it is now.
    void find_refutation(const analysis::Graph& graph, analysis::NodeId root) {
        if (const NewBest* best = new_best()) {
            refuted = analysis::refutation(graph, root, best->before, best->after, since);
        }
    }
};
// One analysis as it is asked about.
struct ChangesAsked {
    chess::Position root;
    std::vector<chess::Position> repeated; // before the root
};
// What changed between two moments in analyses of one graph's key, in their order: the tree of then
// is made from the store's facts, and taken on to now. Any thread. Ends soon where `stop` is asked
// for, with less than was wanted.
std::vector<Changes> changes_of(const storage::Store& store, const GraphKey& key,
                                std::span<const ChangesAsked> asked, analysis::UnixMs since,
                                analysis::UnixMs now,
                                const std::shared_ptr<const analysis::Tables>& tables,
                                const std::stop_token& stop = {});
nlohmann::json changes_told(const Changes& changes, const chess::Position& root);

} // namespace adjourn::server
