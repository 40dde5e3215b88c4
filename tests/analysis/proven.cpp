// Proven means proven: that all known moves lose says nothing of the others.
#include "analysis/proof.hpp"
#include "analysis/root_answer.hpp"
#include "scripted.hpp"

using analysis::NodeId;
using analysis::Proven;
using analysis::testing::Scripted;
using chess::Score;

namespace {

Proven proof_of(Scripted& tree, const char* after) {
    return analysis::Proof{tree.graph, &tree.directives}.of(tree.node(after));
}

void told(Scripted& tree, const char* after, const char* san, Score score,
          const std::vector<const char*>& excluded = {}) {
    tree.tell(after, san, score, tree.limit, excluded);
}

// Three moves are left: Kd2, Ke2, Kf2.
chess::Position checked() {
    return facts::position("7k/8/8/8/8/8/8/r3K3 w - - 0 1");
}

bool ends(Scripted& tree) {
    const auto answer = analysis::root_answer(tree.graph, tree.root_node(), {});
    REQUIRE(answer);
    analysis::Lead lead;
    return analysis::may_stop({}, tree.graph, tree.root_node(), *answer, std::nullopt, 1, lead)
        .has_value();
}

} // namespace

TEST_CASE("proven: known moves that lose are no proof while others were not asked for") {
    Scripted tree;
    told(tree, "", "d4", Score::cp(25));
    told(tree, "1. d4", "Nf6", Score::cp(-25));
    told(tree, "1. d4 Nf6", "c4", Score::cp(30));
    told(tree, "1. d4 Nf6 2. c4", "g6", Score::mate_in(5));
    REQUIRE(tree.graph.game_value(tree.node("1. d4 Nf6"))->is_loss());
    CHECK(proof_of(tree, "1. d4 Nf6 2. c4") == Proven::won); // a move of its own, by the engine
    CHECK(proof_of(tree, "1. d4 Nf6") == Proven::no);
    CHECK(proof_of(tree, "1. d4") == Proven::no);
    CHECK(proof_of(tree, "") == Proven::no);
    CHECK_FALSE(ends(tree));
    // The engine's word on all others, too.
    told(tree, "1. d4 Nf6", "Nf3", Score::mated_in(8), {"c4"});
    CHECK(proof_of(tree, "1. d4 Nf6") == Proven::lost);
    CHECK(proof_of(tree, "1. d4") == Proven::won);
    CHECK(proof_of(tree, "") == Proven::no);
    told(tree, "", "e4", Score::mated_in(12), {"d4"});
    CHECK(proof_of(tree, "") == Proven::lost);
    CHECK(ends(tree));
}

TEST_CASE("proven: lost when each legal move is, won when one wins") {
    Scripted tree;
    tree.root = checked();
    told(tree, "", "Kd2", Score::mated_in(4));
    // A search of all moves says of the best one that it loses.
    CHECK(proof_of(tree, "") == Proven::lost);
    Scripted alone;
    alone.root = tree.root;
    told(alone, "", "Kd2", Score::mated_in(4), {"Ke2", "Kf2"}); // says nothing of others
    CHECK(proof_of(alone, "") == Proven::no);
    CHECK_FALSE(ends(alone));
    told(alone, "", "Ke2", Score::mated_in(6), {"Kd2", "Kf2"});
    CHECK(proof_of(alone, "") == Proven::no);
    // Excluded moves are no part of the game.
    alone.directives[alone.root_node()].excluded = {facts::move(alone.root, "Kf2")};
    CHECK(proof_of(alone, "") == Proven::lost);
    alone.directives.clear();
    told(alone, "", "Kf2", Score::mated_in(6), {"Kd2", "Ke2"});
    CHECK(proof_of(alone, "") == Proven::lost);
    CHECK(ends(alone));

    Scripted won;
    told(won, "", "e4", Score::mate_in(5));
    CHECK(proof_of(won, "") == Proven::won);
    told(won, "1. e4", "e5", Score::mated_in(4));
    CHECK(proof_of(won, "") == Proven::won); // the others lose by the engine's word
    told(won, "1. e4", "c5", Score::cp(0), {"e5"});
    CHECK(proof_of(won, "") == Proven::no);
}

TEST_CASE("proven: moves that the basis excludes are no part of the game") {
    Scripted tree;
    tree.root = checked();
    const auto left_out = [&](std::vector<const char*> moves) {
        analysis::Basis basis;
        for (const char* san : moves) {
            basis.excluded.push_back({tree.root.packed(), facts::move(tree.root, san)});
        }
        std::sort(basis.excluded.begin(), basis.excluded.end());
        tree.graph = analysis::Graph{nullptr, basis};
        tree.graph.add_root(tree.root_node());
    };
    left_out({"Kf2"});
    told(tree, "", "Kd2", Score::mated_in(4), {"Ke2", "Kf2"});
    CHECK_FALSE(ends(tree));
    told(tree, "", "Ke2", Score::mated_in(6), {"Kd2", "Kf2"});
    CHECK(ends(tree));
    // One move is left, whatever it is worth.
    left_out({"Ke2", "Kf2"});
    told(tree, "", "Kd2", Score::cp(-300), {"Ke2", "Kf2"});
    analysis::StopRules rules{false, 2, 1};
    analysis::Lead lead;
    const auto answer = analysis::root_answer(tree.graph, tree.root_node(), {});
    CHECK(analysis::may_stop(rules, tree.graph, tree.root_node(), *answer, std::nullopt, 1, lead) ==
          analysis::StopReason::lead);
}

