// What people say about positions outside the windows, and where a result is taken for proven.
#include "world.hpp"

#include "analysis/strategy.hpp"

using analysis::NodeId;
using analysis::testing::World;

namespace {

constexpr const char* far_line = "1. h4 a5 2. Rh3";

World world_of(const std::string& kind) {
    World world;
    world.parameters = analysis::default_parameters(kind);
    world.parameters.move_distance = 10;
    return world;
}

// As the server steers: the line is included.
NodeId deepen(World& world, const char* text, int plies) {
    const auto line = world.line(text);
    chess::Position position = world.root;
    for (const chess::Move move : line) {
        world.directives[world.graph.intern(position)].included.push_back(move);
        position.play(move);
    }
    const NodeId node = world.graph.intern(position);
    world.directives[node].deepen = plies;
    world.directives[node].line = line;
    return node;
}

std::set<std::pair<std::string, std::vector<chess::Move>>> questions(const World& world) {
    std::set<std::pair<std::string, std::vector<chess::Move>>> all;
    for (const analysis::PlannedQuestion& question : world.asked) {
        all.emplace(world.graph.position(question.node).engine_fen(), question.excluded);
    }
    return all;
}

} // namespace

TEST_CASE("directives: deepen outside every window grows the position as a root of so many plies") {
    for (const std::string& kind : analysis::strategy_names()) {
        INFO(kind);
        World plain = world_of(kind);
        plain.grow(1);
        CHECK_FALSE(plain.graph.expanded(plain.node(far_line)));
        World deep = world_of(kind);
        const NodeId far = deepen(deep, far_line, 2);
        deep.grow(1);
        CHECK(deep.plan(1).settled());
        REQUIRE(deep.graph.expanded(far));
        const auto moves = deep.graph.moves(far);
        std::size_t best = 0;
        for (std::size_t i = 1; i < moves.size(); ++i) {
            best =
                deep.graph.game_value_of(far, i).rank() > deep.graph.game_value_of(far, best).rank()
                    ? i
                    : best;
        }
        CHECK(deep.graph.expanded(moves[best].target));
        // All that the position alone would have been asked as a root. (Where costs are summed, the
        // values that the level itself finds below change what is asked next.)
        if (analysis::strategy_of(kind).windowed() &&
            !analysis::strategy_of(kind).has_anchor()) { // that grows its root
            World alone = world_of(kind);
            alone.root = deep.graph.position(far);
            alone.graph.add_root(alone.root_node());
            alone.grow(2);
            const auto asked = questions(deep);
            for (const auto& question : questions(alone)) {
                INFO(question.first << " without " << question.second.size() << " moves");
                CHECK(asked.contains(question));
            }
        }
        // The line to it is scored, so that its value counts at the root.
        chess::Position position = deep.root;
        for (const chess::Move move : deep.line(far_line)) {
            CHECK(deep.knows(deep.graph.intern(position), move));
            position.play(move);
        }
        for (const analysis::PlannedQuestion& question : deep.asked) {
            chess::Position end = deep.root;
            for (const chess::Move move : question.line) {
                REQUIRE(end.is_legal(move));
                end.play(move);
            }
            CHECK(end.packed() == deep.graph.position(question.node).packed());
        }
    }
}

TEST_CASE(
    "directives: of many positions that are waited for, the unknown ones are asked about first") {
    World world;
    world.grow(1);
    std::vector<NodeId> waiting{world.root_node()};
    for (const char* line : {"1. h4", "1. h4 a5", "1. h4 a5 2. Rh3", "1. h4 a5 2. Rh3 b6"}) {
        waiting.push_back(world.node(line));
    }
    for (const NodeId node : waiting) {
        world.directives[node].now = true;
    }
    world.most_questions = 3;
    const auto plan = world.plan(1);
    CHECK_FALSE(plan.complete);
    REQUIRE(plan.questions.size() == 3);
    for (const analysis::PlannedQuestion& question : plan.questions) {
        CHECK(question.urgent);
        CHECK(question.kind == analysis::QuestionKind::first);
        CHECK(question.node != world.root_node());
    }
    for (const NodeId node : waiting) {
        CHECK(std::binary_search(plan.visited.begin(), plan.visited.end(), node));
    }
    world.grow(1);
    CHECK(world.plan(1).settled());
    CHECK(std::ranges::all_of(waiting, [&](NodeId node) { return world.graph.expanded(node); }));
}

