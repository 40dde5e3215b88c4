#include "analysis/move_order.hpp"
#include "server/view.hpp"
#include "solved_node.hpp"

#include <algorithm>
#include <unordered_set>

namespace adjourn::server {

using analysis::NodeId;
using nlohmann::json;

namespace {

constexpr std::size_t count_most = 10'000;

// Grows the picture best move first, level by level, so that a tight limit cuts the least.
class TreeView {
public:
    TreeView(const AnalysisRun& run, Standing standing, const TreeLimits& limits)
        : slot_{*run.slot}, graph_{slot_.graph()}, standing_{std::move(standing)}, limits_{limits} {
    }

    json make() {
        json root{{"uci", nullptr}, {"san", nullptr}};
        root["alpha"] = score_json(analysis::LineValues{graph_, standing_.nodes}.alpha(),
                                   standing_.position.turn());
        root["idea"] = score_json(graph_.idea(*standing_.node), standing_.position.turn());
        root["status"] = graph_.expanded(*standing_.node) ? "expanded" : "leaf";
        root["positions"] = slot_.positions_below(*standing_.node, count_most);
        root["repeat"] = false;
        root["children"] = json::array();
        std::vector<Open> level{{&root, standing_.position, standing_.nodes}};
        met_.insert(*standing_.node);
        for (std::size_t ply = 0; ply < limits_.plies && !level.empty(); ++ply) {
            std::vector<Open> next;
            for (Open& open : level) {
                grow(open, next);
            }
            level = std::move(next);
        }
        json out;
        out["root"] = std::move(root);
        out["truncated"] = truncated_;
        return out;
    }

private:
    struct Open {
        json* at; // stable: children are reserved before pointers to them are taken
        chess::Position position;
        std::vector<NodeId> line;
    };
    struct Child {
        std::size_t index;
        analysis::MoveValue alpha;
    };

    void grow(Open& open, std::vector<Open>& next) {
        const NodeId node = open.line.back();
        const analysis::LineValues values{graph_, open.line};
        const auto moves = graph_.moves(node);
        std::vector<Child> children;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            children.push_back({i, values.alpha_of(i)});
        }
        std::ranges::sort(children, {}, [&](const Child& child) {
            return analysis::move_order(moves[child.index], child.alpha.value);
        });
        std::erase_if(children, [&](const Child& child) {
            return child.alpha.value.rank() < children.front().alpha.value.rank() - limits_.margin;
        });
        if (count_ + children.size() > limits_.limit) {
            children.resize(limits_.limit - std::min(limits_.limit, count_),
                            Child{0, {chess::Score::cp(0)}});
            truncated_ = true;
        }
        count_ += children.size();
        auto& list = (*open.at)["children"].get_ref<json::array_t&>();
        list.reserve(children.size());
        for (const Child& child : children) {
            const analysis::GraphMove& move = moves[child.index];
            const bool repeat = met_.contains(move.target);
            json entry = move_json(open.position, move.move);
            entry["alpha"] = score_json(child.alpha.value, open.position.turn());
            entry["idea"] =
                score_json(graph_.idea_of(node, child.index).value, open.position.turn());
            entry["status"] = child.alpha.repetition         ? "repetition"
                              : graph_.exact(move.target)    ? "terminal"
                              : graph_.expanded(move.target) ? "expanded"
                                                             : "leaf";
            entry["positions"] = graph_.expanded(move.target)
                                     ? slot_.positions_below(move.target, count_most)
                                     : std::size_t{0};
            entry["repeat"] = repeat;
            entry["children"] = json::array();
            list.push_back(std::move(entry));
            if (!repeat && graph_.expanded(move.target)) {
                met_.insert(move.target);
                std::vector<NodeId> line = open.line;
                line.push_back(move.target);
                next.push_back({&list.back(), open.position.after(move.move), std::move(line)});
            }
        }
    }

    const GraphSlot& slot_;
    const analysis::Graph& graph_;
    Standing standing_;
    TreeLimits limits_;
    std::unordered_set<NodeId> met_;
    std::size_t count_ = 1;
    bool truncated_ = false;
};

} // namespace

namespace {

// Where tables solve the position, the picture is their best line.
json solved_tree(const AnalysisRun& run, const Standing& standing, const TreeLimits& limits) {
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

json tree_json(const AnalysisRun& run, const std::vector<chess::Move>& line,
               const TreeLimits& limits) {
    Standing standing = stand(run, line);
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
    return TreeView{run, std::move(standing), limits}.make();
}

} // namespace adjourn::server
