#include "bench/strategies/course.hpp"

#include "bench/strategies/made_up_tree.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

using namespace adjourn;
using namespace adjourn::bench;

namespace {

const chess::Position start =
    chess::Position::from_fen("4k3/2p5/8/8/8/8/2P5/4K3 w - - 0 1").value();

// Passes questions on and writes them down.
class Listening final : public Oracle {
public:
    explicit Listening(Oracle& to) : to_{to} {}
    analysis::EngineId engine() const override { return to_.engine(); }
    analysis::Evaluation ask(const analysis::Question& question) override {
        asked.push_back(question);
        return to_.ask(question);
    }
    std::optional<chess::Score> exact(const chess::Position& position) const override {
        return to_.exact(position);
    }

    std::vector<analysis::Question> asked;

private:
    Oracle& to_;
};

CourseRequest request(analysis::StrategyKind kind, std::size_t budget) {
    CourseRequest result{
        start, analysis::default_parameters(kind), {analysis::Limit::Kind::nodes, 100'000}};
    result.budget = budget;
    return result;
}

bool same(const Course& a, const Course& b) {
    return a.settled == b.settled && a.asked == b.asked &&
           std::equal(a.points.begin(), a.points.end(), b.points.begin(), b.points.end(),
                      [](const auto& p, const auto& q) {
                          return p.has_value() == q.has_value() &&
                                 (!p || (p->move == q->move && p->value == q->value));
                      });
}

} // namespace

TEST_CASE("course: deterministic, never asks twice, spends what it is given") {
    MadeUpTree tree{{start, 7, 6}};
    for (const analysis::StrategyKind kind : analysis::strategy_kinds()) {
        INFO(analysis::to_text(kind));
        Listening first{tree};
        Listening second{tree};
        const Course a = follow_course(request(kind, 60), first);
        const Course b = follow_course(request(kind, 60), second);
        CHECK(same(a, b));
        CHECK(first.asked == second.asked);
        CHECK(a.asked <= 60);
        CHECK(a.asked > 50);
        CHECK(first.asked.size() <= a.asked);
        CHECK(a.points.size() == 60);
        CHECK(a.nodes == a.asked * 100'000);
        // Nothing is known before the first search is over, however large it is.
        const auto begun = std::find_if(a.points.begin(), a.points.end(),
                                        [](const auto& point) { return point.has_value(); });
        REQUIRE(begun != a.points.end());
        CHECK(begun - a.points.begin() + 1 ==
              static_cast<std::ptrdiff_t>(first.asked.front().limit.amount / 100'000));
        CHECK((*begun)->move == tree.ask(first.asked.front()).move);
        for (std::size_t i = 0; i < first.asked.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                REQUIRE_FALSE(first.asked[i] == first.asked[j]);
            }
        }
        CHECK_FALSE(a.settled.empty());
        CHECK(std::is_sorted(a.settled.begin(), a.settled.end()));
        // A smaller budget is a beginning of it, but for a last long search that it pays for.
        Listening less{tree};
        const Course c = follow_course(request(kind, 25), less);
        const bool last = analysis::has_anchor(kind);
        const auto largest = std::ranges::max_element(
            less.asked, {}, [](const analysis::Question& asked) { return asked.limit.amount; });
        CHECK(
            std::equal(less.asked.begin(), last ? largest : less.asked.end(), first.asked.begin()));
        CHECK((last || c.at(25)->move == a.at(25)->move));
    }
}

TEST_CASE("course: a solved game has the true value and no further questions") {
    MadeUpGame quiet{start, 11, 3};
    quiet.noise = 0;
    MadeUpTree tree{quiet};
    CourseRequest all = request(analysis::StrategyKind::halving, 2'000);
    all.parameters.move_distance = 1'000; // a window wider than any difference in this game
    all.parameters.floor = 1'000;
    const Course course = follow_course(all, tree);
    CHECK(course.asked < 2'000);
    REQUIRE(course.at(2'000));
    const MoveValues truth = tree.true_values(start);
    CHECK(regret(truth, course.at(2'000)->move) == 0);
    CHECK(course.at(2'000)->value == tree.truth(start));
}

TEST_CASE("course: only moves verified to the settled depth are chosen") {
    // Noise only in what the root says; a new root move may look better than it is.
    MadeUpTree tree{{start, 5, 6}};
    CourseRequest held = request(analysis::StrategyKind::halving, 80);
    held.choice = RootChoice::settled;
    const Course course = follow_course(held, tree);
    REQUIRE(course.settled.size() >= 2);
    // Between two settled depths the choice stands.
    for (std::size_t e = course.settled.front() + 1; e <= 80; ++e) {
        const bool just_settled =
            std::find(course.settled.begin(), course.settled.end(), e - 1) != course.settled.end();
        if (!just_settled && e > 1) {
            CHECK(course.at(e)->move == course.at(e - 1)->move);
        }
    }
}

TEST_CASE("course: several workers ask different things and come to the same settled depths") {
    MadeUpTree tree{{start, 9, 6}};
    Listening one{tree};
    Listening four{tree};
    CourseRequest alone = request(analysis::StrategyKind::halving, 120);
    CourseRequest together = alone;
    together.workers = 4;
    const Course a = follow_course(alone, one);
    const Course b = follow_course(together, four);
    CHECK(b.asked == 120);
    std::set<std::size_t> doubles;
    for (std::size_t i = 0; i < four.asked.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            CHECK_FALSE(four.asked[i] == four.asked[j]);
        }
    }
    REQUIRE_FALSE(a.settled.empty());
    REQUIRE_FALSE(b.settled.empty());
    // Asking ahead costs evaluations that one at a time would not have needed.
    CHECK(b.settled.front() >= a.settled.front());
}
