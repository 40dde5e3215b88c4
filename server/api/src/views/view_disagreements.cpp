// Where the tree and the engine disagree: moves whose backed-up value lies far from what the engine
// said of them, anywhere below a position.
#include "api/views/view_walks.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <unordered_set>

namespace adjourn::server {

using analysis::NodeId;
using nlohmann::json;

namespace {

int gap_of(chess::Score alpha, chess::Score engine) {
    return chart_value(alpha) - chart_value(engine);
}

struct Finding {
    std::size_t place; // in the walk
    std::size_t move;  // of its position
    int gap;           // alpha − engine for the mover, cp
};

// A finding with the value that its line gives it.
struct Told {
    std::vector<chess::Move> line;
    chess::Score engine; // the mover's, as the others
    chess::Score alpha;
    int gap;
};

// Positions in the order they are met, each with the way to it.
struct Visit {
    NodeId node;
    std::size_t from; // place of the position before; the first has its own
    chess::Move move; // from there
};

class Search : public JsonWalk {
public:
    Search(const AnalysisRun& run, Standing standing, const DisagreementLimits& limits)
        : graph_{run.slot->graph()}, standing_{std::move(standing)}, limits_{limits} {
        met_.insert(standing_.nodes.begin(), standing_.nodes.end());
        if (standing_.node) {
            visits_.push_back({*standing_.node, 0, chess::Move::from_raw(0)});
        }
    }

    bool go_on(const TimeUp& time_up) override {
        while (step()) {
            if (time_up()) {
                return false;
            }
        }
        return true;
    }

    json result() override {
        std::stable_sort(told_.begin(), told_.end(), [](const Told& a, const Told& b) {
            return std::abs(a.gap) > std::abs(b.gap);
        });
        if (told_.size() > limits_.limit) {
            told_.erase(told_.begin() + static_cast<std::ptrdiff_t>(limits_.limit), told_.end());
        }
        auto entries = json::array();
        for (const Told& told : told_) {
            const chess::Color mover =
                told.line.size() % 2 == 1 ? standing_.position.turn() : !standing_.position.turn();
            entries.push_back({{"line", line_json(standing_.position, told.line)},
                               {"engine", score_json(told.engine, mover)},
                               {"alpha", score_json(told.alpha, mover)},
                               {"gap", mover == chess::Color::white ? told.gap : -told.gap}});
        }
        return {{"disagreements", std::move(entries)},
                {"positions", visits_.size()},
                {"truncated", truncated_}};
    }

private:
    // One position more, or one finding; false when all is done.
    bool step() {
        if (visited_ < visits_.size()) {
            visit(visited_++);
            if (visited_ == visits_.size()) {
                choose_findings();
            }
            return true;
        }
        if (described_ < found_.size()) {
            describe(found_[described_++]);
            return true;
        }
        return false;
    }

    // Breadth first along moves within the margin of the best one of their position.
    void visit(std::size_t at) {
        const NodeId node = visits_[at].node;
        const auto moves = graph_.moves(node);
        int best = std::numeric_limits<int>::min();
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const chess::Score value = graph_.game_value_of(node, i);
            best = std::max(best, value.rank());
            const int gap = gap_of(value, moves[i].engine_score);
            if (std::abs(gap) >= limits_.gap) {
                found_.push_back({at, i, gap});
            }
        }
        for (std::size_t i = 0; i < moves.size() && !truncated_; ++i) {
            if (!graph_.expanded(moves[i].target) ||
                graph_.game_value_of(node, i).rank() < best - limits_.margin ||
                !met_.insert(moves[i].target).second) {
                continue;
            }
            if (visits_.size() == walk_most) {
                truncated_ = true;
                return;
            }
            visits_.push_back({moves[i].target, at, moves[i].move});
        }
    }

    // Values so far know no history; those that may be shown get theirs.
    void choose_findings() {
        std::stable_sort(found_.begin(), found_.end(), [](const Finding& a, const Finding& b) {
            return std::abs(a.gap) > std::abs(b.gap);
        });
        found_.resize(std::min(found_.size(), 2 * limits_.limit));
    }

    // Keeps the finding if the two still disagree with the line as history.
    void describe(const Finding& finding) {
        const NodeId node = visits_[finding.place].node;
        const analysis::GraphMove& move = graph_.moves(node)[finding.move];
        std::vector<NodeId> nodes;
        std::vector<chess::Move> line{move.move};
        for (std::size_t at = finding.place; at != 0; at = visits_[at].from) {
            nodes.push_back(visits_[at].node);
            line.push_back(visits_[at].move);
        }
        nodes.insert(nodes.end(), standing_.nodes.rbegin(), standing_.nodes.rend());
        std::reverse(nodes.begin(), nodes.end());
        std::reverse(line.begin(), line.end());
        const chess::Score alpha = analysis::LineValues{graph_, nodes}.alpha_of(finding.move).value;
        const int gap = gap_of(alpha, move.engine_score);
        if (std::abs(gap) >= limits_.gap) {
            told_.push_back({std::move(line), move.engine_score, alpha, gap});
        }
    }

    const analysis::Graph& graph_;
    Standing standing_;
    DisagreementLimits limits_;
    std::unordered_set<NodeId> met_;
    std::vector<Visit> visits_;
    std::size_t visited_ = 0;
    std::vector<Finding> found_;
    std::size_t described_ = 0;
    std::vector<Told> told_;
    bool truncated_ = false;
};

} // namespace

std::unique_ptr<JsonWalk> walk_disagreements(const AnalysisRun& run,
                                             const std::vector<chess::Move>& line,
                                             const DisagreementLimits& limits) {
    return std::make_unique<Search>(run, stand(run, line), limits);
}

} // namespace adjourn::server