TEST_CASE("proven: what a person leaves out is no part of the game when it is to end") {
    Scripted tree;
    tree.root = checked();
    told(tree, "", "Ke2", Score::mated_in(6), {"Kd2", "Kf2"});
    told(tree, "", "Kf2", Score::cp(0), {"Kd2", "Ke2"});
    told(tree, "", "Kd2", Score::mated_in(4), {"Ke2", "Kf2"});
    tree.directives[tree.root_node()].excluded = {facts::move(tree.root, "Kf2")};
    const auto followed = facts::moves(tree.root, {"Kd2", "Ke2"});
    const auto answer = analysis::root_answer(tree.graph, tree.root_node(), followed);
    REQUIRE(answer);
    analysis::Lead lead;
    const auto stop = [&](const analysis::Directives* directives) {
        return analysis::may_stop({}, tree.graph, tree.root_node(), *answer, std::nullopt, 1, lead,
                                  directives);
    };
    CHECK_FALSE(stop(nullptr));
    CHECK(stop(&tree.directives) == analysis::StopReason::proven);
}

TEST_CASE("proven: what the tables say of one move says nothing of the others") {
    Scripted tree;
    tree.root = checked();
    told(tree, "", "Kd2", Score::cp(0)); // two others could be as good
    tree.graph.set_exact(tree.node("1. Kd2"), Score::tablebase(chess::Wdl::win, 20));
    REQUIRE(tree.graph.game_value(tree.root_node())->is_loss());
    CHECK(proof_of(tree, "") == Proven::no);
    CHECK_FALSE(ends(tree));
}

TEST_CASE("proven: where all known moves lose, the others are asked for") {
    for (const std::string& kind : analysis::strategy_names()) {
        if (kind == "conspiracy" || kind == "prove") {
            continue; // nobody doubts d4, and nothing is near a proof: they do not get there
        }
        INFO(kind);
        Scripted tree{kind};
        tree.says("", {{"d4", 25}, {"a3", -300}});
        tree.says("1. d4", {{"Nf6", -25}, {"a6", -300}});
        tree.says("1. d4 Nf6", {{"c4", 30}, {"Nf3", 26}, {"a3", -300}});
        tree.says("1. d4 Nf6 2. c4", {{"g6", Score::mate_in(5)}, {"a6", Score::cp(-200)}});
        for (int level = 1; level <= 5; ++level) {
            tree.settle(level);
        }
        CHECK(tree.was_asked("1. d4 Nf6", {"c4"}));
        if (kind != "anchored") { // there a larger search's word on Nf6 stands
            CHECK(tree.value_of("", "d4") == 26);
        }
    }
}

TEST_CASE("proven: in a cycle it does not matter where one begins, nor which move came first") {
    for (const bool win_first : {true, false}) {
        INFO(win_first);
        Scripted tree;
        if (win_first) {
            told(tree, "", "e4", Score::mate_in(5));
        }
        told(tree, "", "Nf3", Score::cp(20));
        told(tree, "1. Nf3", "Nf6", Score::cp(-20));
        told(tree, "1. Nf3", "a6", Score::mated_in(30), {"Nf6"});
        told(tree, "1. Nf3 Nf6", "Ng1", Score::cp(20));
        told(tree, "1. Nf3 Nf6 2. Ng1", "Ng8", Score::cp(-20));
        told(tree, "1. Nf3 Nf6 2. Ng1", "a6", Score::mated_in(30), {"Ng8"});
        if (!win_first) {
            told(tree, "", "e4", Score::mate_in(5));
        }
        // Black can only go back to where White wins, or lose elsewhere.
        analysis::Proof from_root{tree.graph};
        CHECK(from_root.of(tree.root_node()) == Proven::won);
        CHECK(from_root.of(tree.node("1. Nf3")) == Proven::lost);
        analysis::Proof from_within{tree.graph};
        CHECK(from_within.of(tree.node("1. Nf3 Nf6")) == Proven::won);
        CHECK(from_within.of(tree.node("1. Nf3 Nf6 2. Ng1")) == Proven::lost);
        CHECK(from_within.of(tree.root_node()) == Proven::won);
    }
    // Without that win the circle proves nothing.
    Scripted tree;
    told(tree, "", "Nf3", Score::cp(20));
    told(tree, "1. Nf3", "Nf6", Score::mated_in(4));
    told(tree, "1. Nf3 Nf6", "Ng1", Score::mate_in(4));
    told(tree, "1. Nf3 Nf6 2. Ng1", "Ng8", Score::mated_in(4));
    CHECK(proof_of(tree, "1. Nf3") == Proven::no);
}
