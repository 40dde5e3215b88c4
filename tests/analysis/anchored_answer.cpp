// Strategy `anchored`: when the long search's move is not the answer.
#include "analysis/root_answer.hpp"

#include "scripted.hpp"

using analysis::Limit;
using analysis::testing::Scripted;
using chess::Score;

namespace {

constexpr Limit one_thousand{Limit::Kind::nodes, 1'000};

struct Told : Scripted {
    Told() : Scripted{"anchored"} { limit = one_thousand; }

    void tell(const char* after, const char* san, Score score, std::uint64_t nodes,
              std::vector<const char*> without = {}) {
        const chess::Position position = graph.position(node(after));
        std::vector<chess::Move> excluded;
        for (const char* other : without) {
            excluded.push_back(facts::move(position, other));
        }
        std::sort(excluded.begin(), excluded.end());
        auto fact =
            facts::fact(next_id++, position, facts::move(position, san), score, 1, excluded);
        fact.question.limit = {Limit::Kind::nodes, nodes};
        graph.apply(fact);
    }

    analysis::RootAnswer best(std::vector<chess::Move> verified) {
        std::sort(verified.begin(), verified.end());
        const auto found = analysis::anchored_answer(graph, root_node(), verified, limit, 10, {});
        REQUIRE(found);
        return *found;
    }
    chess::Move at_root(const char* san) { return facts::move(root, san); }
};

} // namespace

TEST_CASE("anchored: a mate that a small search has found is the answer, and proven") {
    Told tree;
    tree.tell("", "e4", Score::cp(30), 64'000);
    tree.tell("", "d4", Score::mate_in(9), 1'000, {"e4"});
    tree.tell("1. e4", "e5", Score::cp(-20), 8'000);
    // Nothing is asked below a move that wins, so no search there can be large enough.
    const auto followed = tree.plan(1).followed;
    CHECK(followed == std::vector{tree.at_root("d4")});
    const auto best = tree.best(followed);
    CHECK(best.move == tree.at_root("d4"));
    CHECK(best.alpha == Score::mate_in(9));
    analysis::Lead lead;
    CHECK(analysis::may_stop({}, tree.graph, tree.root_node(), best, std::nullopt, 1, lead) ==
          analysis::StopReason::proven);
}

TEST_CASE("anchored: the long search's move is not kept when the tree has it mated") {
    Told tree;
    tree.tell("", "e4", Score::cp(30), 64'000);
    tree.tell("", "d4", Score::cp(25), 1'000, {"e4"});
    tree.tell("1. d4", "d5", Score::cp(-20), 1'000); // small, for a search of 64,000
    const std::vector both{tree.at_root("e4"), tree.at_root("d4")};
    CHECK(tree.best(both).move == tree.at_root("e4"));
    tree.tell("1. e4", "e5", Score::mate_in(7), 64'000);
    CHECK(tree.best(both).move == tree.at_root("d4"));
}

TEST_CASE("anchored: a move searched below may overrule one that the level does not follow") {
    // The candidate's word is far ahead of the long search's own, so that the level leaves that
    // out.
    Told tree;
    tree.tell("", "e4", Score::cp(30), 8'000);
    tree.tell("", "d4", Score::cp(90), 1'000, {"e4"});
    tree.tell("", "c4", Score::cp(-80), 1'000, {"d4", "e4"});
    tree.tell("1. d4", "d5", Score::cp(-85), 1'000);
    const auto followed = tree.plan(1).followed;
    CHECK(followed == std::vector{tree.at_root("d4")});
    CHECK(tree.best(followed).move == tree.at_root("d4"));
    tree.tell("1. d4", "d5", Score::cp(-39), 1'000); // ahead by less than the margin
    CHECK(tree.best(followed).move == tree.at_root("e4"));
}

TEST_CASE("anchored: a custom plan's first window decides which words are asked for") {
    const auto grown = [](int window) {
        Told tree;
        tree.parameters.move_distance = 20;
        tree.parameters.plan = {window, 20};
        tree.says("", {{"e4", 30}, {"d4", 15}, {"c4", -3}, {"Nf3", -60}, {"a3", -200}});
        tree.settle(1);
        return tree;
    };
    Told narrow = grown(20);
    CHECK(narrow.was_asked("", {"e4", "d4", "c4"}));
    CHECK_FALSE(narrow.was_asked("", {"e4", "d4", "c4", "Nf3"}));
    CHECK_FALSE(narrow.was_asked("1. c4", {}));
    Told wide = grown(60);
    CHECK(wide.was_asked("", {"e4", "d4", "c4", "Nf3"}));
    CHECK(wide.was_asked("1. c4", {}));
    CHECK_FALSE(wide.was_asked("1. Nf3", {}));
}
