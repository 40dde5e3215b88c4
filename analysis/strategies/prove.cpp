// After L. V. Allis's proof-number search (1994), on a graph with cycles and with an engine's words
// on what is open: of the side's moves the one with the least number, and all answers to it.
#include "analysis/answer/flip.hpp"
#include "analysis/growth/grow.hpp"
#include "analysis/growth/walk.hpp"
#include "analysis/root_answer.hpp"
#include "analysis/strategy.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace adjourn::analysis::registered {

namespace {

constexpr std::array<OwnNumber, 2> prove_numbers{{
    {"side", 0, 2, 0,
     "For whom: 1 White, 2 Black, 0 who is better (of a draw: who is worse) (prove)"},
    {"draw", 0, 1, 0, "What is to be shown: 0 a win, 1 a draw at least (prove)"},
}};

// Numbers of what is open: a mate that the engine tells least of all, the longer the more; else the
// worse its score the more, by the factor e for 10 pawns.
constexpr double of_a_ply = 1e-5, of_a_score = 0.01, of_a_loss = 1e5, pawns_10 = 1'000;
// Of moves that were not searched: one's own are mostly worth less than said, the best defence is
// mostly known.
constexpr double unsearched = 1.25, other_defences = 0.5;
constexpr double further_defence = 0.001;

double open_number(chess::Score score) {
    if (score.is_win()) {
        return of_a_ply * (1 + score.plies());
    }
    return score.is_loss() ? of_a_loss - score.plies()
                           : of_a_score + std::exp(std::min(10.0, -score.rank() / pawns_10));
}

// Positions of the tree of a level.
std::size_t positions_of_level(int level) {
    constexpr int most = 24; // doublings
    return std::size_t{16} << std::min(level, most);
}

// What is open costs its number. Of a draw it is the other side that looks for a way out, where an
// endless game is none: what is hard to hold costs little, and what is held cannot be had.
class ProofGame final : public FlipGame {
public:
    ProofGame(const PlanRequest& request, chess::Color side, bool draw)
        : request_{request}, graph_{request.graph}, side_{side}, draw_{draw} {}

    chess::Color turn(std::uint32_t node) const override {
        return graph_.position(NodeId{node}).turn();
    }
    // In the order of the moves, so that it does not matter which came first.
    void moves(std::uint32_t number, std::vector<FlipMove>& out) const override {
        const NodeId node{number};
        const auto known = graph_.moves(node);
        const chess::Position position = graph_.position(node);
        const bool own = position.turn() == side_;
        const auto excluded = excluded_by(directives_at(request_, node));
        const auto left_out = graph_.excluded_at(position.packed());
        std::optional<chess::Score> word = graph_.rest_bound(node, 0, excluded);
        bool rest = false;
        for (const chess::Move move : position.legal_moves()) {
            if (base::contains(excluded, move) || base::contains(left_out, move)) {
                continue;
            }
            const auto found = std::ranges::find(known, move, &GraphMove::move);
            rest = rest || found == known.end();
            if (found != known.end()) {
                out.push_back(
                    of_move(static_cast<std::size_t>(found - known.begin()), *found, own));
            }
        }
        std::ranges::sort(out, {}, [&](const FlipMove& move) { return known[move.index].move; });
        if (rest) {
            const auto best = std::ranges::max_element(
                known, {}, [](const GraphMove& move) { return move.engine_score.rank(); });
            const chess::Score said = word.value_or(best->engine_score);
            out.push_back(leaf(GraphGame::the_rest, open_number(own ? said : -said) *
                                                        (own ? unsearched : other_defences)));
        } else if (out.empty()) {
            out.push_back(leaf(GraphGame::the_rest, impossible)); // people left out all moves
        }
    }
    int value(std::uint32_t /*node*/) const override { return 0; }
    bool on_line(std::uint32_t node) const override {
        return base::contains(request_.before, NodeId{node});
    }
    bool may_return(std::uint32_t /*node*/) const override { return true; } // no value is a proof

    chess::Color seeker() const { return draw_ ? !side_ : side_; }

private:
    FlipMove leaf(std::size_t index, double number) const {
        return {index, 0, true, 0, 0, std::nullopt, draw_ ? 1 / number : number};
    }
    FlipMove of_move(std::size_t i, const GraphMove& move, bool own) const {
        const bool repeats = base::contains(request_.before, move.target);
        if (const auto exact = graph_.exact(move.target); exact || repeats) {
            const chess::Score value = repeats ? chess::Score::cp(0) : own ? -*exact : *exact;
            const bool enough = draw_ ? value.rank() >= 0 : value.is_win();
            return leaf(i, enough ? 0 : impossible);
        }
        if (graph_.expanded(move.target)) {
            return {i, std::to_underlying(move.target), false, 0, 0};
        }
        return leaf(i, own ? open_number(move.engine_score) * unsearched
                           : open_number(-move.engine_score));
    }

    const PlanRequest& request_;
    const Graph& graph_;
    const chess::Color side_;
    const bool draw_;
};

class Proving {
public:
    // `named`: the plan of what people named. It asks for the root.
    Proving(const PlanRequest& request, Plan named)
        : request_{request}, graph_{request.graph}, plan_{std::move(named)} {
        const NodeDirectives* directives = directives_at(request, request.root);
        level_ = request.refine + (directives == nullptr ? 0 : directives->deepen);
        larger_ = candidate_limit(request.limit, level_);
    }

