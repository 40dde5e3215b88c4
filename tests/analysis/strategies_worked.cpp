// Small trees whose plans were computed by hand: those of docs/internals/strategies.md.
#include "written.hpp"

using namespace adjourn;
using analysis::StrategyKind;
using analysis::testing::Lines;
using analysis::testing::Written;

TEST_CASE("worked: uniform follows the same window at every ply, halving a narrower one") {
    for (const StrategyKind kind : {StrategyKind::uniform, StrategyKind::halving}) {
        Written tree{kind};
        tree.parameters.move_distance = 20;
        tree.says("", "e4", 30);
        tree.says("", "d4", 5); // 25 behind: outside
        tree.says("1. e4", "e5", -30);
        tree.says("1. e4", "c5", -60);
        tree.says("1. e4 e5", "Nf3", 30);
        tree.says("1. e4 e5", "Bc4", 18); // 12 behind: inside 20, outside 20 / 2
        tree.says("1. e4 e5", "d4", -30);
        // Ply 2: W = 20 or 10.
        const bool both = kind == StrategyKind::uniform;
        CHECK(tree.asks(4) ==
              (both ? Lines{"e4 e5 Nf3 first", "e4 e5 Bc4 first"} : Lines{"e4 e5 Nf3 first"}));
        CHECK(tree.plan(3).settled());
    }
}

TEST_CASE("worked: a custom plan follows its widths and windows, by the side that moves") {
    Written tree{StrategyKind::uniform};
    tree.says("", "e4", 30);
    tree.says("", "d4", -100);
    tree.says("1. e4", "e5", -30);
    tree.says("1. e4", "c5", -100);
    tree.says("1. e4 e5", "Nf3", 30);
    tree.says("1. e4 e5", "Bc4", 25);
    tree.says("1. e4 e5", "d4", 20);
    const std::vector<analysis::PlyPlan> wide{{40, 0}, {40, 0}, {40, 2}};
    const std::vector<analysis::PlyPlan> narrow{{40, 0}, {40, 0}, {0, 1}};
    tree.parameters.plan = {wide, narrow};
    // At ply 2 White moves: two of the three moves within 40; no fourth is asked for.
    CHECK(tree.asks(4) == Lines{"e4 e5 Nf3 first", "e4 e5 Bc4 first"});
    tree.parameters.plan = {narrow, wide};
    CHECK(tree.asks(4) == Lines{"e4 e5 Nf3 first"});
    // At ply 3 Black moves: the first move alone, however near the second is.
    tree.parameters.plan = {wide, narrow};
    tree.says("1. e4 e5 2. Nf3", "Nc6", -30);
    tree.says("1. e4 e5 2. Nf3", "Nf6", -30);
    CHECK(tree.asks(5) == Lines{"e4 e5 Nf3 Nc6 first", "e4 e5 Bc4 first"});
}

TEST_CASE(
    "worked: where a custom plan widens, a position is established for the widest of its plies") {
    Written tree{StrategyKind::uniform};
    tree.says("", "e4", 30);
    tree.says("", "e3", 28);
    tree.says("", "d4", -100);
    tree.says("1. e4", "e5", -30);
    tree.says("1. e4", "c5", -100);
    tree.says("1. e3", "e6", -28);
    tree.says("1. e3", "c5", -100);
    tree.says("1. e3 e6", "e4", 28);
    tree.says("1. e3 e6", "d4", -100);
    tree.says("1. e3 e6 2. e4", "e5", -28); // where 1. e4 e5 leads at ply 2
    tree.says("1. e3 e6 2. e4", "c5", -100);
    tree.says("1. e4 e5", "Nf3", 30);
    tree.says("1. e4 e5", "Bc4", 12);
    const auto asked = [&](int at_ply_4) {
        const std::vector<analysis::PlyPlan> plan{{20, 0}, {20, 0}, {5, 0}, {5, 0}, {at_ply_4, 0}};
        tree.parameters.plan = {plan, plan};
        return tree.asks(5);
    };
    CHECK(asked(5) == Lines{"e4 e5 Nf3 first"});
    CHECK(asked(40) == Lines{"e4 e5 Nf3 first", "e3 e6 e4 e5 alternative"});
}

