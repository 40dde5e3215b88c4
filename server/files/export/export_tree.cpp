#include "files/export/export.hpp"

#include "analysis/graph.hpp"
#include "core/graphs/node_directives.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace adjourn::server {

using analysis::NodeId;

namespace {

class Chooser {
public:
    Chooser(const RunView& run, const GraphReading& reading, const std::vector<chess::Move>& line,
            const ExportLimits& limits, const OwnWork& own)
        : run_{run}, reading_{reading}, graph_{nullptr}, own_{own.games}, limits_{limits},
          tree_{run.root, {}} {
        const LineEnd standing = line_end(run, line);
        tree_.start = standing.position;
        if (standing.node && limits.engine != EnginePart::none) {
            graph_ = &run.slot->graph();
            learn(own);
            top_ = standing.nodes.back();
            met_.emplace(top_, FirstMet{top_, std::nullopt});
            estimated_ =
                analysis::estimates(*graph_, top_, analysis::error_model(run.slot->noise()));
            lay(tree_.moves, standing.nodes, 0);
        }
    }

    ExportTree take() {
        tree_.count = count_;
        tree_.truncated = truncated_;
        return std::move(tree_);
    }

private:
    struct Option {
        analysis::GraphMove move;
        std::size_t index; // in the graph's moves of the position
        analysis::MoveValue alpha;
        chess::Score idea;
    };
    // Where a position was met first: after this move at a position that was met before it.
    struct FirstMet {
        NodeId parent;
        std::optional<chess::Move> move;
    };
    // One position of a line that was laid, whose variations come later.
    struct Laid {
        std::vector<ExportMove>* siblings;
        std::vector<NodeId> line;
        std::size_t plies; // from the exported position
        std::vector<Option> others;
    };

    using OwnMoves = std::unordered_map<NodeId, std::vector<chess::Move>>;

    // Lines that the person included, at positions that the graph knows.
    void learn(const OwnWork& own) {
        for (const std::vector<chess::Move>& line : own.included) {
            chess::Position position = run_.root;
            for (const chess::Move move : line) {
                add_own(kept_, position, move);
                position.play(move);
            }
        }
    }

    void add_own(OwnMoves& moves, const chess::Position& position, chess::Move move) const {
        if (const auto node = graph_->find(position.packed())) {
            moves[*node].push_back(move);
        }
    }

    // The person's moves, whatever they are worth.
    std::vector<chess::Move> kept_at(NodeId node) const {
        const auto included = kept_.find(node);
        std::vector<chess::Move> moves =
            included == kept_.end() ? std::vector<chess::Move>{} : included->second;
        const auto brought = own_->moves.find(graph_->position(node).packed());
        if (brought != own_->moves.end()) {
            moves.insert(moves.end(), brought->second.begin(), brought->second.end());
        }
        return moves;
    }

    // Best first: within the margin, and the person's; empty if the position has none.
    std::vector<Option> options_at(const analysis::LineValues& values) const {
        const NodeId node = values.node();
        const auto moves = graph_->moves(node);
        std::vector<Option> options;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            options.push_back({moves[i], i, values.alpha_of(i),
                               idea_after(*graph_, node, i, court_at(run_, node))});
        }
        std::ranges::sort(options, {}, [this](const Option& option) {
            return analysis::move_order(*graph_, option.move, option.alpha.value);
        });
        if (graph_->position(node).turn() == limits_.one_sided) {
            keep_answers(options, node);
        } else if (!options.empty()) {
            const int floor = limits_.engine == EnginePart::best
                                  ? std::numeric_limits<int>::max()
                                  : options.front().alpha.value.rank() - limits_.margin;
            const chess::Move best = options.front().move.move;
            const auto kept = kept_at(node);
            std::erase_if(options, [&](const Option& option) {
                const chess::Move move = option.move.move;
                return option.alpha.value.rank() < floor && move != best &&
                       std::ranges::find(kept, move) == kept.end();
            });
        }
        return options;
    }

    // Of the side whose repertoire it is: the moves of its games and those it included, else the
    // best of what it imported, else the best.
    void keep_answers(std::vector<Option>& options, NodeId node) const {
        const auto leave = [&](const auto& is_answer) {
            const bool there = std::ranges::any_of(options, is_answer);
            if (there) {
                std::erase_if(options, [&](const Option& each) { return !is_answer(each); });
            }
            return there;
        };
        const auto is_among = [](const std::vector<chess::Move>& moves) {
            return [&moves](const Option& each) {
                return std::ranges::find(moves, each.move.move) != moves.end();
            };
        };
        const auto kept = kept_at(node);
        if (leave(is_among(kept))) {
            return;
        }
        const bool uses_own = limits_.mine != OwnPart::none || limits_.own_only;
        const auto own = uses_own ? own_moves(run_, node) : std::vector<chess::Move>{};
        const bool answered = leave(is_among(own));
        const std::size_t most = answered || !limits_.own_only ? 1 : 0;
        options.erase(options.begin() + static_cast<std::ptrdiff_t>(std::min(most, options.size())),
                      options.end());
    }