TEST_CASE("directives: what is deepened comes first, each question once, after what is urgent") {
    World world;
    world.grow(1);
    const NodeId far = deepen(world, far_line, 3);
    const NodeId waiting = world.node("1. a3 a6");
    world.directives[waiting].now = true;
    world.directives[waiting].line = world.line("1. a3 a6");
    auto plan = world.plan(3);
    REQUIRE(plan.questions.size() > 3);
    CHECK(plan.questions[0].node == waiting);
    CHECK(plan.questions[0].line == world.line("1. a3 a6"));
    const auto at = [&](NodeId node) {
        return std::find_if(plan.questions.begin(), plan.questions.end(),
                            [&](const auto& question) { return question.node == node; });
    };
    const auto first_other = std::find_if(
        plan.questions.begin(), plan.questions.end(),
        [&](const analysis::PlannedQuestion& question) {
            const auto line = world.line(far_line);
            return !question.urgent &&
                   (question.line.size() > line.size() ||
                    !std::equal(question.line.begin(), question.line.end(), line.begin()));
        });
    REQUIRE(at(far) != plan.questions.end());
    CHECK(at(far) < first_other);
    world.most_questions = 2;
    CHECK(world.plan(3).questions.size() == 2);
    CHECK_FALSE(world.plan(3).complete);
    world.most_questions = 64;
    world.grow(3);
    std::set<std::pair<NodeId, std::vector<chess::Move>>> all;
    for (const analysis::PlannedQuestion& question : world.asked) {
        CHECK(all.emplace(question.node, question.excluded).second);
    }
    CHECK(world.plan(3).settled());
}

TEST_CASE("directives: an included move is asked where the result is taken for proven") {
    for (const std::string& kind : analysis::strategy_names()) {
        INFO(kind);
        World world = world_of(kind);
        const chess::Move e4 = *chess::parse_uci(world.root, "e2e4");
        const NodeId lost = world.node("1. e4");
        const chess::Position there = world.graph.position(lost);
        const auto fact = [&](const chess::Position& position, const char* move,
                              chess::Score score) {
            analysis::Evaluation result;
            result.id = analysis::EvaluationId{world.next_id++};
            result.question = {position.packed(), analysis::testing::engine_id, world.limit, {}};
            result.move = *chess::parse_uci(position, move);
            result.score = score;
            world.graph.apply(result);
        };
        fact(world.root, "e2e4", chess::Score::cp(30));
        fact(there, "f7f6", chess::Score::mated_in(4));
        REQUIRE(world.graph.game_value(lost)->is_loss());
        world.directives[world.root_node()].included = {e4};
        const chess::Move named = *chess::parse_uci(there, "e7e5");
        if (analysis::testing::compares(kind)) { // else all defences are asked for
            world.grow(2);
            CHECK_FALSE(world.knows(lost, named));
        }
        world.directives[lost].included = {named};
        world.grow(2);
        CHECK(world.knows(lost, named));
    }
}

TEST_CASE(
    "directives: what nobody could answer where people deepen keeps the level from settling") {
    World world = world_of("halving");
    const NodeId far = deepen(world, far_line, 2);
    world.grow(1);
    REQUIRE(world.plan(1).settled());
    // The last question there has no answer instead.
    const auto last = std::find_if(
        world.asked.rbegin(), world.asked.rend(),
        [&](const analysis::PlannedQuestion& question) { return question.node == far; });
    REQUIRE(last != world.asked.rend());
    REQUIRE_FALSE(last->excluded.empty());
    World again = world_of("halving");
    deepen(again, far_line, 2);
    for (const auto& fact : world.answered) {
        if (fact.question.excluded != last->excluded ||
            fact.question.position != world.graph.position(far).packed()) {
            again.graph.apply(fact);
        }
    }
    const auto plan = analysis::make_plan(
        {again.graph, again.root_node(), again.limit, again.parameters, 1, again.directives,
         [&](NodeId node, const analysis::Limit&, const std::vector<chess::Move>& excluded) {
             return node == again.node(far_line) && excluded == last->excluded
                        ? analysis::QuestionState::failed
                        : analysis::QuestionState::open;
         }});
    CHECK(plan.unanswered);
    CHECK_FALSE(plan.settled());
}

TEST_CASE("directives: what is deepened behind an excluded move is no part of the game") {
    for (const std::string kind : {"halving", "dropout"}) {
        World world = world_of(kind);
        const NodeId far = deepen(world, far_line, 2);
        const auto asks_there = [&] {
            const auto plan = world.plan(1);
            return std::any_of(
                plan.questions.begin(), plan.questions.end(),
                [&](const analysis::PlannedQuestion& question) { return question.node == far; });
        };
        CHECK(asks_there());
        auto& at_root = world.directives[world.root_node()];
        at_root.excluded = std::exchange(at_root.included, {});
        CHECK_FALSE(asks_there());
    }
}
