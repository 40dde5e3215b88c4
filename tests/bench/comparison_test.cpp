#include "bench/strategies/comparison.hpp"
#include "bench/strategies/reference.hpp"

#include <catch2/catch.hpp>

#include <numeric>
#include <sstream>

using namespace adjourn;
using namespace adjourn::bench;

namespace {

std::vector<std::size_t> all(std::size_t n) {
    std::vector<std::size_t> result(n);
    std::iota(result.begin(), result.end(), std::size_t{0});
    return result;
}

} // namespace

TEST_CASE("comparison: reached and held") {
    const std::vector<double> regret{20, 3, 12, 5, 0};
    CHECK(reached_at(regret, 5) == 2);
    CHECK(holds_from(regret, 5) == 4);
    CHECK(holds_from(regret, 0) == 5);
    CHECK(holds_from(regret, 20) == 1);
    CHECK_FALSE(reached_at({9, 9}, 5));
    CHECK_FALSE(holds_from({0, 0, 9}, 5));
}

TEST_CASE("comparison: evaluations for a quality") {
    // Means: 10, 2, 6, 4, 4.
    const Contender contender{"x", {{20, 4, 12, 4, 0}, {0, 0, 0, 4, 8}}, {}};
    const auto roots = all(2);
    CHECK(mean_regret(contender, roots, 1) == Approx(10));
    CHECK(mean_regret(contender, roots, 3) == Approx(6));
    CHECK(evaluations_for(contender, roots, 10) == 1);
    CHECK(evaluations_for(contender, roots, 6) == 2);
    CHECK(evaluations_for(contender, roots, 5) == 4); // 2 at the second is not for good
    CHECK_FALSE(evaluations_for(contender, roots, 3));
    const std::vector<std::size_t> first{0, 0};
    CHECK(mean_regret(contender, first, 1) == Approx(20));
}

TEST_CASE("comparison: the tables say who needs less") {
    Contender slow{"uniform", {}, {}};
    Contender fast{"fast", {}, {}};
    Contender one{"one long search", {}, {10}};
    for (int root = 0; root < 12; ++root) {
        std::vector<double> late(10, 30);
        std::fill(late.begin() + 7, late.end(), 0);
        std::vector<double> early(10, 30);
        std::fill(early.begin() + 1, early.end(), 0);
        slow.regret.push_back(late);
        fast.regret.push_back(early);
        one.regret.emplace_back(10, root % 2 == 0 ? 0 : 24);
    }
    ComparisonOptions options;
    options.budgets = {5, 10};
    std::ostringstream out;
    print_comparison({fast, slow, one}, options, out);
    const std::string text = out.str();
    INFO(text);
    const auto row = [&](const std::string& table, const std::string& name) {
        const std::size_t from = text.find("\n| " + name + ' ', text.find(table));
        std::string line = text.substr(from + 1, text.find('\n', from + 1) - from - 1);
        std::string squeezed;
        for (const char c : line) {
            if (c != ' ' || squeezed.empty() || squeezed.back() != ' ') {
                squeezed += c;
            }
        }
        return squeezed;
    };
    CHECK(row("regret, cp, after", "fast") ==
          "| fast | 0.0 [0.0, 0.0] | 0.0 [0.0, 0.0] | 100 [100, 100] % |");
    CHECK(row("regret, cp, after", "one long search").starts_with("| one long search | | 12.0 ["));
    CHECK(row("less regret than uniform", "fast") ==
          "| fast | 30.0 [30.0, 30.0] | 0.0 [0.0, 0.0] | 0 / 12 / 0 |");
    CHECK(row("less regret than one long search", "fast").ends_with("| 6 / 6 / 0 |"));
    CHECK(row("evaluations until", "fast") ==
          "| fast | 2.0 [2.0, 2.0] | 2.0 [2.0, 2.0] | 100 [100, 100] % | 0.25 [0.25, 0.25] |");
    CHECK(row("evaluations for the quality of uniform", "fast") ==
          "| fast | 1 [1, 1] | 2 [2, 2] |");
}

TEST_CASE("regret: of a course, by the reference's values") {
    const chess::Position start = chess::Position::initial();
    const auto moves = start.legal_moves();
    const MoveValues values{{moves[0], 30}, {moves[1], 12}, {moves[2], -1'000}};
    CHECK(regret(values, moves[0]) == 0);
    CHECK(regret(values, moves[1]) == 18);
    CHECK(regret(values, moves[2]) == 1'030);
    Course course;
    const chess::Score any = chess::Score::cp(0);
    course.points = {std::nullopt, Course::Point{moves[1], any}, Course::Point{moves[0], any},
                     Course::Point{moves[1], any}};
    CHECK(regrets(values, course) == std::vector<double>{18, 18, 0, 18});
    CHECK(choices(course) == std::vector<chess::Move>{moves[1], moves[0]});
    CHECK(bounded_value(chess::Score::mate_in(5)) == 1'000);
    CHECK(bounded_value(chess::Score::mated_in(4)) == -1'000);
    CHECK(bounded_value(chess::Score::cp(-77)) == -77);
}
