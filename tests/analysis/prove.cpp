// Strategy `prove`: all defences, repetitions, transpositions, and when it has nothing more to ask.
#include "analysis/proof.hpp"
#include "base/text.hpp"
#include "scripted.hpp"

using analysis::NodeId;
using analysis::Proven;
using analysis::testing::Scripted;
using chess::Score;

namespace {

// 1. Kc7 threatens Ra1#, and so it comes after each of three answers.
constexpr const char* mate_in_two = "k7/7p/2K5/8/8/8/8/1R6 w - - 0 1";

Scripted on(const char* fen) {
    Scripted tree{"prove"};
    tree.root = *chess::Position::from_fen(fen);
    tree.graph.add_root(tree.root_node());
    tree.most_questions = 1;
    return tree;
}

Scripted mating() {
    Scripted tree = on(mate_in_two);
    tree.says("", {{"Kc7", 900}, {"Kb6", 800}});
    tree.says("1. Kc7", {{"Ka7", -900}, {"h6", -950}, {"h5", -960}});
    for (const char* line : {"1. Kc7 Ka7", "1. Kc7 h6", "1. Kc7 h5"}) {
        tree.says(line, {{"Ra1#", Score::mate_in(1)}});
    }
    return tree;
}

// By the rules alone, whatever the engine says: White has a move known after which all legal
// answers are known and lose.
bool shown(Scripted& tree, NodeId node) {
    if (const auto exact = tree.graph.exact(node)) {
        return tree.graph.position(node).turn() == chess::Color::black && exact->is_loss();
    }
    const auto moves = tree.graph.moves(node);
    const auto below = [&](const analysis::GraphMove& move) { return shown(tree, move.target); };
    return tree.graph.position(node).turn() == chess::Color::white
               ? std::ranges::any_of(moves, below)
               : moves.size() == tree.graph.position(node).legal_moves().size() &&
                     std::ranges::all_of(moves, below);
}

// Positions where each move is the only one but for those that `open` names.
Scripted circle(std::vector<std::pair<const char*, const char*>> open) {
    Scripted tree{"prove"};
    tree.most_questions = 1;
    const std::vector<std::pair<const char*, const char*>> moves{
        {"", "Nf3"}, {"1. Nf3", "Nf6"}, {"1. Nf3 Nf6", "Ng1"}, {"1. Nf3 Nf6 2. Ng1", "Ng8"}};
    for (const auto& [after, san] : moves) {
        const NodeId node = tree.node(after);
        const chess::Position position = tree.graph.position(node);
        const chess::Move move = facts::move(position, san);
        auto& excluded = tree.directives[node].excluded;
        for (const chess::Move other : position.legal_moves()) {
            const bool is_open = std::ranges::any_of(open, [&](const auto& named) {
                return tree.node(named.first) == node &&
                       facts::move(position, named.second) == other;
            });
            if (other != move && !is_open) {
                excluded.push_back(other);
            }
        }
        std::ranges::sort(excluded);
        tree.graph.apply(facts::fact(tree.next_id++, position, move, Score::cp(0), 10, excluded));
    }
    return tree;
}

void prove(Scripted& tree, double side, double draw) {
    tree.parameters.own = {side, draw};
}

} // namespace

TEST_CASE("prove: a mate is shown with all defences, and then nothing more is asked") {
    Scripted tree = mating();
    const NodeId root = tree.root_node();
    std::size_t asked = 0;
    for (auto now = tree.plan(1); !now.settled(); now = tree.plan(1)) {
        REQUIRE(asked++ < 100);
        CHECK_FALSE(shown(tree, root));
        tree.answer_all(now);
    }
    CHECK(shown(tree, root));
    CHECK(tree.graph.game_value(root) == Score::mate_in(3));
    CHECK(analysis::Proof{tree.graph}.of(root) == Proven::won);
    CHECK(tree.was_asked("1. Kc7", {"Ka7", "h6"}));
    CHECK(asked == 7); // the root, three defences, an answer to each
    CHECK(tree.plan(9).settled());
}

TEST_CASE("prove: the engine's word on a mate is followed, and is no proof") {
    Scripted tree = mating();
    tree.says("", {{"Kc7", Score::mate_in(3)}, {"Kb6", Score::cp(800)}});
    tree.answer_all(tree.plan(1));
    REQUIRE(analysis::Proof{tree.graph}.of(tree.root_node()) == Proven::won);
    const auto plan = tree.plan(1);
    REQUIRE(plan.questions.size() == 1);
    CHECK(plan.questions.front().node == tree.node("1. Kc7"));
    tree.settle(1);
    CHECK(shown(tree, tree.root_node()));
}

