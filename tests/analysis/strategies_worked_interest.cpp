// The same of strategy interest (strategies_worked.cpp).
#include "written.hpp"

using namespace adjourn;
using analysis::StrategyKind;
using analysis::testing::Lines;
using analysis::testing::Written;

TEST_CASE("worked: interest buys best moves cheaply and later ones on top of earlier ones") {
    Written tree{StrategyKind::interest};
    tree.parameters.costs.per_cp = 0;
    tree.says("", "e4", 30);
    tree.says("", "a3", 28);
    tree.says("", "h3", -300);
    // Base 1000 / 20 = 50. e4: best, of the principal line, the engine's choice, and takes nothing:
    // 300 points, 80/300. a3: like e4 a pawn (0.9) and quiet (0.9): 40.5 points, on top of what e4
    // cost. h3: 50 · 0.9^4.
    const auto prices = tree.prices("", std::nullopt, true);
    REQUIRE(prices.known.size() == 3);
    const double e4 = 80.0 / 300;
    const double a3 = 80 / 40.5;
    const double h3 = 80 / (50 * 0.6561);
    CHECK(prices.known[0] == Approx(e4));
    CHECK(prices.known[1] == Approx(a3 + e4));
    CHECK(prices.known[2] == Approx(h3 + a3 + e4));
    CHECK(prices.unsearched == Approx(80.0 / 50 + h3 + a3 + e4));
}

TEST_CASE("worked: interest takes up what is interesting before what is better") {
    Written tree{StrategyKind::interest};
    tree.parameters.costs.per_cp = 0;
    tree.says("1. e4 d5", "e5", 30);
    tree.says("1. e4 d5", "a3", 20);
    tree.says("1. e4 d5", "exd5", 10);
    const auto prices = tree.prices("1. e4 d5");
    REQUIRE(prices.known.size() == 3);
    const auto position = tree.graph.position(tree.node("1. e4 d5"));
    const double base = 1000.0 / static_cast<double>(position.legal_moves().size());
    // e5 is best, the engine's choice, takes nothing, and moves the pawn that is attacked. exd5
    // takes, and what it takes attacks; it moves the same pawn (0.7). a3 comes last: two pawn
    // moves were tried, one of them quiet.
    const double e5 = 80 / (base + 100 + 50 + 50 + 50);
    const double exd5 = 80 / ((base + 50 + 50) * 0.7);
    const double a3 = 80 / (base * 0.9 * 0.9 * 0.9);
    CHECK(prices.known[0] == Approx(e5));
    CHECK(prices.known[2] == Approx(exd5 + e5));
    CHECK(prices.known[1] == Approx(a3 + exd5 + e5));
}

TEST_CASE("worked: interest knows what was best beside, and who gave check") {
    Written tree{StrategyKind::interest};
    tree.parameters.costs.per_cp = 0;
    tree.parameters.costs.carry = 0;
    const auto base = [&](const char* after) {
        return 1000.0 /
               static_cast<double>(tree.graph.position(tree.node(after)).legal_moves().size());
    };
    tree.says("", "e4", 30);
    tree.says("1. e4", "e6", -30);
    tree.says("1. e4", "c5", -31);
    tree.says("1. e4 e6", "a4", 30);
    tree.says("1. e4 c5", "Nc3", 31);
    tree.says("1. e4 c5", "a4", 20);
    // After 1… c5 the move that is best after 1… e6, and Nc3 the other way round.
    CHECK(tree.prices("1. e4 c5").known[1] == Approx(80 / ((base("1. e4 c5") + 50) * 0.9)));
    tree.says("1. e4 e6", "Nf3", 29);
    CHECK(tree.prices("1. e4 e6").known[1] == Approx(80 / (base("1. e4 e6") * 0.9)));
    tree.says("1. e4 e6", "Nc3", 28);
    const double likeness = 0.9 * 0.9 * 0.9; // a quiet move, and a quiet one of a knight
    CHECK(tree.prices("1. e4 e6").known[2] == Approx(80 / ((base("1. e4 e6") + 50) * 0.9)));
    CHECK(tree.prices("1. e4 e6").known[1] == Approx(80 / (base("1. e4 e6") * likeness)));
    // After 1… e6 elsewhere Nc3 is best: one's own first move differs. So it is both now.
    tree.says("", "d4", 20);
    tree.says("1. d4", "e6", -20);
    CHECK(tree.prices("1. e4 e6").known[2] == Approx(80 / ((base("1. e4 e6") + 50) * 0.9)));
    tree.says("1. d4 e6", "Nc3", 20);
    CHECK(tree.prices("1. e4 e6").known[2] == Approx(80 / ((base("1. e4 e6") + 100) * 0.9)));
    // Black's last move gave check.
    tree.says("", "f4", 0);
    tree.says("1. f4", "e5", 0);
    tree.says("1. f4 e5", "Nf3", 0);
    tree.says("1. f4 e5 2. Nf3", "Qh4+", 0);
    // At ply 5, three beyond the first level's two: 0.9³.
    const double before = tree.prices("1. f4 e5 2. Nf3 Qh4+ 3. g3").unsearched;
    tree.says("1. f4 e5 2. Nf3 Qh4+", "g3", 0);
    CHECK(before == Approx(80 / (base("1. f4 e5 2. Nf3 Qh4+ 3. g3") * 0.729)));
    CHECK(tree.prices("1. f4 e5 2. Nf3 Qh4+ 3. g3").unsearched ==
          Approx(80 / ((base("1. f4 e5 2. Nf3 Qh4+ 3. g3") + 50) * 0.729)));
}

