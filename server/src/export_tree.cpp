#include "export_tree.hpp"

#include "analysis/move_order.hpp"

#include <algorithm>
#include <unordered_map>

namespace adjourn::server {

using analysis::NodeId;

namespace {

class Chooser {
public:
    Chooser(const analysis::Graph& graph, const ExportLimits& limits)
        : graph_{graph}, limits_{limits} {}

    void choose(ExportTree& tree, const std::vector<NodeId>& line) {
        top_ = line.back();
        met_.emplace(top_, Place{top_, std::nullopt});
        grow(tree.moves, line, 0);
        tree.count = count_;
        tree.truncated = truncated_;
    }

private:
    struct Option {
        std::size_t index;
        analysis::MoveValue alpha;
    };
    // Where a position was met first: after this move at a position that was met before it.
    struct Place {
        NodeId parent;
        std::optional<chess::Move> move;
    };
    // One position of the line being laid, whose variations come later.
    struct Laid {
        std::vector<ExportMove>* siblings;
        std::vector<NodeId> line;
        std::size_t plies; // from the exported position
        std::vector<Option> others;
    };

    // Best first, within the margin; empty if the position has none.
    std::vector<Option> options_at(const analysis::LineValues& values) const {
        const auto moves = graph_.moves(values.node());
        std::vector<Option> options;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            options.push_back({i, values.alpha_of(i)});
        }
        std::ranges::sort(options, {}, [&](const Option& option) {
            return analysis::move_order(moves[option.index], option.alpha.value);
        });
        if (!options.empty()) {
            const int floor = options.front().alpha.value.rank() - limits_.margin;
            std::erase_if(options,
                          [&](const Option& option) { return option.alpha.value.rank() < floor; });
        }
        return options;
    }

    bool full() {
        truncated_ = truncated_ || count_ >= limits_.max_moves;
        return truncated_;
    }

    // Lays the whole main line first, then the variations from the top.
    void grow(std::vector<ExportMove>& into, std::vector<NodeId> line, std::size_t plies) {
        std::vector<Laid> laid;
        std::vector<ExportMove>* at = &into;
        analysis::LineValues values{graph_, line};
        while (plies < limits_.plies) {
            std::vector<Option> options = options_at(values);
            if (options.empty() || full()) {
                break;
            }
            const Option main = options.front();
            options.erase(options.begin());
            at->reserve(options.size() + 1); // references to children stay good
            laid.push_back({at, line, plies, std::move(options)});
            const bool open = add(*at, main, values.node());
            const bool solved = graph_.exact(at->back().move.target).has_value();
            at = &at->back().replies;
            if (!open && !solved) {
                break;
            }
            values.follow(main.index);
            line.push_back(values.node());
            ++plies;
            if (solved) {
                break;
            }
        }
        if (laid.empty() || laid.back().plies + 1 == plies) {
            add_solved_line(*at, graph_.position(line.back()), plies);
        }
        for (Laid& here : laid) {
            for (const Option& option : here.others) {
                if (full()) {
                    return;
                }
                if (add(*here.siblings, option, here.line.back())) {
                    std::vector<NodeId> next = here.line;
                    next.push_back(here.siblings->back().move.target);
                    grow(here.siblings->back().replies, std::move(next), here.plies + 1);
                }
            }
        }
    }

    // The line by endgame tables, where they solve the position. Behind other moves, a draw is no
    // line to show.
    void add_solved_line(std::vector<ExportMove>& into, chess::Position position,
                         std::size_t plies) {
        const analysis::Tables* tables = graph_.tables();
        const auto value = tables == nullptr ? std::nullopt : tables->value(position);
        if (!value || plies >= limits_.plies || (plies > 0 && value->rank() == 0)) {
            return;
        }
        std::vector<ExportMove>* at = &into;
        for (const chess::Move move :
             analysis::table_line(*tables, position, limits_.plies - plies)) {
            if (full()) {
                return;
            }
            ++count_;
            const chess::Score best = tables->moves(position).front().value;
            ExportMove chosen{
                {best, NodeId{}, 0, analysis::EvaluationId{}, move, 0}, NodeId{}, best, best};
            chosen.solved = true;
            at->push_back(std::move(chosen));
            at = &at->back().replies;
            position.play(move);
        }
    }

    // Returns whether the move's target is to be worked out here.
    bool add(std::vector<ExportMove>& siblings, const Option& option, NodeId node) {
        ++count_;
        const analysis::GraphMove& move = graph_.moves(node)[option.index];
        ExportMove chosen{move, node, option.alpha.value, graph_.idea_of(node, option.index).value,
                          option.alpha.repetition};
        bool open =
            !chosen.repetition && graph_.expanded(move.target) && !graph_.exact(move.target);
        if (open) {
            const auto [met, first] = met_.try_emplace(move.target, Place{node, move.move});
            if (!first) {
                chosen.transposes = line_to(move.target);
                open = false;
            }
        }
        siblings.push_back(std::move(chosen));
        return open;
    }

    std::vector<chess::Move> line_to(NodeId node) const {
        std::vector<chess::Move> line;
        while (node != top_) {
            const Place& place = met_.at(node);
            line.push_back(*place.move);
            node = place.parent;
        }
        std::ranges::reverse(line);
        return line;
    }

    const analysis::Graph& graph_;
    ExportLimits limits_;
    NodeId top_{};
    std::size_t count_ = 0;
    bool truncated_ = false;
    std::unordered_map<NodeId, Place> met_;
};

} // namespace

ExportTree choose_tree(const AnalysisRun& run, const std::vector<chess::Move>& line,
                       const ExportLimits& limits) {
    const Standing standing = stand(run, line);
    ExportTree tree{standing.position, {}};
    if (standing.node) {
        Chooser{run.slot->graph(), limits}.choose(tree, standing.nodes);
    }
    return tree;
}

const analysis::Evaluation* ExportFacts::of(const ExportMove& move) {
    if (move.solved) {
        return nullptr;
    }
    if (node_ != move.source) {
        node_ = move.source;
        facts_ = store_.evaluations(graph_.position(move.source).packed());
    }
    const auto found = std::ranges::find_if(
        facts_, [&](const analysis::Evaluation& fact) { return fact.id == move.move.evaluation; });
    return found == facts_.end() ? nullptr : &*found;
}

} // namespace adjourn::server
