#include "analysis/graph.hpp"
#include "api/views/graph_views.hpp"
#include "core/graphs/line_end.hpp"

#include <algorithm>
#include <deque>
#include <unordered_set>

namespace adjourn::server {

using analysis::NodeId;
using nlohmann::json;

namespace {

// A position of the picture, by the move that leads there. Scores are the mover's.
struct Pictured {
    chess::Move move;
    std::optional<chess::Score> alpha;
    std::optional<chess::Score> idea;
    const char* status;
    std::size_t positions = 0;
    bool repeat = false;
    std::size_t first_child = 0; // in the list of all
    std::size_t children = 0;
};

// Grows the picture best move first, level by level, so that a tight limit cuts the least.
class TreeView {
public:
    TreeView(const RunView& run, const LineEnd& standing, const TreeLimits& limits)
        : slot_{*run.slot}, graph_{slot_.graph()}, run_{run}, start_{standing.position},
          limits_{limits} {
        const NodeId node = *standing.node;
        const auto* court = court_at(run, node);
        pictured_.push_back(
            {chess::Move::from_raw(0), analysis::LineValues{graph_, standing.nodes, court}.alpha(),
             idea_after(graph_, node, court), graph_.expanded(node) ? "expanded" : "leaf",
             slot_.positions_below(node, count_most)});
        met_.insert(node);
        open_.push_back({0, 0, standing.nodes});
    }

    void grow(const GraphReading& reading) {
        // Level by level: behind the first that is too far, the others are no nearer.
        while (!open_.empty() && open_.front().ply < limits_.plies) {
            const Open growing = std::move(open_.front());
            open_.pop_front();
            for (const Child& child : chosen_children(growing)) {
                reading.breathe();
                add(child, growing);
            }
        }
    }

    json result() const {
        json root{{"uci", nullptr}, {"san", nullptr}};
        describe(root, pictured_.front(), start_.turn(), start_);
        return {{"root", std::move(root)}, {"truncated", truncated_}};
    }

private:
    struct Open {
        std::size_t at; // in pictured_
        std::size_t ply;
        std::vector<NodeId> line;
    };
    struct Child {
        analysis::GraphMove move;
        analysis::MoveValue alpha;
        chess::Score idea;
    };

    std::vector<Child> chosen_children(const Open& growing) {
        const NodeId node = growing.line.back();
        const auto* court = court_at(run_, node);
        const analysis::LineValues values{graph_, growing.line, court};
        const auto moves = graph_.moves(node);
        std::vector<Child> children;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            children.push_back({moves[i], values.alpha_of(i), idea_after(graph_, node, i, court)});
        }
        std::ranges::sort(children, {}, [this](const Child& child) {
            return analysis::move_order(graph_, child.move, child.alpha.value);
        });
        if (!children.empty()) {
            const int floor = children.front().alpha.value.rank() - limits_.margin;
            std::erase_if(children,
                          [&](const Child& child) { return child.alpha.value.rank() < floor; });
        }
        const std::size_t room = limits_.limit - std::min(limits_.limit, pictured_.size());
        if (children.size() > room) {
            children.erase(children.begin() + static_cast<std::ptrdiff_t>(room), children.end());
            truncated_ = true;
        }
        pictured_[growing.at].first_child = pictured_.size();
        pictured_[growing.at].children = children.size();
        return children;
    }

    void add(const Child& child, const Open& growing) {
        const NodeId target = child.move.target;
        const bool expanded = graph_.expanded(target);
        const bool repeat = met_.contains(target);
        const char* status = child.alpha.repetition ? "repetition"
                             : graph_.exact(target) ? "terminal"
                             : expanded             ? "expanded"
                                                    : "leaf";
        pictured_.push_back({child.move.move, child.alpha.value, child.idea, status,
                             expanded ? slot_.positions_below(target, count_most) : std::size_t{0},
                             repeat});
        if (!repeat && expanded) {
            met_.insert(target);
            std::vector<NodeId> line = growing.line;
            line.push_back(target);
            open_.push_back({pictured_.size() - 1, growing.ply + 1, std::move(line)});
        }
    }

    // Scores of `seen` are from the side of `mover`; `position` is the one that it shows.
    void describe(json& out, const Pictured& seen, chess::Color mover,
                  const chess::Position& position) const {
        out["alpha"] = score_json(seen.alpha, mover);
        out["idea"] = score_json(seen.idea, mover);
        out["status"] = seen.status;
        out["positions"] = seen.positions;
        out["repeat"] = seen.repeat;
        auto& list = (out["children"] = json::array()).get_ref<json::array_t&>();
        list.reserve(seen.children);
        for (std::size_t i = 0; i < seen.children; ++i) {
            const Pictured& child = pictured_[seen.first_child + i];
            json entry = move_json(position, child.move);
            describe(entry, child, position.turn(), position.after(child.move));
            list.push_back(std::move(entry));
        }
    }

    const GraphSlot& slot_;
    const analysis::Graph& graph_;
    const RunView& run_;
    chess::Position start_;
    TreeLimits limits_;
    std::vector<Pictured> pictured_; // the children of one position in a row
    std::deque<Open> open_;
    std::unordered_set<NodeId> met_;
    bool truncated_ = false;
};

// Where tables solve the position, the picture is their best line.
json solved_tree(const RunView& run, const LineEnd& standing, const TreeLimits& limits) {
    const analysis::Tables& tables = *run.slot->graph().tables();
    chess::Position position = standing.position;
    const auto node = [](json step, const json& value) {
        step["alpha"] = value;
        step["idea"] = value;
        step["status"] = "terminal";
        step["positions"] = 0;
        step["repeat"] = false;
        step["children"] = json::array();
        return step;
    };
    json root = node({{"uci", nullptr}, {"san", nullptr}},
                     score_json(tables.value(position), position.turn()));
    json* at = &root;
    const auto moves =
        analysis::table_line(tables, position, std::min(limits.plies, limits.limit - 1));
    for (const chess::Move move : moves) {
        const chess::Score value = tables.moves(position).front().value;
        json child = node(move_json(position, move), score_json(value, position.turn()));
        (*at)["children"].push_back(std::move(child));
        at = &(*at)["children"].back();
        position.play(move);
    }
    return {{"root", std::move(root)}, {"truncated", false}};
}

} // namespace

json tree_json(const RunView& run, const GraphReading& reading,
               const std::vector<chess::Move>& line, const TreeLimits& limits) {
    const LineEnd standing = line_end(run, line);
    if (solved_value(run, standing.position)) {
        return solved_tree(run, standing, limits);
    }
    if (!standing.node) {
        return {{"root",
                 {{"uci", nullptr},
                  {"san", nullptr},
                  {"alpha", nullptr},
                  {"idea", nullptr},
                  {"status", "unscored"},
                  {"positions", 0},
                  {"repeat", false},
                  {"children", json::array()}}},
                {"truncated", false}};
    }
    TreeView view{run, standing, limits};
    view.grow(reading);
    return view.result();
}

} // namespace adjourn::server
