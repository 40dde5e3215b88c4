// Where the tree and the engine disagree: moves whose backed-up value lies far from what the engine
// said of them, anywhere below a position.
#include "server/view.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <unordered_set>

namespace adjourn::server {

using analysis::NodeId;
using nlohmann::json;

namespace {

constexpr std::size_t walk_most = 20'000; // positions looked at

int gap_of(chess::Score alpha, chess::Score engine) {
    return chart_value(alpha) - chart_value(engine);
}

struct Finding {
    std::size_t place; // in the walk
    std::size_t move;  // of its position
    int gap;           // alpha − engine for the mover, cp
};

// Positions in the order they are met, each with the way to it.
struct Visit {
    NodeId node;
    std::size_t from; // place of the position before; the first has its own
    chess::Move move; // from there
};

class Search {
public:
    Search(const AnalysisRun& run, Standing standing, const DisagreementLimits& limits)
        : graph_{run.slot->graph()}, standing_{std::move(standing)}, limits_{limits} {}

    json make() {
        walk();
        std::vector<Finding> found;
        for (std::size_t at = 0; at < visits_.size(); ++at) {
            const auto moves = graph_.moves(visits_[at].node);
            for (std::size_t i = 0; i < moves.size(); ++i) {
                const int gap =
                    gap_of(graph_.game_value_of(visits_[at].node, i), moves[i].engine_score);
                if (std::abs(gap) >= limits_.gap) {
                    found.push_back({at, i, gap});
                }
            }
        }
        const auto larger = [](const Finding& a, const Finding& b) {
            return std::abs(a.gap) > std::abs(b.gap);
        };
        std::stable_sort(found.begin(), found.end(), larger);
        // Values so far know no history; those that may be shown get theirs.
        found.resize(std::min(found.size(), 2 * limits_.limit));
        std::vector<json> entries;
        for (const Finding& finding : found) {
            if (auto entry = describe(finding)) {
                entries.push_back(std::move(*entry));
            }
        }
        std::stable_sort(entries.begin(), entries.end(), [](const json& a, const json& b) {
            return std::abs(a["gap"].get<int>()) > std::abs(b["gap"].get<int>());
        });
        entries.resize(std::min(entries.size(), limits_.limit));
        return {{"disagreements", std::move(entries)},
                {"positions", visits_.size()},
                {"truncated", truncated_}};
    }

private:
    // Breadth first along moves within the margin of the best one of their position.
    void walk() {
        std::unordered_set<NodeId> met{standing_.nodes.begin(), standing_.nodes.end()};
        visits_.push_back({*standing_.node, 0, chess::Move::from_raw(0)});
        for (std::size_t at = 0; at < visits_.size(); ++at) {
            const NodeId node = visits_[at].node;
            const auto moves = graph_.moves(node);
            int best = std::numeric_limits<int>::min();
            for (std::size_t i = 0; i < moves.size(); ++i) {
                best = std::max(best, graph_.game_value_of(node, i).rank());
            }
            for (std::size_t i = 0; i < moves.size(); ++i) {
                if (!graph_.expanded(moves[i].target) ||
                    graph_.game_value_of(node, i).rank() < best - limits_.margin ||
                    !met.insert(moves[i].target).second) {
                    continue;
                }
                if (visits_.size() == walk_most) {
                    truncated_ = true;
                    return;
                }
                visits_.push_back({moves[i].target, at, moves[i].move});
            }
        }
    }

    // The finding with the value that its line gives it; nullopt if the two agree then.
    std::optional<json> describe(const Finding& finding) const {
        std::vector<NodeId> nodes;
        std::vector<chess::Move> line{graph_.moves(visits_[finding.place].node)[finding.move].move};
        for (std::size_t at = finding.place; at != 0; at = visits_[at].from) {
            nodes.push_back(visits_[at].node);
            line.push_back(visits_[at].move);
        }
        nodes.insert(nodes.end(), standing_.nodes.rbegin(), standing_.nodes.rend());
        std::reverse(nodes.begin(), nodes.end());
        std::reverse(line.begin(), line.end());
        const chess::Score engine =
            graph_.moves(visits_[finding.place].node)[finding.move].engine_score;
        const chess::Score alpha = analysis::LineValues{graph_, nodes}.alpha_of(finding.move).value;
        const int gap = gap_of(alpha, engine);
        if (std::abs(gap) < limits_.gap) {
            return std::nullopt;
        }
        const chess::Color mover =
            line.size() % 2 == 1 ? standing_.position.turn() : !standing_.position.turn();
        return json{{"line", line_json(standing_.position, line)},
                    {"engine", score_json(engine, mover)},
                    {"alpha", score_json(alpha, mover)},
                    {"gap", mover == chess::Color::white ? gap : -gap}};
    }

    const analysis::Graph& graph_;
    Standing standing_;
    DisagreementLimits limits_;
    std::vector<Visit> visits_;
    bool truncated_ = false;
};

} // namespace

json disagreements_json(const AnalysisRun& run, const std::vector<chess::Move>& line,
                        const DisagreementLimits& limits) {
    Standing standing = stand(run, line);
    if (!standing.node) {
        return {{"disagreements", json::array()}, {"positions", 0}, {"truncated", false}};
    }
    return Search{run, std::move(standing), limits}.make();
}

} // namespace adjourn::server
