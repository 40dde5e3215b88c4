#include "analysis/growth/anchoring.hpp"
#include "analysis/growth/grow.hpp"
#include "analysis/growth/walk.hpp"
#include "analysis/root_answer.hpp"
#include "analysis/strategy.hpp"
#include "analysis/verdict.hpp"

#include <algorithm>

namespace adjourn::analysis::registered {

namespace {

// Of one plan: a rival each, so that many processes have something to do.
constexpr std::size_t most_rivals = 8;
constexpr VerdictLimits quick{.most = 25, .positions = 4'000};

// The plan of a level: nothing is left to ask when the carriers would have to be wrong all at once
// with less than a chance of e^(−cost_of_level(level)).
double cost_of_level(int level) {
    return 1.5 * level;
}

// What is asked below the root: the evaluations that carry the answer, the likeliest to be wrong
// first. The root's own questions are those of `anchored`.
class Conspiring {
public:
    // `first`: the plan of halving's first level, which scores the root's moves.
    Conspiring(const PlanRequest& request, Plan first)
        : request_{request}, graph_{request.graph}, plan_{std::move(first)} {}

    Plan run() {
        if (!plan_.asks_nothing() || graph_.exact(request_.root)) {
            return std::move(plan_);
        }
        std::vector<chess::Move> rivals;
        while (rivals.size() < most_rivals) {
            const auto found = verdict_without(rivals);
            if (!found || found->cost >= cost_of_level(request_.refine)) {
                break;
            }
            ask(*found);
            if (!found->rival) {
                break;
            }
            rivals.push_back(*found->rival);
        }
        make_set(plan_.visited);
        plan_.evaluations = evaluations_at(request_, plan_.visited);
        return std::move(plan_);
    }

private:
    std::optional<Verdict> verdict_without(const std::vector<chess::Move>& rivals) const {
        std::vector<chess::Move> excluded = excluded_by(directives_at(request_, request_.root));
        std::vector<NodeId> line = request_.before;
        line.push_back(request_.root);
        const auto answer = anchored_answer(graph_, line, {}, request_.limit, excluded);
        if (!answer) {
            return std::nullopt;
        }
        excluded.insert(excluded.end(), rivals.begin(), rivals.end());
        return verdict(graph_, line, answer->move, 0, leaf_noise(std::nullopt, request_.limit),
                       excluded, quick);
    }
    void ask(const Verdict& verdict) {
        for (const Carrier& carrier : verdict.carriers) {
            if (carrier.node == request_.root && !carrier.move) {
                continue; // the root's other moves are asked there
            }
            auto question = question_about(graph_, carrier, request_.limit,
                                           excluded_by(directives_at(request_, carrier.node)));
            if (question && put(request_, std::move(*question), plan_)) {
                plan_.visited.push_back(carrier.node);
            }
        }
    }

    const PlanRequest& request_;
    const Graph& graph_;
    Plan plan_;
};

class Conspiracy : public Strategy {
    std::string_view name() const override { return "conspiracy"; }
    std::string_view meaning() const override {
        return "one search of the root that grows, and searches of what its answer rests on";
    }
    std::span<const OwnNumber> numbers() const override { return anchor_numbers; }
    bool has_anchor() const override { return true; }
    Plan plan(const PlanRequest& request) const override {
        const Anchoring anchoring{request};
        const PlanRequest below = anchoring.request_below();
        PlanRequest first = below;
        first.refine = 1;
        return anchoring.with(Conspiring{below, grown_by_windows(half, first)}.run());
    }
};

} // namespace

const Strategy& conspiracy() {
    static const Conspiracy strategy;
    return strategy;
}

} // namespace adjourn::analysis::registered