TEST_CASE("prove: where one defence cannot be had, nothing is proven") {
    Scripted tree = mating();
    const NodeId after = tree.node("1. Kc7");
    const chess::Position position = tree.graph.position(after);
    tree.dead.emplace(after, facts::moves(position, {"Ka7", "h6"}));
    tree.settle(1);
    CHECK(analysis::Proof{tree.graph}.of(tree.root_node()) == Proven::no);
    CHECK_FALSE(shown(tree, tree.root_node()));
    CHECK_FALSE(tree.knows(after, facts::move(position, "h5")));
}

TEST_CASE("prove: a defence that holds sends the side to its next move") {
    Scripted tree = mating();
    tree.says("1. Kc7", {{"Ka7", 2'000}, {"h6", -950}, {"h5", -960}}); // for Black
    tree.settle(1);
    const chess::Move other = facts::move(tree.root, "Kb6");
    CHECK(tree.knows(tree.root_node(), other));
    CHECK(tree.graph.expanded(tree.graph.intern(tree.root.after(other))));
}

TEST_CASE("prove: a position that was there twice before the root, or on the way, is no win") {
    Scripted tree = circle({});
    prove(tree, 1, 0);
    CHECK(tree.plan(1).asks_nothing());
    Scripted open = circle({{"1. Nf3 Nf6 2. Ng1", "a6"}}); // Black may do that: it does not matter
    prove(open, 1, 0);
    CHECK(open.plan(1).asks_nothing());
    Scripted before = mating();
    before.before = {before.node("1. Kc7")};
    before.settle(1);
    CHECK_FALSE(before.graph.expanded(before.node("1. Kc7")));
}

TEST_CASE("prove: a draw is shown by endless play when every way out is refuted") {
    Scripted closed = circle({});
    prove(closed, 1, 1);
    CHECK(closed.plan(1).asks_nothing());
    Scripted tree = circle({{"1. Nf3 Nf6 2. Ng1", "a6"}});
    prove(tree, 1, 1);
    const auto plan = tree.plan(1);
    REQUIRE(plan.questions.size() == 1);
    const NodeId way_out = tree.node("1. Nf3 Nf6 2. Ng1");
    CHECK(plan.questions.front().node == way_out);
    CHECK(plan.questions.front().kind == analysis::QuestionKind::alternative);
    const chess::Position position = tree.graph.position(way_out);
    auto excluded = plan.questions.front().excluded;
    CHECK(base::contains(excluded, facts::move(position, "Ng8")));
    // It loses, by the tables: Black has nothing else.
    tree.graph.apply(facts::fact(tree.next_id++, position, facts::move(position, "a6"),
                                 Score::cp(5), 10, std::move(excluded)));
    CHECK(tree.plan(1).questions.front().node == tree.node("1. Nf3 Nf6 2. Ng1 a6"));
    tree.graph.set_exact(tree.node("1. Nf3 Nf6 2. Ng1 a6"), Score::tablebase(chess::Wdl::win, 20));
    CHECK(tree.plan(1).asks_nothing());
}

TEST_CASE("prove: what two ways lead to is asked once, and ends both") {
    Scripted tree = on("k7/7p/2K5/8/8/8/6P1/1R6 w - - 0 1");
    tree.says("", {{"g3", 900}});
    tree.says("1. g3", {{"h6", -900}, {"h5", -910}});
    tree.settle(2);
    std::set<std::tuple<NodeId, std::uint64_t, std::vector<chess::Move>>> questions;
    for (const analysis::PlannedQuestion& question : tree.asked) {
        CHECK(questions.emplace(question.node, question.limit.amount, question.excluded).second);
    }
    CHECK(tree.plan(2).settled());
}

TEST_CASE("prove: a position that resists is searched again, twice as large with each level") {
    Scripted tree{"prove"};
    tree.limit = {analysis::Limit::Kind::nodes, 1'000};
    tree.most_questions = 1;
    tree.tell("", "e4", Score::cp(50), tree.limit);
    CHECK(tree.plan(1).questions.front().node == tree.node("1. e4"));
    const auto larger = tree.plan(3).questions.front();
    CHECK(larger.node == tree.root_node());
    CHECK(larger.limit == analysis::Limit{analysis::Limit::Kind::nodes, 4'000});
    // Below a larger search with half of that.
    tree.tell("", "d4", Score::cp(60), {analysis::Limit::Kind::nodes, 16'000});
    CHECK(tree.plan(1).questions.front().limit.amount == 8'000);
}