TEST_CASE("worked: no number of moves like it makes a move cost more than the least interest") {
    Written tree{StrategyKind::interest};
    tree.parameters.costs.per_cp = 0;
    tree.parameters.costs.carry = 0;
    int cp = 0;
    for (const char* san : {"a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3", "a4", "b4", "c4", "d4",
                            "e4", "f4", "g4", "h4"}) {
        tree.says("", san, cp--);
    }
    const auto prices = tree.prices("");
    CHECK(prices.known[1] == Approx(80 / (50 * 0.81)));
    CHECK(prices.known[15] == 80 / 5);
    CHECK(*std::max_element(prices.known.begin(), prices.known.end()) == 80 / 5);
}

TEST_CASE("worked: interest fades beyond the level's own depth") {
    Written tree{StrategyKind::interest};
    tree.says("1. e4 e5 2. Nf3 Nc6", "Bb5", 30);
    analysis::Place place;
    place.node = tree.node("1. e4 e5 2. Nf3 Nc6");
    place.ply = 4;
    const auto price = [&](int level) {
        return analysis::Rule{tree.parameters, tree.graph, level}.prices(place, {}, 0).unsearched;
    };
    const double base =
        1000.0 / static_cast<double>(tree.graph.position(place.node).legal_moves().size());
    CHECK(price(1) == Approx(80 / (base * 0.81))); // 4 plies at most: 2 beyond the first 2
    CHECK(price(2) == Approx(80 / base));
}

TEST_CASE("worked: a dull move buys an early end from a single budget, not from two") {
    const auto grown = [](analysis::LevelBudget budget) {
        Written tree{StrategyKind::interest};
        tree.parameters.costs.per_cp = 0;
        tree.parameters.costs.carry = 0;
        tree.parameters.costs.step = 1.6;
        tree.parameters.level_budget = budget;
        tree.says("", "e4", 30);
        tree.says("", "a3", -300);
        tree.says("1. e4", "e5", -30);
        tree.says("1. e4", "a6", -300);
        tree.says("1. e4 e5", "Nf3", 10);
        tree.says("1. e4 e5", "a3", 9); // by the engine's first look; 2… Nf6 would tell
        tree.says("1. e4 e5", "h3", -300);
        tree.says("1. e4 e5 2. a3", "Nf6", -9);
        tree.says("1. e4 e5 2. a3", "a6", -300);
        return tree;
    };
    // e4 and e5 300 points, 0.267 each. After them 29 moves share 1000 points: Nf3 334 (it attacks
    // the undefended pawn), a3 34.5 · 0.9 = 31. Nf6, a ply beyond the first level's two, (34.5 +
    // 250) · 0.9 = 256. White pays for a3: 0.267 + 80/31 = 2.844. Black: 0.267, then 0.267 + 80/256
    // = 0.579.
    constexpr const char* dull = "1. e4 e5 2. a3";
    constexpr const char* reply = "1. e4 e5 2. a3 Nf6";
    // Single budget: (2.844 + 0.267) / 2 = 1.556 pays for the dull move at level 1, with 1.6, and
    // its price has used up what the reply needs: (2.844 + 0.579) / 2 = 1.712. The line ends with
    // White's move.
    Written single = grown(analysis::LevelBudget::joint);
    CHECK(single.visits(1, dull));
    CHECK_FALSE(single.visits(1, reply));
    // Two budgets: White can't afford the dull move at level 1; at level 2 White can, and Black's
    // budget has all that the reply needs.
    Written two = grown(analysis::LevelBudget::per_side);
    CHECK_FALSE(two.visits(1, dull));
    for (int level = 1; level <= 6; ++level) {
        CHECK(two.visits(level, dull) == two.visits(level, reply));
    }
    CHECK(two.visits(2, reply));
    // What the reply was hiding comes out.
    two.says(reply, "d3", -80);
    CHECK(two.graph.game_value(two.node(dull))->rank() == 80);
    CHECK(two.graph.game_value(two.node("1. e4 e5"))->rank() == 10);
}