    Plan run() {
        if (graph_.exact(request_.root) || !graph_.expanded(request_.root)) {
            return std::move(plan_);
        }
        const double side = request_.parameters.own.at(0);
        const bool draw = request_.parameters.own.at(1) > 0.5;
        const chess::Color mover = graph_.position(request_.root).turn();
        const chess::Color better = word_at_root() >= 0 ? mover : !mover;
        side_ = side > 1.5   ? chess::Color::black
                : side > 0.5 ? chess::Color::white
                : draw       ? !better
                             : better;
        const ProofGame game{request_, side_, draw};
        constexpr int more_than_endless = 1; // play without end costs all there is
        FlipCosts costs{game, game.seeker(), more_than_endless, {.further = further_defence}};
        const std::uint32_t root = std::to_underlying(request_.root);
        costs.ask(root);
        costs.settle();
        if (costs.of(root) < impossible) {
            std::vector<std::uint32_t> tree;
            auto leaves = costs.leaves(root, &tree);
            for (const std::uint32_t node : tree) {
                plan_.visited.push_back(NodeId{node});
            }
            // Where one way after the other fails, the tree stays small: then all that was looked
            // at counts.
            constexpr std::size_t ways = 8;
            if (tree.size() < positions_of_level(level_) &&
                costs.looked_at() < ways * positions_of_level(level_)) {
                ask(leaves);
            }
            follow(leaves);
        }
        make_set(plan_.visited);
        plan_.evaluations = evaluations_at(request_, plan_.visited);
        return std::move(plan_);
    }

private:
    // The engine's own; values would change sides when a draw is found. Mover's side.
    int word_at_root() const {
        int best = graph_.moves(request_.root).front().engine_score.rank();
        for (const GraphMove& move : graph_.moves(request_.root)) {
            best = std::max(best, move.engine_score.rank());
        }
        return best;
    }

    // The hardest defence first: if it holds, the others are of no use. So mates that the engine
    // tells come last, the longest first. Of a draw the best way to hold it.
    void ask(std::vector<FlipCosts::Leaf>& leaves) {
        std::ranges::stable_sort(leaves, std::ranges::greater{}, &FlipCosts::Leaf::cost);
        for (const FlipCosts::Leaf& leaf : leaves) {
            put(request_, about(leaf), plan_);
        }
    }

    PlannedQuestion about(const FlipCosts::Leaf& leaf) const {
        const NodeId node{leaf.at.first};
        const NodeDirectives* directives = directives_at(request_, node);
        PlannedQuestion question{QuestionKind::alternative, node, {}, request_.limit, {}, false};
        for (const auto& [from, step] : leaf.way) {
            question.line.push_back(graph_.moves(NodeId{from})[step].move);
        }
        if (leaf.at.second == GraphGame::the_rest) {
            question.excluded =
                known_moves(directives, candidates_of(request_, node, directives, {}));
            return question;
        }
        const GraphMove& move = graph_.moves(node)[leaf.at.second];
        question.kind = QuestionKind::first;
        question.limit = larger_;
        question.excluded = excluded_by(directives);
        if (resists(node, move) && may_be_asked(question)) {
            return question;
        }
        question.node = move.target;
        question.line.push_back(move.move);
        // Less than half of what is behind its score would not overrule that.
        question.limit = limit_of(request_.limit.kind, move.effort - 1);
        question.excluded = excluded_by(directives_at(request_, move.target));
        if (question.limit.amount <= request_.limit.amount || !may_be_asked(question)) {
            question.limit = request_.limit;
        }
        return question;
    }

    // A position of the side at the end of the tree where no search as large as the level's was
    // made, and none sees the end: it comes before the position after its move.
    bool resists(NodeId node, const GraphMove& move) const {
        return graph_.position(node).turn() == side_ && !move.engine_score.is_win() &&
               std::ranges::none_of(graph_.moves(node), [&](const GraphMove& known) {
                   return known.effort >= effort(larger_);
               });
    }

    bool may_be_asked(const PlannedQuestion& question) const {
        const auto [kind, amount] = question.limit;
        const QuestionState state =
            request_.state(question.node, question.limit, question.excluded);
        return (state == QuestionState::open || state == QuestionState::pending) &&
               (kind != Limit::Kind::nodes || amount <= request_.nodes_left.value_or(amount));
    }

    // The root's moves that something open hangs on.
    void follow(const std::vector<FlipCosts::Leaf>& leaves) {
        for (const FlipCosts::Leaf& leaf : leaves) {
            const FlipCosts::Step& step = leaf.way.empty() ? leaf.at : leaf.way.front();
            if (step.second != GraphGame::the_rest) {
                plan_.followed.push_back(graph_.moves(request_.root)[step.second].move);
            }
        }
        make_set(plan_.followed);
    }

    const PlanRequest& request_;
    const Graph& graph_;
    Plan plan_;
    int level_ = 1;
    Limit larger_; // of a level: twice that of the one before
    chess::Color side_ = chess::Color::white;
};

// The root, and what people named and brought in; the rest is not for a walk.
class Named : public Windows {
public:
    Named(const StrategyParameters& parameters, int level) : Windows{parameters, 1, level} {}
    bool scores(const Place& /*place*/, int /*gap*/) const override { return false; }
    int window(const Place& /*place*/) const override { return 0; }
};

class Prove : public Strategy {
    std::string_view name() const override { return "prove"; }
    std::string_view meaning() const override {
        return "the move that is nearest to a proof, and all answers to it, to mate, tables or "
               "repetition";
    }
    std::span<const OwnNumber> numbers() const override { return prove_numbers; }
    bool windowed() const override { return false; }
    Plan plan(const PlanRequest& request) const override {
        constexpr int nothing_supported = 1'000'000; // whatever a value could be: the proof asks
        PlanRequest named = request;
        named.parameters.floor = nothing_supported;
        return Proving{request, grown_by(Named{request.parameters, request.refine}, named)}.run();
    }
};

} // namespace

const Strategy& prove() {
    static const Prove strategy;
    return strategy;
}

} // namespace adjourn::analysis::registered
