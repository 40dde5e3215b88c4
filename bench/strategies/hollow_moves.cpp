#include "bench/strategies/hollow_moves.hpp"

#include "analysis/growth.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>

namespace adjourn::bench {

namespace {

using analysis::Evaluation;
using analysis::Graph;
using analysis::NodeId;

class HollowTree {
public:
    HollowTree(const HollowRequest& request, Oracle& oracle)
        : request_{request}, oracle_{oracle}, root_{graph_.intern(request.root)} {
        assert(request.parameters.refine >= 1);
        graph_.add_root(root_);
    }

    // Whether it is settled.
    bool grow() {
        for (int level = 1; level <= request_.parameters.refine;) {
            const analysis::Plan plan = wanted(level);
            if (plan.questions.empty()) {
                ++level;
                continue;
            }
            if (found_.answers == request_.most_answers) {
                return false;
            }
            ++found_.answers;
            const analysis::PlannedQuestion& question = plan.questions.front();
            Evaluation fact = ask(question.node, question.limit, question.excluded);
            if (!tells(fact)) {
                dead_.insert({question.node, question.excluded});
                continue;
            }
            graph_.apply(fact);
            facts_.push_back(std::move(fact));
        }
        return true;
    }

    HollowMoves look() {
        const auto moves = graph_.moves(root_);
        for (std::size_t i = 0; i < moves.size(); ++i) {
            if (searched(moves[i].target)) {
                found_.searched.push_back(moves[i].move);
                if (is_hollow(i)) {
                    found_.hollow.push_back(moves[i].move);
                }
            }
        }
        return std::move(found_);
    }

private:
    static bool tells(const Evaluation& fact) {
        return fact.move && fact.score && fact.bound == analysis::Bound::exact;
    }

    Evaluation ask(NodeId node, const analysis::Limit& limit,
                   const std::vector<chess::Move>& excluded) {
        return oracle_.ask({graph_.position(node).packed(), oracle_.engine(), limit, excluded});
    }

    analysis::Plan wanted(int level) const {
        const analysis::PlanRequest request{
            graph_,
            root_,
            request_.limit,
            request_.parameters,
            level,
            directives_,
            [this](NodeId node, const analysis::Limit&, const std::vector<chess::Move>& excluded) {
                return dead_.contains({node, excluded}) ? analysis::QuestionState::dead
                                                        : analysis::QuestionState::open;
            },
            1};
        return analysis::make_plan(request);
    }

    bool searched(NodeId node) const { return graph_.expanded(node) && !graph_.exact(node); }

    std::size_t best_of(NodeId node) const {
        std::size_t best = 0;
        for (std::size_t i = 0; i < graph_.moves(node).size(); ++i) {
            best = graph_.game_value_of(node, i) > graph_.game_value_of(node, best) ? i : best;
        }
        return best;
    }

    // Positions below a root move where an answer could raise it.
    void collect(NodeId node, bool own, std::set<NodeId>& seen, std::vector<NodeId>& open) const {
        if (!searched(node) || !seen.insert(node).second) {
            return;
        }
        const auto moves = graph_.moves(node);
        const chess::Score best = graph_.game_value_of(node, best_of(node));
        if (own) {
            const auto rest = graph_.rest_bound(node, analysis::effort(request_.limit));
            if (rest && rest->rank() > best.rank() &&
                moves.size() < graph_.position(node).legal_moves().size()) {
                open.push_back(node);
            }
        }
        for (std::size_t i = 0; i < moves.size(); ++i) {
            if (own || graph_.game_value_of(node, i) == best) {
                collect(moves[i].target, !own, seen, open);
            }
        }
    }

    // What the root's other moves are worth there; nullopt: no answer.
    const std::optional<Evaluation>& rest_of(NodeId node) {
        const auto [at, is_new] = rest_.try_emplace(node);
        if (is_new) {
            std::vector<chess::Move> known;
            for (const analysis::GraphMove& move : graph_.moves(node)) {
                known.push_back(move.move);
            }
            std::sort(known.begin(), known.end());
            Evaluation fact = ask(node, request_.limit, known);
            ++found_.checks;
            if (tells(fact)) {
                at->second = std::move(fact);
            }
        }
        return at->second;
    }

    int value_with(const Evaluation& more, std::size_t index) const {
        Graph graph;
        graph.begin_bulk();
        const NodeId root = graph.intern(request_.root);
        graph.add_root(root);
        for (const Evaluation& fact : facts_) {
            graph.apply(fact);
        }
        graph.apply(more);
        graph.end_bulk();
        return graph.game_value_of(root, index).rank();
    }

    bool is_hollow(std::size_t index) {
        const chess::Score value = graph_.game_value_of(root_, index);
        std::set<NodeId> seen{root_};
        std::vector<NodeId> open;
        collect(graph_.moves(root_)[index].target, false, seen, open);
        return std::any_of(open.begin(), open.end(), [&](NodeId node) {
            const std::optional<Evaluation>& more = rest_of(node);
            // Below the position itself nothing changes, so an answer no better than what is
            // known there raises nothing.
            return more && *more->score > graph_.game_value_of(node, best_of(node)) &&
                   value_with(*more, index) > value.rank() + request_.rise;
        });
    }

    const HollowRequest& request_;
    Oracle& oracle_;
    Graph graph_;
    NodeId root_;
    analysis::Directives directives_;
    std::vector<Evaluation> facts_;
    std::set<std::pair<NodeId, std::vector<chess::Move>>> dead_;
    std::map<NodeId, std::optional<Evaluation>> rest_; // asked for by the check
    HollowMoves found_;
};

} // namespace

std::optional<HollowMoves> hollow_moves(const HollowRequest& request, Oracle& oracle) {
    HollowTree tree{request, oracle};
    return tree.grow() ? std::optional{tree.look()} : std::nullopt;
}

} // namespace adjourn::bench
