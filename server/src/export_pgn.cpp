#include "server/export.hpp"

#include "chess/notation.hpp"
#include "chess/pgn_writer.hpp"
#include "openings.hpp"
#include "server/view.hpp"
#include "solved_node.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <ctime>
#include <unordered_map>

namespace adjourn::server {

using analysis::NodeId;

namespace {

// Chooses the moves: best alpha first, then what lies within the margin. A position is worked out
// where it is met first, main lines before variations; elsewhere a comment refers to that place.
class Chooser {
public:
    Chooser(const storage::Store& store, const AnalysisRun& run, const chess::Position& from,
            const ExportLimits& limits)
        : store_{store}, graph_{run.slot->graph()}, from_{from}, limits_{limits} {}

    std::vector<chess::PgnNode> choose(const std::vector<NodeId>& line) {
        std::vector<chess::PgnNode> top;
        met_.emplace(line.back(), "the start of this file");
        grow(top, line, from_, {});
        return top;
    }

private:
    struct Option {
        std::size_t index;
        analysis::MoveValue alpha;
    };

    std::vector<Option> options_at(const std::vector<NodeId>& line) const {
        const analysis::LineValues values{graph_, line};
        std::vector<Option> options;
        for (std::size_t i = 0; i < graph_.moves(line.back()).size(); ++i) {
            options.push_back({i, values.alpha_of(i)});
        }
        std::stable_sort(options.begin(), options.end(), [&](const Option& a, const Option& b) {
            const auto& moves = graph_.moves(line.back());
            return std::tuple{-a.alpha.value.rank(), -moves[a.index].effort, moves[a.index].move} <
                   std::tuple{-b.alpha.value.rank(), -moves[b.index].effort, moves[b.index].move};
        });
        return options;
    }

    // One position of the line being laid, whose variations come later.
    struct Laid {
        std::vector<chess::PgnNode>* siblings;
        std::vector<NodeId> line;
        chess::Position position;
        std::vector<chess::Move> path;
        std::vector<Option> others;
    };

    // Lays the whole main line first, so that positions belong to it, then the variations from the
    // top.
    void grow(std::vector<chess::PgnNode>& into, std::vector<NodeId> line, chess::Position position,
              std::vector<chess::Move> path) {
        std::vector<Laid> laid;
        std::vector<chess::PgnNode>* at = &into;
        while (path.size() < limits_.plies && count_ < limits_.max_moves) {
            std::vector<Option> options = options_at(line);
            if (options.empty()) {
                break;
            }
            const int floor = options.front().alpha.value.rank() - limits_.margin;
            std::erase_if(options,
                          [&](const Option& option) { return option.alpha.value.rank() < floor; });
            const Option main = options.front();
            options.erase(options.begin());
            at->reserve(options.size() + 1); // references to children stay good
            laid.push_back({at, line, position, path, std::move(options)});
            const bool open = add(*at, main, line, position, path);
            const analysis::GraphMove move = graph_.moves(line.back())[main.index];
            position.play(move.move);
            path.push_back(move.move);
            line.push_back(move.target);
            at = &at->back().replies;
            if (!open) {
                break;
            }
        }
        add_solved_line(*at, position, path.size());
        for (Laid& here : laid) {
            for (const Option& option : here.others) {
                if (count_ >= limits_.max_moves) {
                    return;
                }
                const bool open = add(*here.siblings, option, here.line, here.position, here.path);
                const analysis::GraphMove move = graph_.moves(here.line.back())[option.index];
                if (!open) {
                    continue;
                }
                std::vector<NodeId> next = here.line;
                next.push_back(move.target);
                std::vector<chess::Move> longer = here.path;
                longer.push_back(move.move);
                grow(here.siblings->back().replies, std::move(next), here.position.after(move.move),
                     std::move(longer));
            }
        }
    }

    // The line by endgame tables, where they solve the position.
    void add_solved_line(std::vector<chess::PgnNode>& into, chess::Position position,
                         std::size_t plies) {
        const analysis::Tables* tables = graph_.tables();
        const auto value = tables == nullptr ? std::nullopt : tables->value(position);
        // Behind other moves, a draw is no line to show.
        if (!value || plies >= limits_.plies || (plies > 0 && value->rank() == 0)) {
            return;
        }
        std::vector<chess::PgnNode>* at = &into;
        for (const chess::Move move :
             analysis::table_line(*tables, position, limits_.plies - plies)) {
            if (count_ >= limits_.max_moves) {
                return;
            }
            ++count_;
            const chess::Score best = tables->moves(position).front().value;
            const bool white = position.turn() == chess::Color::white;
            at->push_back({move,
                           {},
                           "[%eval " + chess::to_eval_text(white ? best : -best) + "] " +
                               chess::to_text(white ? best : -best),
                           {}});
            at = &at->back().replies;
            position.play(move);
        }
    }

