// The walk knows what the game repeated before the root.
#include "scripted.hpp"

using analysis::testing::Scripted;

namespace {

// After 1. Nf3 Nf6 2. Ng1: the engine does not know that 2… Ng8 could be a repetition.
Scripted knight_back() {
    Scripted tree;
    tree.root = facts::after("1. Nf3 Nf6 2. Ng1");
    tree.says("", {{"Ng8", 60}, {"d5", 20}, {"e5", 15}, {"a6", -300}});
    tree.says("Ng8", {{"e4", -60}, {"a3", -300}});
    tree.says("d5", {{"d4", -20}, {"a3", -300}});
    tree.says("e5", {{"Nc3", -15}, {"a3", -300}});
    return tree;
}

} // namespace

TEST_CASE("before the root: a move to what occurred twice is a draw for the walk, too") {
    Scripted once = knight_back();
    once.settle(2);
    CHECK(once.was_asked("Ng8", {}));
    CHECK_FALSE(once.was_asked("d5", {})); // 40 behind

    Scripted twice = knight_back();
    twice.before = {twice.graph.intern(chess::Position::initial())};
    twice.settle(2);
    CHECK_FALSE(twice.was_asked("Ng8", {})); // it ends the game
    CHECK(twice.was_asked("d5", {}));
    CHECK(twice.was_asked("e5", {}));
    CHECK(twice.was_asked("", {"Ng8", "d5", "e5"})); // until one falls out of the window of 20
}

TEST_CASE("before the root: the walk knows it wherever people deepen") {
    for (const bool twice : {false, true}) {
        Scripted tree = knight_back();
        if (twice) {
            tree.before = {tree.graph.intern(facts::after("1. Nf3 Nf6"))};
        }
        tree.says("Ne4 Nf3", {{"Nf6", 60}, {"Nd6", 20}, {"a6", -300}});
        tree.node("Ne4"); // the graph knows the way
        tree.directives[tree.node("Ne4 Nf3")] = {{}, {}, 2, false, tree.line("Ne4 Nf3")};
        tree.settle(1);
        CHECK(tree.was_asked("Ne4 Nf3 Nf6", {}) == !twice);
        CHECK(tree.was_asked("Ne4 Nf3 Nd6", {}) == twice);
    }
}
