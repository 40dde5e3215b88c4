// What holds for every strategy: it comes to an end, it asks nothing twice, it depends on nothing
// but the facts, and nothing inside the move distance is left out near the root.
#include "world.hpp"

#include "model.hpp"

using analysis::NodeId;
using analysis::testing::World;

namespace {

World world_of(const std::string& kind, int distance = 20) {
    World world;
    world.parameters = analysis::default_parameters(kind);
    world.parameters.move_distance = distance;
    analysis::testing::make_dearer(world.parameters, 2);
    return world;
}

std::vector<std::string> fens(const World& world, const std::vector<NodeId>& nodes) {
    std::vector<std::string> result;
    for (const NodeId node : nodes) {
        result.push_back(world.graph.position(node).engine_fen());
    }
    std::sort(result.begin(), result.end());
    return result;
}

struct AskedText {
    std::string fen;
    std::vector<chess::Move> line;
    std::vector<chess::Move> excluded;

    friend bool operator==(const AskedText&, const AskedText&) = default;
};

std::vector<AskedText> tasks_of(const World& world, const analysis::Plan& plan) {
    std::vector<AskedText> result;
    for (const analysis::PlannedQuestion& question : plan.questions) {
        result.push_back(
            {world.graph.position(question.node).engine_fen(), question.line, question.excluded});
    }
    return result;
}

} // namespace

TEST_CASE("strategies: every level settles, and stays settled; no question is asked twice") {
    struct Row {
        std::string fen;
        int distance, noise;
    };
    // The start; what goes round for ever; transpositions.
    const std::vector<Row> rows{
        {chess::Position::initial().fen(), 10, 0},
        {"4k3/r7/8/8/8/8/7R/4K3 w - - 0 1", 6, 12},
        {"r3k2r/pppq1ppp/2np1n2/4p3/4P3/2NP1N2/PPPQ1PPP/R3K2R w KQkq - 0 1", 6, 12}};
    const auto grown = [](const std::string& kind, const Row& row) {
        INFO(kind << " " << row.fen);
        World world = world_of(kind, row.distance);
        world.noise = row.noise;
        world.root = *chess::Position::from_fen(row.fen);
        for (int level = 1; level <= 3; ++level) {
            world.grow(level);
            CHECK(world.plan(level).settled());
        }
        CHECK(world.graph.verify().empty());
        return world;
    };
    for (const std::string& kind : analysis::strategy_names()) {
        grown(kind, rows[1]);
        grown(kind, rows[2]);
        World world = grown(kind, rows[0]);
        INFO(kind);
        std::set<std::tuple<NodeId, std::uint64_t, std::vector<chess::Move>>> questions;
        for (const analysis::PlannedQuestion& question : world.asked) {
            CHECK(
                questions.emplace(question.node, question.limit.amount, question.excluded).second);
            CHECK(std::is_sorted(question.excluded.begin(), question.excluded.end()));
            chess::Position position = world.root;
            for (const chess::Move move : question.line) {
                REQUIRE(position.is_legal(move));
                position.play(move);
            }
            CHECK(world.graph.intern(position) == question.node);
        }
        CHECK(world.asked.size() > 10);
    }
}

TEST_CASE("strategies: nothing inside the move distance is left out at plies 0 and 1") {
    for (const std::string& kind : analysis::strategy_names()) {
        if (kind == "conspiracy" || !analysis::testing::compares(kind)) {
            continue; // it looks at what is doubted
        }
        INFO(kind);
        World world = world_of(kind, 25);
        world.grow(3);
        const NodeId root = world.root_node();
        const auto near = [&](NodeId node) {
            std::vector<NodeId> result;
            const chess::Position position = world.graph.position(node);
            const int best = world.graph.game_value(node)->rank();
            const auto moves = world.graph.moves(node);
            for (const chess::Move move : position.legal_moves()) {
                if (!world.knows(node, move)) {
                    CHECK(world.opinion(position, move).rank() < best - 25);
                }
            }
            for (std::size_t i = 0; i < moves.size(); ++i) {
                if (world.graph.game_value_of(node, i).rank() >= best - 25) {
                    result.push_back(moves[i].target);
                }
            }
            return result;
        };
        const auto replies = near(root);
        CHECK(replies.size() >= 2);
        CHECK(world.plan(3).followed.size() >= replies.size());
        for (const NodeId reply : replies) {
            REQUIRE(world.graph.expanded(reply));
            for (const NodeId next : near(reply)) {
                CHECK((world.graph.expanded(next) || world.graph.exact(next)));
            }
        }
    }
}

TEST_CASE("strategies: the plan is a function of the facts, in whatever order they came") {
    model::Random random{20240701};
    for (const std::string& kind : analysis::strategy_names()) {
        INFO(kind);
        World grown = world_of(kind, 25);
        grown.noise = 10;
        grown.grow(3);
        // Some of the answers are still to come.
        auto known = grown.answered;
        facts::shuffle(random, known);
        known.resize(known.size() * 3 / 4);
        World first = world_of(kind, 25);
        for (const auto& fact : known) {
            first.graph.apply(fact);
        }
        const auto expected = first.plan(3);
        CHECK_FALSE(expected.settled());
        CHECK(tasks_of(first, first.plan(3)) == tasks_of(first, expected));
        for (int order = 0; order < 2; ++order) {
            facts::shuffle(random, known);
            World other = world_of(kind, 25);
            for (const auto& fact : known) {
                other.graph.apply(fact);
            }
            const auto plan = other.plan(3);
            CHECK(tasks_of(other, plan) == tasks_of(first, expected));
            CHECK(fens(other, plan.visited) == fens(first, expected.visited));
        }
    }
}