TEST_CASE("worked: dropout asks for the leaf of the cheapest path") {
    Written tree{StrategyKind::dropout};
    tree.says("", "e4", 30);
    tree.says("", "d4", 18);
    // e4: 1. d4: 1 + 12/12 = 2, and so has a third move, at least 12 behind like the last one
    // named.
    const auto prices = tree.prices("");
    REQUIRE(prices.known.size() == 2);
    CHECK(prices.known[0] == Approx(1));
    CHECK(prices.known[1] == Approx(2));
    CHECK(prices.unsearched == Approx(2));
    // Only White has paid; at half weight: (0.5 · 1) / 1.5 = 0.333, 0.667 and 0.667, all within the
    // first level's 1.
    CHECK(tree.asks(1) == Lines{"e4 first", "alternative", "d4 first"});
    // One more of the same for each: 1. e4 e5 needs min(1 + 0.5, 0.5 + 1) / 1.5 = 1 and comes after
    // 1. d4; 1. e4 c5, 6 behind, has cost Black 1.5, needs min(1 + 0.75, 0.5 + 1.5) / 1.5 = 1.167,
    // and waits for level 2.
    tree.says("1. e4", "e5", -30);
    tree.says("1. e4", "c5", -36);
    tree.says("1. e4", "e6", -300);
    CHECK(tree.asks(1) == Lines{"alternative", "d4 first", "e4 e5 first"});
}

TEST_CASE("worked: minmax pays for choice and for distance") {
    Written tree{StrategyKind::minmax};
    tree.says("", "e4", 30);
    // Another one as good would cost 0.25 + log2 2 = 1.25, half of it for a joint budget. As long
    // as there may be one, nothing is grown: 1. e4 alone would be next to free.
    CHECK(tree.asks(1) == Lines{"alternative"});
    tree.says("", "d4", 30);
    CHECK(tree.asks(1) == Lines{"alternative"}); // (0.25 + log2 3) / 2 = 0.92
    // gone with the next answer:
    tree.says("", "a4", -70);
    // gaps 0, 0, 100: Σ 2^(-gap/20) = 2 + 1/32, log2 of it 1.0224. a4: + 100/20.
    auto prices = tree.prices("");
    REQUIRE(prices.known.size() == 3);
    CHECK(prices.known[0] == Approx(0.25 + 1.0224).epsilon(1e-4));
    CHECK(prices.known[1] == prices.known[0]);
    CHECK(prices.known[2] == Approx(0.25 + 1.0224 + 5).epsilon(1e-4));
    // A single good move is nearly free: log2(1 + 1/32) = 0.0444.
    tree.says("1. e4", "e5", -30);
    tree.says("1. e4", "c5", -130);
    prices = tree.prices("1. e4");
    CHECK(prices.known[0] == Approx(0.25 + 0.0444).epsilon(1e-3));
    // 1. e4 e5 has cost 1.2724 + 0.2944, of which a joint budget counts the mean: 0.783. 1. d4:
    // 0.636. 1. a4: 3.14, beyond the first level, and so is 1. e4 c5.
    CHECK(tree.asks(1) == Lines{"d4 first", "e4 e5 first"});
    // What has been grown is followed: 1. e4 goes on while level 4 asks what else there is, which
    // (0.25 + 5 + log2(2 + 2/32)) / 2 = 3.14 pays for, and after 1. e4 ((1.27 + 0.25 + 5 + 0.09) /
    // 2 = 3.3), too. 1. d4 waits.
    CHECK(tree.asks(4) == Lines{"alternative", "e4 alternative"});
}

