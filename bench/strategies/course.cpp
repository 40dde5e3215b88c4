#include "strategies/course.hpp"

#include "analysis/graph.hpp"
#include "analysis/root_answer.hpp"
#include "analysis/strategy.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <set>
#include <tuple>

namespace adjourn::bench {

namespace {

using analysis::NodeId;

constexpr int deepest = 64; // level at which to stop

class Driver {
public:
    Driver(const CourseRequest& request, Oracle& oracle)
        : request_{request}, oracle_{oracle}, root_{graph_.intern(request.root)} {
        graph_.add_root(root_);
    }

    Course run() {
        int refine = 1;
        while (course_.points.size() < request_.budget && refine <= deepest) {
            const analysis::Plan plan = wanted(refine);
            if (plan.questions.empty()) {
                verified_ = plan.followed;
                ++refine;
                continue;
            }
            const analysis::PlannedQuestion& question = plan.questions.front();
            const std::size_t cost = evaluations(question.limit);
            if (course_.points.size() + cost > request_.budget) {
                break;
            }
            answer(question);
            course_.points.insert(course_.points.end(), cost - 1, last_);
            course_.points.push_back(last_ = choice());
        }
        course_.points.resize(request_.budget, choice());
        const std::array<NodeId, 1> line{root_};
        const analysis::LineValues values{graph_, line};
        const auto moves = graph_.moves(root_);
        for (std::size_t i = 0; i < moves.size(); ++i) {
            course_.values.emplace(moves[i].move, values.alpha_of(i).value);
        }
        course_.estimates = root_estimates(graph_, root_);
        return std::move(course_);
    }

private:
    // What a search costs, in evaluations of the request's limit.
    std::size_t evaluations(const analysis::Limit& limit) const {
        const std::uint64_t one = request_.limit.amount;
        return limit.kind == request_.limit.kind ? (limit.amount + one - 1) / one : 1;
    }

    analysis::Plan wanted(int refine) const {
        const std::size_t left = request_.budget - course_.points.size();
        const analysis::PlanRequest request{graph_,
                                            root_,
                                            request_.limit,
                                            request_.parameters,
                                            refine,
                                            directives_,
                                            [this](NodeId node, const analysis::Limit& limit,
                                                   const std::vector<chess::Move>& excluded) {
                                                return dead_.contains(
                                                           {node, limit.amount, excluded})
                                                           ? analysis::QuestionState::dead
                                                           : analysis::QuestionState::open;
                                            },
                                            1,
                                            nullptr,
                                            {},
                                            left * request_.limit.amount};
        return analysis::make_plan(request);
    }

    void answer(const analysis::PlannedQuestion& question) {
        const chess::Position position = graph_.position(question.node);
        const analysis::Evaluation fact =
            oracle_.ask_on({position.packed(), oracle_.engine(), question.limit, question.excluded},
                           question.line);
        if (!fact.move || !fact.score || fact.bound != analysis::Bound::exact) {
            dead_.insert({question.node, question.limit.amount, question.excluded});
            return;
        }
        graph_.apply(fact);
        course_.facts.push_back(fact);
    }

    std::optional<Course::Point> choice() const {
        const auto answer =
            analysis::strategy_of(request_.parameters.kind).has_anchor()
                ? analysis::anchored_answer(graph_, root_, verified_, request_.limit,
                                            analysis::margin_one_hash)
                : analysis::root_answer(graph_, root_, verified_);
        return answer ? std::optional{Course::Point{answer->move, answer->alpha}} : std::nullopt;
    }

    const CourseRequest& request_;
    Oracle& oracle_;
    analysis::Graph graph_;
    NodeId root_;
    analysis::Directives directives_;
    std::set<std::tuple<NodeId, std::uint64_t, std::vector<chess::Move>>> dead_;
    std::optional<Course::Point> last_;
    std::vector<chess::Move> verified_;
    Course course_;
};

} // namespace

std::map<chess::Move, analysis::Estimate> root_estimates(const analysis::Graph& graph,
                                                         analysis::NodeId root) {
    const analysis::Estimates estimated =
        analysis::estimates(graph, root, analysis::error_model(analysis::measure_noise(graph)));
    std::map<chess::Move, analysis::Estimate> result;
    const auto moves = graph.moves(root);
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (estimated.moves[i]) {
            result.emplace(moves[i].move, *estimated.moves[i]);
        }
    }
    return result;
}

Course follow_course(const CourseRequest& request, Oracle& oracle) {
    assert(request.budget > 0);
    return Driver{request, oracle}.run();
}

} // namespace adjourn::bench
