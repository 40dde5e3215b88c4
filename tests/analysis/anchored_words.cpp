// Strategy `anchored`: which moves of the root get a word, and which of them are followed.
#include "scripted.hpp"

using analysis::Limit;
using analysis::PlannedQuestion;
using analysis::testing::Scripted;

TEST_CASE("anchored: moves a little outside the window get a word, and are not followed") {
    // 15, 33, 34 and 50 cp behind, where moves within 20 are followed.
    const auto grown = [](int unit) {
        Scripted tree{"anchored"};
        tree.parameters.own = {0}; // no court asks for more
        tree.parameters.move_distance = 20 * unit;
        tree.limit = {Limit::Kind::nodes, 1'000};
        tree.behind = 300 * unit;
        std::vector<std::pair<const char*, int>> words{
            {"e4", 30}, {"d4", 15}, {"c4", -3}, {"Nf3", -4}, {"a3", -20}};
        for (auto& [san, cp] : words) {
            cp *= unit;
        }
        tree.says("", words);
        tree.settle(1);
        return tree;
    };
    Scripted tree = grown(1);
    CHECK(tree.was_asked("", {"e4", "d4"}));                    // named: 33 behind
    CHECK(tree.was_asked("", {"e4", "d4", "c4"}));              // 34 behind: the first one outside
    CHECK_FALSE(tree.was_asked("", {"e4", "d4", "c4", "Nf3"})); // 20 · 5 / 3 = 33
    CHECK(tree.was_asked("1. d4", {}));
    CHECK_FALSE(tree.was_asked("1. c4", {}));
    CHECK(tree.plan(1).followed.size() == 2);
    // With larger limits: of what is followed.
    const std::size_t before = tree.asked.size();
    tree.settle(2);
    for (std::size_t i = before; i < tree.asked.size(); ++i) {
        const PlannedQuestion& question = tree.asked[i];
        CHECK((question.node != tree.root_node() || question.excluded.size() <= 2));
    }
    // The same questions in other units of scores.
    Scripted other = grown(3);
    tree = grown(1);
    REQUIRE(other.asked.size() == tree.asked.size());
    for (std::size_t i = 0; i < tree.asked.size(); ++i) {
        CHECK(other.asked[i].excluded == tree.asked[i].excluded);
        CHECK(other.asked[i].line == tree.asked[i].line);
    }
}
