#include "analysis/foresight.hpp"

#include "base/contains.hpp"
#include "questions.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace adjourn::analysis {

namespace {

constexpr double enough = 4; // log2 of 16

// A small copy of the tree at the request's root, in which the searches that are out have ended.
class Ahead {
public:
    Ahead(const PlanRequest& request, std::span<const Opinion> opinions, std::size_t most_positions)
        // The request's tables outlive it.
        : request_{request}, most_{most_positions}, graph_{std::shared_ptr<const Tables>{
                                                               std::shared_ptr<void>{},
                                                               request.graph.tables()},
                                                           request.graph.basis()} {
        for (const Opinion& opinion : opinions) {
            opinions_[opinion.node].push_back(&opinion);
        }
    }

    // False if the tree is too large.
    bool copy() {
        graph_.add_root(same(request_.root));
        graph_.begin_bulk();
        reach(request_.root);
        for (std::size_t i = 0; i < reached_.size() && reached_.size() <= most_; ++i) {
            copy_facts(reached_[i]);
            copy_words(reached_[i]);
        }
        graph_.end_bulk();
        return reached_.size() <= most_;
    }

    Plan plan(int level) {
        const PlanRequest request{
            graph_,
            same(request_.root),
            request_.limit,
            request_.parameters,
            level,
            steering_,
            [this](NodeId node, const Limit& limit, const std::vector<chess::Move>& excluded) {
                const auto real = request_.graph.find(graph_.position(node).packed());
                return real ? request_.state(*real, limit, excluded) : QuestionState::open;
            },
            request_.max_tasks,
            &seeds_,
            before_};
        return make_plan(request);
    }

    chess::Position position(NodeId node) const { return graph_.position(node); }

private:
    NodeId same(NodeId real) { return graph_.intern(request_.graph.position(real)); }

    void reach(NodeId node) {
        if ((request_.graph.expanded(node) || opinions_.contains(node)) &&
            seen_.insert(node).second) {
            reached_.push_back(node);
        }
    }

    Evaluation fact(const chess::Position& position, chess::Move move, chess::Score score,
                    const Limit& limit, std::vector<chess::Move> excluded) {
        Evaluation result;
        result.id = EvaluationId{++facts_};
        result.question = {position.packed(), EngineId{1}, limit, std::move(excluded)};
        result.move = move;
        result.score = score;
        result.pv = {move};
        return result;
    }

    // The scores of its moves, and what is known of those not searched: as if the lowest of them
    // had been the answer to the question that excludes the others.
    void copy_facts(NodeId node) {
        const Graph& from = request_.graph;
        const chess::Position position = from.position(node);
        const auto moves = from.moves(node);
        const double wanted = effort(request_.limit);
        const GraphMove* lowest = nullptr;
        std::vector<chess::Move> fresh;
        for (const GraphMove& move : moves) {
            reach(move.target);
            if (move.effort >= wanted) {
                fresh.push_back(move.move);
                if (lowest == nullptr || move.engine_score < lowest->engine_score) {
                    lowest = &move;
                }
            }
        }
        const bool rest_known =
            from.rest_bound(node, wanted, excluded_by(steering_at(request_, node))).has_value();
        std::ranges::sort(fresh);
        for (const GraphMove& move : moves) {
            std::vector<chess::Move> others;
            if (&move == lowest && rest_known) {
                others = fresh;
                std::erase(others, move.move);
            } else {
                for (const chess::Move other : position.legal_moves()) {
                    if (other != move.move) {
                        others.push_back(other);
                    }
                }
                std::ranges::sort(others);
            }
            graph_.apply(fact(position, move.move, move.engine_score,
                              limit_of(request_.limit.kind, move.effort), std::move(others)));
        }
    }

    // What people said, what games brought in, and what the searches say.
    void copy_words(NodeId node) {
        const chess::Position position = request_.graph.position(node);
        if (const auto said = steering_at(request_, node)) {
            steering_.emplace(same(node), *said);
        }
        if (const auto seeds = seeds_at(request_, node); !seeds.empty()) {
            seeds_.emplace(same(node), std::vector<chess::Move>{seeds.begin(), seeds.end()});
        }
        if (base::contains(request_.before, node)) {
            before_.push_back(same(node));
        }
        const auto found = opinions_.find(node);
        if (found == opinions_.end()) {
            return;
        }
        for (const Opinion* opinion : found->second) {
            graph_.apply(
                fact(position, opinion->move, opinion->score, opinion->limit, opinion->excluded));
            if (const auto next = request_.graph.find(position.after(opinion->move).packed())) {
                reach(*next);
            }
        }
    }

    const PlanRequest& request_;
    const std::size_t most_;
    Graph graph_;
    Steering steering_;
    Seeds seeds_;
    std::vector<NodeId> before_;
    std::unordered_map<NodeId, std::vector<const Opinion*>> opinions_; // of nodes of the request
    std::unordered_set<NodeId> seen_;
    std::vector<NodeId> reached_;
    std::int64_t facts_ = 0;
};

} // namespace

bool far_enough(const Limit& limit, int depth, std::uint64_t nodes,
                std::uint64_t nodes_per_second) {
    const double least = effort(limit) - enough;
    switch (limit.kind) {
    case Limit::Kind::depth:
        return depth > 0 && effort({limit.kind, static_cast<std::uint64_t>(depth)}) >= least;
    case Limit::Kind::nodes: return nodes > 0 && effort({limit.kind, nodes}) >= least;
    case Limit::Kind::movetime: {
        const std::uint64_t ms = nodes_per_second == 0 ? 0 : nodes * 1'000 / nodes_per_second;
        return ms > 0 && effort({limit.kind, ms}) >= least;
    }
    }
    return false;
}

std::vector<Foreseen> foresee(const PlanRequest& request, std::span<const Opinion> opinions,
                              int last_level, std::size_t most_positions) {
    std::vector<Foreseen> result;
    Ahead ahead{request, opinions, most_positions};
    if (!ahead.copy()) {
        return result;
    }
    const auto known = [&](const chess::Position& position, const Task& task) {
        return std::ranges::any_of(result, [&](const Foreseen& other) {
            return other.position.packed() == position.packed() && other.task.limit == task.limit &&
                   other.task.excluded == task.excluded;
        });
    };
    for (int level = request.refine; level <= last_level && result.size() < request.max_tasks;
         ++level) {
        Plan plan = ahead.plan(level);
        for (Task& task : plan.tasks) {
            const chess::Position position = ahead.position(task.node);
            if (result.size() < request.max_tasks && !known(position, task)) {
                task.node = {};
                result.push_back({position, std::move(task)});
            }
        }
    }
    return result;
}

} // namespace adjourn::analysis
