// Strategy `anchored`: which moves of the root get a word, and which is the answer,
// before and after a court.
#include "analysis/root_answer.hpp"

#include "scripted.hpp"

#include <array>
#include <span>

using analysis::Limit;
using analysis::testing::Scripted;
using chess::Score;

namespace {

constexpr Limit one_thousand{Limit::Kind::nodes, 1'000};

struct Told : Scripted {
    Told() : Scripted{"anchored"} { limit = one_thousand; }

    void tell(const char* after, const char* san, Score score, std::uint64_t nodes,
              const std::vector<const char*>& without = {}) {
        Scripted::tell(after, san, score, {Limit::Kind::nodes, nodes}, without);
    }
    analysis::RootAnswer best(std::vector<chess::Move> verified) {
        std::sort(verified.begin(), verified.end());
        const auto found = analysis::anchored_answer(graph, root_node(), verified, limit);
        REQUIRE(found);
        return *found;
    }
    // What a search of these moves alone has found.
    void court(const std::vector<const char*>& among, const char* san, Score score,
               std::uint64_t nodes) {
        std::vector<chess::Move> excluded;
        const auto candidates = facts::moves(root, among);
        for (const chess::Move move : root.legal_moves()) {
            if (!std::ranges::binary_search(candidates, move)) {
                excluded.push_back(move);
            }
        }
        std::sort(excluded.begin(), excluded.end());
        auto fact = facts::fact(next_id++, root, at_root(san), score, 1, excluded);
        fact.question.limit = {Limit::Kind::nodes, nodes};
        graph.apply(fact);
    }
    const analysis::JointSearch* held() {
        const std::array line{root_node()};
        return analysis::court_of(graph, line);
    }
    chess::Score alpha(const char* san) {
        const std::array line{root_node()};
        const analysis::LineValues values{graph, line, held()};
        return values.alpha_of(facts::index_of(graph, root_node(), at_root(san))).value;
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

TEST_CASE("anchored: before a court the long search's move is the answer, however the tree leads") {
    Told tree;
    tree.tell("", "e4", Score::cp(30), 8'000);
    tree.tell("", "d4", Score::cp(25), 1'000, {"e4"});
    tree.tell("1. e4", "e5", Score::cp(-20), 64'000);
    tree.tell("1. d4", "d5", Score::cp(-400), 64'000);
    CHECK(tree.held() == nullptr);
    const auto best = tree.best({tree.at_root("e4"), tree.at_root("d4")});
    CHECK(best.move == tree.at_root("e4"));
    CHECK(best.alpha == Score::cp(20)); // nothing was compared: values are the tree's
    CHECK(best.next == Score::cp(400));
}

TEST_CASE("anchored: a court decides, and no other move is worth as much") {
    Told tree;
    tree.tell("", "e4", Score::cp(30), 8'000);
    tree.tell("", "d4", Score::cp(25), 1'000, {"e4"});
    tree.tell("", "c4", Score::cp(-10), 1'000, {"d4", "e4"});
    tree.tell("1. e4", "e5", Score::cp(-35), 64'000);
    tree.tell("1. d4", "d5", Score::cp(-15), 64'000);
    tree.court({"e4", "d4", "c4"}, "d4", Score::cp(28), 6'000);
    REQUIRE(tree.held() != nullptr);
    CHECK(tree.held()->among.size() == 3);
    const auto best = tree.best({tree.at_root("e4")}); // whatever the level has verified
    CHECK(best.move == tree.at_root("d4"));
    CHECK(best.alpha == Score::cp(28));
    CHECK(best.next == Score::cp(27));
    CHECK(tree.alpha("d4") == Score::cp(28));
    CHECK(tree.alpha("e4") == Score::cp(27));  // 30 or 35 by others
    CHECK(tree.alpha("c4") == Score::cp(-10)); // less than that anyway
    const std::array line{tree.root_node()};
    CHECK(analysis::LineValues{tree.graph, line, tree.held()}.alpha() == Score::cp(28));
    CHECK(analysis::alpha_pv(tree.graph, line, 2, tree.held()) == tree.line("1. d4 d5"));
    CHECK(analysis::idea_after(tree.graph, tree.root_node(), tree.held()) == Score::cp(28));
    // The game value of the position, which others may pass through, is the tree's.
    CHECK(tree.graph.game_value(tree.root_node()) == Score::cp(35));
}

TEST_CASE("anchored: a court stands while it has heard what the long search has, and is as large") {
    const auto stands = [](const char* later, std::uint64_t nodes) {
        Told tree;
        tree.tell("", "e4", Score::cp(30), 8'000);
        tree.tell("", "d4", Score::cp(25), 1'000, {"e4"});
        tree.court({"e4", "d4"}, "d4", Score::cp(28), 6'000);
        tree.tell("", later, Score::cp(31), nodes);
        return tree.held() != nullptr;
    };
    CHECK(stands("e4", 16'000));
    CHECK(stands("d4", 32'000));
    CHECK_FALSE(stands("c4", 16'000)); // it was no candidate
    CHECK_FALSE(stands("e4", 128'000));
    // Searches that leave known moves out are none, however few are left to choose from.
    Told few;
    few.root = *chess::Position::from_fen("7k/8/8/8/8/8/5PPP/7K w - - 0 1");
    few.graph.add_root(few.root_node());
    few.tell("", "f3", Score::cp(300), 8'000);
    few.tell("", "g3", Score::cp(290), 8'000, {"f3", "f4", "Kg1"});
    CHECK(few.graph.joint_searches(few.root_node()).size() == 1);
    CHECK(few.held() == nullptr);
}

TEST_CASE("anchored: of mates, exact values and repetitions a court has nothing to say") {
    Told tree;
    tree.tell("", "e4", Score::cp(30), 8'000);
    tree.tell("", "d4", Score::cp(25), 1'000, {"e4"});
    tree.court({"e4", "d4"}, "d4", Score::cp(28), 6'000);
    tree.tell("", "c4", Score::mate_in(9), 1'000, {"d4", "e4"});
    CHECK(tree.best({}).move == tree.at_root("c4"));
    // The candidate that was best is mated.
    Told mated;
    mated.tell("", "e4", Score::cp(30), 8'000);
    mated.tell("", "d4", Score::cp(25), 1'000, {"e4"});
    mated.court({"e4", "d4"}, "d4", Score::cp(28), 6'000);
    mated.tell("1. d4", "d5", Score::mate_in(7), 8'000);
    CHECK(mated.best({}).move == mated.at_root("e4"));
    CHECK(mated.alpha("e4") == Score::cp(27));
    // 1. Nf3 Nf6 2. Ng1 Ng8: it repeats, which the engine does not know.
    Told shuffle;
    shuffle.tell("", "Nf3", Score::cp(40), 8'000);
    shuffle.tell("", "e4", Score::cp(10), 1'000, {"Nf3"});
    shuffle.court({"Nf3", "e4"}, "Nf3", Score::cp(42), 6'000);
    shuffle.tell("1. Nf3", "Nf6", Score::cp(-40), 8'000);
    shuffle.tell("1. Nf3 Nf6", "Ng1", Score::cp(40), 8'000);
    shuffle.tell("1. Nf3 Nf6 2. Ng1", "Ng8", Score::cp(-40), 8'000);
    CHECK(shuffle.alpha("Nf3") == Score::cp(0));
    CHECK(shuffle.best({}).move == shuffle.at_root("e4"));
}

TEST_CASE("anchored: courts are the same facts in any order, however a graph is read") {
    Told tree;
    std::vector<analysis::Evaluation> all;
    const auto move_of = [&](const char* san) { return facts::move(tree.root, san); };
    std::vector<chess::Move> others;
    for (const chess::Move move : tree.root.legal_moves()) {
        if (move != move_of("e4") && move != move_of("d4")) {
            others.push_back(move);
        }
    }
    std::ranges::sort(others);
    const auto add = [&](const char* san, int cp, std::uint64_t nodes,
                         std::vector<chess::Move> excluded) {
        const auto id = static_cast<std::int64_t>(all.size()) + 1;
        all.push_back(
            facts::fact(id, tree.root, move_of(san), Score::cp(cp), 1, std::move(excluded)));
        all.back().question.limit = {Limit::Kind::nodes, nodes};
    };
    add("e4", 30, 8'000, {});
    add("d4", 25, 1'000, {move_of("e4")});
    add("d4", 28, 6'000, others);
    add("e4", 33, 5'000, others);
    model::Random random{7};
    std::vector<analysis::JointSearch> first;
    for (int order = 0; order < 6; ++order) {
        facts::shuffle(random, all);
        const analysis::Graph graph = facts::build(all, tree.root);
        analysis::GraphReader reader;
        for (const auto& fact : all) {
            reader.take(fact);
        }
        const analysis::Graph read = reader.finish(std::span{&tree.root, 1});
        const auto told = graph.joint_searches(*graph.find(tree.root.packed()));
        const auto told_too = read.joint_searches(*read.find(tree.root.packed()));
        REQUIRE(told.size() == 2);
        CHECK(told.front().effort > told.back().effort);
        CHECK(std::ranges::equal(told, told_too));
        first = order == 0 ? std::vector(told.begin(), told.end()) : first;
        CHECK(std::ranges::equal(told, first));
    }
}

TEST_CASE("anchored: a custom plan's first window decides which words are asked for") {
    const auto grown = [](int window) {
        Told tree;
        tree.parameters.own = {0}; // no court asks for more
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

TEST_CASE("anchored: moves a little outside the window get a word, and are not followed") {
    // 15, 33, 34 and 50 cp behind, where moves within 20 are followed.
    const auto grown = [](int unit) {
        Scripted tree{"anchored"};
        tree.parameters.own = {0}; // no court asks for more
        tree.parameters.move_distance = 20 * unit;
        tree.limit = {Limit::Kind::nodes, 1'000};
        tree.behind = 300 * unit;
        std::vector<std::pair<const char*, int>> words{
            {"e4", 30}, {"d4", 15}, {"c4", -3}, {"Nf3", -4}, {"a3", -20}};
        for (auto& [san, cp] : words) {
            cp *= unit;
        }
        tree.says("", words);
        tree.settle(1);
        return tree;
    };
    Scripted tree = grown(1);
    CHECK(tree.was_asked("", {"e4", "d4"}));                    // named: 33 behind
    CHECK(tree.was_asked("", {"e4", "d4", "c4"}));              // 34 behind: the first one outside
    CHECK_FALSE(tree.was_asked("", {"e4", "d4", "c4", "Nf3"})); // 20 · 5 / 3 = 33
    CHECK(tree.was_asked("1. d4", {}));
    CHECK_FALSE(tree.was_asked("1. c4", {}));
    CHECK(tree.plan(1).followed.size() == 2);
    // With larger limits: of what is followed.
    const std::size_t before = tree.asked.size();
    tree.settle(2);
    for (std::size_t i = before; i < tree.asked.size(); ++i) {
        const analysis::PlannedQuestion& question = tree.asked[i];
        CHECK((question.node != tree.root_node() || question.excluded.size() <= 2));
    }
    // The same questions in other units of scores.
    Scripted other = grown(3);
    tree = grown(1);
    REQUIRE(other.asked.size() == tree.asked.size());
    for (std::size_t i = 0; i < tree.asked.size(); ++i) {
        CHECK(other.asked[i].excluded == tree.asked[i].excluded);
        CHECK(other.asked[i].line == tree.asked[i].line);
    }
}