TEST_CASE("strategies: on the same facts a higher level needs all that a lower one needs") {
    // Pawns only: no line meets itself. Halving cuts by the rest of the tree, so not of it.
    for (const std::string kind : {"dropout", "uniform"}) {
        INFO(kind);
        World world = world_of(kind, 30);
        world.root = *chess::Position::from_fen("4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1");
        world.grow(3);
        std::vector<NodeId> lower;
        for (int level = 1; level <= 4; ++level) {
            const auto plan = world.plan(level);
            CHECK(std::includes(plan.visited.begin(), plan.visited.end(), lower.begin(),
                                lower.end()));
            CHECK(plan.visited.size() >= lower.size());
            lower = plan.visited;
        }
    }
}

TEST_CASE("strategies: a plan is bounded, and begins with the most needed") {
    for (const std::string& kind : analysis::strategy_names()) {
        INFO(kind);
        World world = world_of(kind, 30);
        world.grow(2);
        world.most_questions = 1'000'000;
        const auto all = tasks_of(world, world.plan(4));
        world.most_questions = 3;
        const auto some = world.plan(4);
        REQUIRE(all.size() > 3);
        REQUIRE(some.questions.size() == 3);
        CHECK_FALSE(some.complete);
        CHECK(tasks_of(world, some) == std::vector<AskedText>(all.begin(), all.begin() + 3));
    }
}

TEST_CASE("strategies: siblings judged by limits more than four times apart are judged again") {
    for (const std::string& kind : analysis::strategy_names()) {
        if (analysis::strategy_of(kind).has_anchor() || !analysis::testing::compares(kind)) {
            continue; // its limits are meant to differ
        }
        INFO(kind);
        World world = world_of(kind, 30);
        world.limit = {analysis::Limit::Kind::nodes, 1'000};
        const auto nodes = [](std::uint64_t amount) {
            return analysis::Limit{analysis::Limit::Kind::nodes, amount};
        };
        const chess::Move e4 = facts::move(world.root, "e4");
        world.tell("", "e4", chess::Score::cp(30), nodes(1'000));
        world.tell("", "d4", chess::Score::cp(28), nodes(5'000), {"e4"});
        world.tell("", "c4", chess::Score::cp(-200), nodes(1'000), {"d4", "e4"});
        // As leaves of the first level, where they are not grown.
        analysis::testing::make_dearer(world.parameters, 4);
        const auto plan = world.plan(1);
        const auto redo =
            std::find_if(plan.questions.begin(), plan.questions.end(),
                         [&](const auto& t) { return t.kind == analysis::QuestionKind::redo; });
        REQUIRE(redo != plan.questions.end());
        CHECK(redo->limit == nodes(5'000));
        CHECK(redo->excluded.size() == 19);
        CHECK(std::find(redo->excluded.begin(), redo->excluded.end(), e4) == redo->excluded.end());
        auto fact =
            facts::fact(world.next_id++, world.root, e4, chess::Score::cp(26), 1, redo->excluded);
        fact.question.limit = redo->limit;
        world.graph.apply(fact);
        for (const analysis::PlannedQuestion& question : world.plan(1).questions) {
            CHECK(question.kind != analysis::QuestionKind::redo);
        }
    }
}

TEST_CASE("strategies: people steer all of them") {
    for (const std::string& kind : analysis::strategy_names()) {
        INFO(kind);
        World narrow = world_of(kind, 5);
        narrow.grow(1);
        const NodeId root = narrow.root_node();
        std::vector<chess::Move> others;
        for (const chess::Move move : narrow.root.legal_moves()) {
            if (!narrow.knows(root, move)) {
                others.push_back(move);
            }
        }
        REQUIRE(others.size() > 3);
        World plain = world_of(kind, 5);
        plain.grow(2);
        const chess::Move best = plain.plan(2).followed.front();

        World without = world_of(kind, 5);
        without.directives[root].excluded = {best};
        without.grow(2);
        CHECK_FALSE(without.knows(root, best));

        World with = world_of(kind, 5);
        with.directives[root].included = {others.front()};
        with.grow(2);
        CHECK(with.graph.expanded(with.graph.intern(with.root.after(others.front()))));

        World waiting = world_of(kind, 5);
        waiting.grow(1);
        const NodeId far = waiting.node("1. h4 a5 2. Rh3 b6 3. g4");
        waiting.directives[far].now = true;
        const auto plan = waiting.plan(1);
        REQUIRE_FALSE(plan.questions.empty());
        CHECK(plan.questions.front().node == far);
        CHECK(plan.questions.front().urgent);

        World deep = world_of(kind, 5);
        deep.directives[root].deepen = 2;
        deep.grow(2);
        CHECK(deep.expanded() > plain.expanded());

        // Seeds are scored, and the engine proposes as many moves as without them.
        World seeded = world_of(kind, 5);
        seeded.seeds[root] = others;
        seeded.grow(1);
        std::size_t seeds = 0;
        for (const analysis::PlannedQuestion& question : seeded.asked) {
            seeds += question.node == root && question.kind == analysis::QuestionKind::seed ? 1 : 0;
        }
        CHECK(seeds > 3);
        World unseeded = world_of(kind, 5);
        unseeded.grow(1);
        const auto proposals = [&](const World& world) {
            return std::count_if(world.asked.begin(), world.asked.end(), [&](const auto& question) {
                return question.node == root && question.kind != analysis::QuestionKind::seed;
            });
        };
        if (analysis::testing::compares(kind)) { // else a known move is a known move
            CHECK(proposals(seeded) == proposals(unseeded));
        }
    }
}