    bool full() {
        truncated_ = truncated_ || count_ >= limits_.max_moves;
        return truncated_;
    }

    // The main line first, then the variations from its top, each in the same way.
    void lay(std::vector<ExportMove>& into, std::vector<NodeId> line, std::size_t plies) {
        for (const Laid& here : lay_main(into, std::move(line), plies)) {
            for (const Option& option : here.others) {
                if (full()) {
                    return;
                }
                if (add(*here.siblings, option, here.line.back())) {
                    std::vector<NodeId> longer = here.line;
                    longer.push_back(option.move.target);
                    lay(here.siblings->back().replies, std::move(longer), here.plies + 1);
                }
            }
        }
    }

    std::vector<Laid> lay_main(std::vector<ExportMove>& into, std::vector<NodeId> line,
                               std::size_t plies) {
        std::vector<Laid> laid;
        std::vector<ExportMove>* at = &into;
        std::optional<analysis::LineValues> values; // at the end of the line
        bool solved = false;
        while (!solved && plies < limits_.plies) {
            if (reading_.wanted()) {
                values.reset(); // they must not outlive a change of the graph
                reading_.breathe();
            }
            if (!values) {
                values.emplace(*graph_, line, court_at(run_, line.back()));
            }
            std::vector<Option> options = options_at(*values);
            if (options.empty() || full()) {
                break;
            }
            const Option main = options.front();
            options.erase(options.begin());
            at->reserve(options.size() + 1); // references to children stay good
            laid.push_back({at, line, plies, std::move(options)});
            const bool open = add(*at, main, values->node());
            solved = graph_->exact(main.move.target).has_value();
            if (!open && !solved) {
                return laid; // its end is not worked out here
            }
            at = &at->back().replies;
            values->follow(main.index);
            line.push_back(values->node());
            ++plies;
        }
        add_solved_line(*at, graph_->position(line.back()), plies);
        return laid;
    }

    // The line by endgame tables, where they solve the position. Behind other moves, a draw is no
    // line to show.
    void add_solved_line(std::vector<ExportMove>& into, chess::Position position,
                         std::size_t plies) {
        const analysis::Tables* tables = graph_->tables();
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
        const analysis::GraphMove& move = option.move;
        ExportMove chosen{move, node, option.alpha.value, option.idea, option.alpha.repetition};
        bool open =
            !chosen.repetition && graph_->expanded(move.target) && !graph_->exact(move.target);
        if (node == top_ && !chosen.repetition) {
            chosen.estimate = estimated_.moves[option.index];
        }
        if (open) {
            const auto [met, first] = met_.try_emplace(move.target, FirstMet{node, move.move});
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
            const FirstMet& first = met_.at(node);
            line.push_back(*first.move);
            node = first.parent;
        }
        std::ranges::reverse(line);
        return line;
    }

    const RunView& run_;
    const GraphReading& reading_;
    const analysis::Graph*
        graph_; // null: nothing of it is wanted, or it does not know the position
    std::shared_ptr<const OwnGames> own_;
    OwnMoves kept_; // included
    ExportLimits limits_;
    ExportTree tree_;
    NodeId top_{};
    analysis::Estimates estimated_; // of the exported position
    std::size_t count_ = 0;
    bool truncated_ = false;
    std::unordered_map<NodeId, FirstMet> met_;
};

} // namespace

ExportTree export_tree(const RunView& run, const GraphReading& reading,
                       const std::vector<chess::Move>& line, const ExportLimits& limits,
                       const OwnWork& own) {
    return Chooser{run, reading, line, limits, own}.take();
}

const analysis::Evaluation* ExportFacts::of(const ExportMove& move,
                                            const chess::Position& position) {
    if (move.solved) {
        return nullptr;
    }
    if (node_ != move.source) {
        node_ = move.source;
        facts_ = store_.evaluations(position.packed());
    }
    const auto found = std::ranges::find_if(
        facts_, [&](const analysis::Evaluation& fact) { return fact.id == move.move.evaluation; });
    return found == facts_.end() ? nullptr : &*found;
}

} // namespace adjourn::server
