// Small trees whose plans were computed by hand: those of docs/internals/strategies.md.
#include "world.hpp"

#include "facts.hpp"
#include "growth/rule.hpp"

#include <string>

using namespace adjourn;
using analysis::NodeId;
using analysis::StrategyKind;
using analysis::TaskKind;
using analysis::testing::World;

namespace {

// A tree whose facts are written down.
struct Written : World {
    explicit Written(StrategyKind kind) {
        parameters = analysis::default_parameters(kind);
        parameters.move_distance = 5;
        limit = {analysis::Limit::Kind::depth, 10};
    }

    // The engine's answer after a line: its best move outside those it has named there.
    void says(const char* after, const char* san, int cp) {
        chess::Position position = root;
        for (const chess::Move move : line(after)) {
            position.play(move);
        }
        std::vector<chess::Move> named;
        for (const auto& move : graph.moves(graph.intern(position))) {
            named.push_back(move.move);
        }
        std::sort(named.begin(), named.end());
        graph.apply(facts::fact(next_id++, position, facts::move(position, san),
                                chess::Score::cp(cp), 10, named));
    }

    bool visits(int level, const char* after) {
        const auto nodes = plan(level).visited;
        return std::binary_search(nodes.begin(), nodes.end(), node(after));
    }

    // "e4 e5: first", … in order of need.
    std::vector<std::string> asks(int level) {
        std::vector<std::string> result;
        for (const analysis::Task& task : plan(level).tasks) {
            std::string text;
            chess::Position position = root;
            for (const chess::Move move : task.line) {
                text += chess::to_san(position, move) + " ";
                position.play(move);
            }
            result.push_back(text + (task.kind == TaskKind::first         ? "first"
                                     : task.kind == TaskKind::alternative ? "alternative"
                                                                          : "redo"));
        }
        return result;
    }

    analysis::Prices prices(const char* after, std::optional<int> predicted = std::nullopt,
                            bool principal = false) {
        const auto moves = line(after);
        analysis::Place place;
        place.node = node(after);
        place.ply = static_cast<int>(moves.size());
        place.mover = graph.position(place.node).turn();
        place.principal = principal;
        place.predicted = predicted;
        const analysis::PlanRequest request{graph, root_node(), limit, parameters, 1, steering, {}};
        const auto candidates = analysis::candidates_of(request, place.node, nullptr, {});
        const auto rest = graph.rest_bound(place.node, analysis::effort(limit));
        return analysis::Rule{parameters, graph, 1}.prices(
            place, candidates, rest ? candidates.front().value - rest->rank() : 0);
    }
};

using Lines = std::vector<std::string>;

} // namespace

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
    tree.steering[tree.root_node()].deepen = 1;
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