    // Adds a move with its comment. Returns whether its target is to be worked out here.
    bool add(std::vector<chess::PgnNode>& siblings, const Option& option,
             const std::vector<NodeId>& line, const chess::Position& position,
             const std::vector<chess::Move>& path) {
        ++count_;
        const analysis::GraphMove& move = graph_.moves(line.back())[option.index];
        const auto white = [&](chess::Score score) {
            return position.turn() == chess::Color::white ? score : -score;
        };
        const chess::Score idea = graph_.idea_of(line.back(), option.index).value;
        std::string comment = "[%eval " + chess::to_eval_text(white(option.alpha.value)) + "]";
        comment += " " + depth_text(line.back(), move);
        if (idea.rank() != option.alpha.value.rank()) {
            comment += ", idea " + chess::to_text(white(idea));
        }
        bool open = graph_.expanded(move.target) && !graph_.exact(move.target);
        if (option.alpha.repetition) {
            comment += ", repetition";
            open = false;
        } else if (open) {
            std::vector<chess::Move> here = path;
            here.push_back(move.move);
            const auto [met, first] =
                met_.try_emplace(move.target, chess::to_san_line(from_, here));
            if (!first) {
                comment += ", transposes to " + met->second;
                open = false;
            }
        }
        siblings.push_back({move.move, {}, std::move(comment), {}});
        return open;
    }

    // Of the search that the move's engine score stands on.
    std::string depth_text(NodeId node, const analysis::GraphMove& move) {
        if (facts_of_ != node) {
            facts_of_ = node;
            facts_ = store_.evaluations(graph_.position(node).packed());
        }
        for (const analysis::Evaluation& fact : facts_) {
            if (fact.id == move.evaluation) {
                return "d" + std::to_string(fact.depth);
            }
        }
        return "d?";
    }

    const storage::Store& store_;
    const analysis::Graph& graph_;
    chess::Position from_;
    ExportLimits limits_;
    std::size_t count_ = 0;
    std::unordered_map<NodeId, std::string> met_;
    std::optional<NodeId> facts_of_;
    std::vector<analysis::Evaluation> facts_;
};

std::string limit_text(const analysis::Limit& limit) {
    switch (limit.kind) {
    case analysis::Limit::Kind::depth: return fmt::format("depth {}", limit.amount);
    case analysis::Limit::Kind::nodes: return fmt::format("{} nodes", limit.amount);
    case analysis::Limit::Kind::movetime: return fmt::format("{} ms", limit.amount);
    }
    return "";
}

std::vector<chess::PgnTag> tags_of(const Core& core, const AnalysisRun& run,
                                   const std::vector<chess::Move>& line) {
    const std::time_t seconds = core.now() / 1000;
    std::tm local{};
    localtime_r(&seconds, &local);
    std::vector<chess::PgnTag> tags;
    tags.push_back({"Event", run.record.name.empty() ? "?" : run.record.name});
    tags.push_back({"Date", fmt::format("{:04}.{:02}.{:02}", local.tm_year + 1900, local.tm_mon + 1,
                                        local.tm_mday)});
    tags.push_back({"Round", "-"});
    const nlohmann::json opening = opening_json(run, line);
    if (opening.is_object()) {
        tags.push_back({"ECO", opening["eco"].get<std::string>()});
        tags.push_back({"Opening", opening["name"].get<std::string>()});
    }
    std::vector<chess::Move> before = run.record.root_moves;
    before.insert(before.end(), line.begin(), line.end());
    if (!before.empty()) {
        tags.push_back({"Moves", chess::to_san_line(run.start, before)});
    }
    tags.push_back({"Annotator", fmt::format("Adjourn {}", ADJOURN_VERSION)});
    tags.push_back({"Engine", run.slot->engine().name});
    const analysis::StrategyParameters& strategy = run.spec.strategy;
    tags.push_back(
        {"Analysis", fmt::format("{} an evaluation; {}, distance {}, settled to depth {}",
                                 limit_text(run.record.limit), analysis::to_text(strategy.kind),
                                 strategy.move_distance, run.settled)});
    return tags;
}

} // namespace

std::string export_pgn(const Core& core, const AnalysisRun& run,
                       const std::vector<chess::Move>& line, const ExportLimits& limits) {
    const Standing standing = stand(run, line);
    chess::PgnTree tree;
    tree.tags = tags_of(core, run, line);
    tree.start = standing.position;
    if (standing.node) {
        tree.moves = Chooser{core.store(), run, standing.position, limits}.choose(standing.nodes);
    }
    return chess::to_pgn(tree);
}

} // namespace adjourn::server
