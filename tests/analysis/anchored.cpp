// Strategy `anchored`: the long search at the root, what is searched beside it, and the answer.
#include "analysis/root_answer.hpp"

#include "scripted.hpp"

using analysis::Limit;
using analysis::NodeId;
using analysis::PlannedQuestion;
using analysis::QuestionKind;
using analysis::testing::Scripted;
using analysis::testing::World;
using chess::Score;

namespace {

constexpr Limit thousand{Limit::Kind::nodes, 1'000};

World world_of(int noise, double court = 0) {
    World world;
    world.parameters = analysis::default_parameters("anchored");
    world.parameters.own = {court};
    world.parameters.move_distance = 15;
    world.limit = thousand;
    world.noise = noise;
    return world;
}

// Of the root with all its moves to choose from, and larger than any candidate's.
bool is_anchor(const PlannedQuestion& question, NodeId root) {
    return question.node == root && question.kind == QuestionKind::first &&
           question.limit.amount >= 8'000;
}

std::optional<chess::Move> answer(World& world, int level) {
    const auto plan = world.plan(level);
    const auto result =
        analysis::anchored_answer(world.graph, world.root_node(), plan.followed, world.limit);
    return result ? std::optional{result->move} : std::nullopt;
}

} // namespace

TEST_CASE("anchored: limits double, whatever they are counted in") {
    CHECK(analysis::anchor_limit(thousand, 0) == Limit{Limit::Kind::nodes, 8'000});
    CHECK(analysis::anchor_limit(thousand, 3) == Limit{Limit::Kind::nodes, 64'000});
    CHECK(analysis::candidate_limit(thousand, 1) == thousand);
    CHECK(analysis::candidate_limit(thousand, 4) == Limit{Limit::Kind::nodes, 8'000});
    for (const Limit& limit : {Limit{Limit::Kind::depth, 12}, Limit{Limit::Kind::movetime, 200}}) {
        for (int step = 1; step <= analysis::last_anchor; ++step) {
            const double more = analysis::effort(analysis::anchor_limit(limit, step)) -
                                analysis::effort(analysis::anchor_limit(limit, 0));
            CHECK(more > step - 0.6); // a depth is 0.6 of a doubling
            CHECK(more < step + 0.6);
        }
    }
}

TEST_CASE(
    "anchored: half of all nodes are the long search's, which at least doubles level by level") {
    for (const int noise : {0, 25}) {
        World world = world_of(noise);
        world.most_questions = 1; // nothing is asked ahead
        const NodeId root = world.root_node();
        std::uint64_t anchors = 0;
        std::uint64_t others = 0;
        std::size_t seen = 0;
        for (int level = 1; level <= 4; ++level) {
            world.grow(level);
            for (; seen < world.asked.size(); ++seen) {
                (is_anchor(world.asked[seen], root) ? anchors : others) +=
                    world.asked[seen].limit.amount;
            }
            INFO("level " << level << ": " << anchors << " and " << others);
            // What is no longer part of the tree, or has been searched again, is not counted.
            CHECK(static_cast<double>(anchors) >= 0.9 * static_cast<double>(others));
            const auto anchor = analysis::anchor_of(world.graph, root, thousand);
            REQUIRE(anchor);
            CHECK(anchor->step >= level - 1);
        }
        CHECK(others > 50'000);
    }
}

TEST_CASE("anchored: what is settled stays settled, also for a program that is started again") {
    for (const int noise : {0, 25}) {
        World world = world_of(noise, 0.25);
        for (int level = 1; level <= 4; ++level) {
            world.grow(level);
        }
        World again = world_of(noise, 0.25);
        for (const auto& fact : world.answered) {
            again.graph.apply(fact);
        }
        for (int level = 1; level <= 4; ++level) {
            INFO("level " << level);
            CHECK(again.plan(level).settled());
        }
        REQUIRE(answer(again, 4));
        CHECK(answer(again, 4) == answer(world, 4));
    }
}

TEST_CASE("anchored: one question at a time, the plan does not end before the level is settled") {
    World world = world_of(25, 0.25);
    world.most_questions = 1;
    for (int level = 1; level <= 3; ++level) {
        world.grow(level);
        world.most_questions = 1'000;
        CHECK(world.plan(level).settled());
        world.most_questions = 1;
    }
}

TEST_CASE("anchored: root moves are compared by words of like searches") {
    // All that was searched below has fallen by 40 cp: halving looks for other moves, 35 cp behind.
    const auto alternatives = [](const std::string& kind) {
        Scripted tree{kind};
        tree.parameters.own.assign(tree.parameters.own.size(), 0); // no court asks for more
        tree.limit = thousand;
        tree.says("", {{"e4", 30}, {"d4", 24}, {"c4", -5}, {"Nf3", -6}, {"a3", -100}});
        tree.says("1. e4", {{"e5", 10}, {"a6", -300}});
        tree.says("1. d4", {{"d5", 16}, {"a6", -300}});
        tree.settle(1);
        tree.settle(2);
        return std::pair{tree.was_asked("", {"e4", "d4"}), tree.was_asked("", {"e4", "d4", "c4"})};
    };
    CHECK(alternatives("anchored") == std::pair{true, false});
    CHECK(alternatives("halving") == std::pair{true, true});
}

TEST_CASE("anchored: without a long search the tree's best move is the answer") {
    World world = world_of(0);
    world.tell("", "e4", Score::cp(30), {Limit::Kind::nodes, 4'000}); // half an anchor
    world.tell("", "d4", Score::cp(35), {Limit::Kind::nodes, 1'000}, {"e4"});
    CHECK_FALSE(analysis::anchor_of(world.graph, world.root_node(), thousand));
    const auto best = analysis::anchored_answer(world.graph, world.root_node(), {}, thousand);
    REQUIRE(best);
    CHECK(chess::to_san(world.root, best->move) == "d4");
    // Nor is a large search of some of the moves one, unless the others had one, too.
    world.tell("", "c4", Score::cp(10), {Limit::Kind::nodes, 16'000}, {"d4", "e4"});
    CHECK_FALSE(analysis::anchor_of(world.graph, world.root_node(), thousand));
    world.tell("", "e4", Score::cp(20), {Limit::Kind::nodes, 16'000});
    const auto anchor = analysis::anchor_of(world.graph, world.root_node(), thousand);
    REQUIRE(anchor);
    CHECK(anchor->step == 1);
    CHECK(chess::to_san(world.root, anchor->move) == "e4");
}

TEST_CASE("anchored: an excluded move is never the long search's") {
    World world = world_of(0);
    world.grow(2);
    const NodeId root = world.root_node();
    const auto before = analysis::anchor_of(world.graph, root, thousand);
    REQUIRE(before);
    world.directives[root].excluded = {before->move};
    CHECK_FALSE(world.plan(2).settled());
    const std::size_t asked = world.asked.size();
    world.grow(2);
    bool anchored = false;
    for (std::size_t i = asked; i < world.asked.size(); ++i) {
        const PlannedQuestion& question = world.asked[i];
        anchored |= is_anchor(question, root);
        CHECK((question.node != root || std::binary_search(question.excluded.begin(),
                                                           question.excluded.end(), before->move)));
    }
    CHECK(anchored);
    const auto after =
        analysis::anchor_of(world.graph, root, thousand, world.directives[root].excluded);
    REQUIRE(after);
    CHECK(after->move != before->move);
    const auto best = analysis::anchored_answer(world.graph, root, world.plan(2).followed, thousand,
                                                world.directives[root].excluded);
    REQUIRE(best);
    CHECK(best->move != before->move);
}

// Grows with a budget, one question at a time. Returns the questions in order.
std::vector<PlannedQuestion> spend(World& world, std::uint64_t budget) {
    std::vector<PlannedQuestion> asked;
    std::uint64_t spent = 0;
    for (int level = 1; spent < budget && level < 20;) {
        const analysis::Plan plan =
            analysis::make_plan({world.graph,
                                 world.root_node(),
                                 world.limit,
                                 world.parameters,
                                 level,
                                 world.directives,
                                 [](NodeId, const Limit&, const std::vector<chess::Move>&) {
                                     return analysis::QuestionState::open;
                                 },
                                 1,
                                 nullptr,
                                 {},
                                 budget - spent});
        if (plan.questions.empty()) {
            ++level;
            continue;
        }
        asked.push_back(plan.questions.front());
        spent += asked.back().limit.amount;
        const PlannedQuestion& question = asked.back();
        world.graph.apply(world.answer(question.node, question.limit, question.excluded));
    }
    return asked;
}

TEST_CASE("anchored: the last long search takes what the budget leaves, and is the largest") {
    for (const std::uint64_t budget : {9'000, 40'000, 64'000, 100'000, 150'000, 256'000, 999'000}) {
        INFO("budget " << budget);
        World world = world_of(25);
        const NodeId root = world.root_node();
        std::uint64_t all = 0;
        std::uint64_t last = 0;
        std::uint64_t anchors = 0;
        for (const PlannedQuestion& question : spend(world, budget)) {
            all += question.limit.amount;
            if (is_anchor(question, root)) {
                CHECK(question.limit.amount >= 2 * last);
                last = question.limit.amount;
                anchors += last;
            }
        }
        CHECK(all <= budget + 1'000); // exact to one small question
        CHECK(all > budget - 1'000);
        CHECK(10 * anchors >= 6 * all);
        CHECK(4 * last >= all); // one search that is long compared with everything
        const auto anchor = analysis::anchor_of(world.graph, root, thousand);
        REQUIRE(anchor);
        CHECK(analysis::anchor_limit(thousand, anchor->step).amount <= last);
        CHECK(2 * analysis::anchor_limit(thousand, anchor->step).amount > last);
    }
    // What cannot pay for any is spent on the tree.
    World poor = world_of(25);
    for (const PlannedQuestion& question : spend(poor, 7'000)) {
        CHECK_FALSE(is_anchor(question, poor.root_node()));
    }
}

TEST_CASE("anchored: while a level has not all its words, the level before tells what to ask") {
    World world = world_of(0);
    world.grow(1);
    const NodeId root = world.root_node();
    const auto plan = world.plan(2);
    std::size_t alternatives = 0; // of level 2, before a single word of it is known
    std::size_t replies = 0;
    for (const PlannedQuestion& question : plan.questions) {
        const bool larger = question.limit == analysis::candidate_limit(thousand, 2);
        alternatives +=
            larger && question.node == root && question.kind == QuestionKind::alternative ? 1 : 0;
        replies += larger && question.line.size() == 1 ? 1 : 0;
    }
    CHECK(alternatives >= 1);
    CHECK(replies >= 2);
    CHECK(alternatives <= replies); // each without one more of the moves inside
}

TEST_CASE("anchored: one long search is out at a time, the others have work meanwhile") {
    World world = world_of(25);
    world.grow(1);
    const NodeId root = world.root_node();
    const int known = analysis::anchor_of(world.graph, root, thousand)->step;
    const Limit next = analysis::anchor_limit(thousand, known + 1);
    for (const int level : {known + 2, known + 3}) { // of the next step, and the one after
        const analysis::Plan plan = analysis::make_plan(
            {world.graph, root, world.limit, world.parameters, level, world.directives,
             [&](NodeId node, const Limit& limit, const std::vector<chess::Move>&) {
                 return node == root && limit == next ? analysis::QuestionState::pending
                                                      : analysis::QuestionState::open;
             },
             1'000});
        CHECK(plan.pending >= 1);
        REQUIRE_FALSE(plan.questions.empty());
        CHECK(plan.questions.front().node != root); // what needs the long search's hash can wait
        for (const PlannedQuestion& question : plan.questions) {
            CHECK_FALSE(is_anchor(question, root));
        }
    }
}