TEST_CASE("worked: minmax waits for no answer that will not come") {
    Written tree{StrategyKind::minmax};
    tree.graph.apply(facts::fact(tree.next_id++, tree.root, facts::move(tree.root, "e4"),
                                 chess::Score::cp(30), 4)); // of a smaller search
    CHECK(tree.asks(1) == Lines{"first"});
    tree.dead.insert({tree.root_node(), {}});
    CHECK(tree.asks(1) == Lines{"e4 first"});
    Written other{StrategyKind::minmax};
    other.says("", "e4", 30);
    CHECK(other.asks(1) == Lines{"alternative"});
    other.dead.insert({other.root_node(), other.line("1. e4")});
    CHECK(other.asks(1) == Lines{"e4 first"});
}

TEST_CASE("worked: deepen pays for so many best moves, whatever they cost") {
    Written tree{StrategyKind::minmax};
    tree.says("", "e4", 32);
    tree.says("", "d4", 30);
    tree.says("", "c4", 28);
    tree.says("", "a4", -300);
    tree.says("1. e4", "e5", -32);
    tree.says("1. e4", "c5", -34);
    tree.says("1. e4", "e6", -36);
    tree.says("1. e4", "a6", -300);
    // 0.25 + log2(1 + 2^-0.1 + 2^-0.2) = 1.74, 1.84 and 1.94, half of it for a joint budget: one
    // ply is all that level 1 pays for.
    CHECK(tree.asks(1) == Lines{"d4 first", "c4 first"});
    // Two plies, the best move of the first for nothing.
    tree.directives[tree.root_node()].deepen = 1;
    const Lines deep = tree.asks(1);
    CHECK(
        std::set<std::string>(deep.begin(), deep.end()) ==
        std::set<std::string>{"e4 e5 first", "e4 c5 first", "e4 e6 first", "d4 first", "c4 first"});
}

TEST_CASE("worked: consistency stops where searches agree, and goes on where they do not") {
    Written tree{StrategyKind::consistency};
    tree.says("", "e4", 30);
    tree.says("", "d4", 26);
    tree.says("", "a4", -200);
    tree.says("1. e4", "e5", -70); // the root's search said 30 of it: off by 40
    tree.says("1. e4", "a6", -300);
    tree.says("1. d4", "d5", -26); // as predicted
    tree.says("1. d4", "a6", -300);
    // Threshold at ply 1: 20 · 1.125 = 22.5. Off by 9: bonus 9/22.5 = 0.4; off by 40: 1.778, which
    // pays for the best move, and for others up to 0.778 · 20 = 15 cp behind.
    CHECK(tree.prices("1. e4", -61).known[0] == Approx(0.6));
    CHECK(tree.prices("1. e4", -30).known[0] == Approx(0.0));
    CHECK(tree.prices("1. e4", -30).known[1] == Approx(1 + 230.0 / 20 - 40 / 22.5));
    CHECK(tree.prices("1. d4", -26).known[0] == Approx(1.0));
    // At most twice the bonus.
    CHECK(tree.prices("1. e4", -500).known[1] == Approx(1 + 230.0 / 20 - 2));
    // White's best move is free, as nobody has judged the root before: 1. e4, now worth 70. 1. d4
    // costs 1 + 44/20 - 2 = 1.2. Every level pays for what is free: 1. e4 e5 is searched.
    CHECK(tree.asks(1) == Lines{"e4 e5 first"});
    // As predicted: nothing more, to whatever level. But for plies 0 and 1, where the best lines
    // are followed to ply 2.
    tree.says("1. e4 e5", "Nf3", 70);
    tree.says("1. e4 e5", "a3", -300);
    for (int level = 1; level <= 20; ++level) {
        CHECK(tree.plan(level).settled());
    }
    Written other{StrategyKind::consistency};
    other.says("", "e4", 30);
    other.says("", "a4", -200);
    other.says("1. e4", "e5", -70);
    other.says("1. e4", "a6", -300);
    other.says("1. e4 e5", "Nf3", 120); // off by 50, more than the 25 of ply 2
    other.says("1. e4 e5", "a3", -300);
    CHECK(other.asks(1) == Lines{"e4 e5 Nf3 first"});
}
