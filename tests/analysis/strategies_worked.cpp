// Small trees whose plans were computed by hand: those of docs/internals/strategies.md.
#include "world.hpp"

using analysis::NodeId;
using analysis::QuestionKind;

namespace {

// Facts that are written down.
struct Written : analysis::testing::World {
    explicit Written(const std::string& kind) {
        parameters = analysis::default_parameters(kind);
        parameters.move_distance = 5;
        limit = {analysis::Limit::Kind::depth, 10};
    }

    // The engine's answer after a line: its best move outside those it has named there.
    void says(const char* after, const char* san, int cp) {
        const NodeId at = node(after);
        const chess::Position position = graph.position(at);
        std::vector<chess::Move> named;
        for (const auto& move : graph.moves(at)) {
            named.push_back(move.move);
        }
        std::sort(named.begin(), named.end());
        graph.apply(facts::fact(next_id++, position, facts::move(position, san),
                                chess::Score::cp(cp), 10, named));
    }

    // "e4 e5: first", … in order of need.
    std::vector<std::string> asks(int level) {
        std::vector<std::string> result;
        for (const analysis::PlannedQuestion& question : plan(level).questions) {
            std::string text;
            chess::Position position = root;
            for (const chess::Move move : question.line) {
                text += chess::to_san(position, move) + " ";
                position.play(move);
            }
            result.push_back(text + (question.kind == QuestionKind::first         ? "first"
                                     : question.kind == QuestionKind::alternative ? "alternative"
                                                                                  : "redo"));
        }
        return result;
    }
};

using Lines = std::vector<std::string>; // what Written::asks() tells

} // namespace

TEST_CASE("worked: uniform follows the same window at every ply, halving a narrower one") {
    for (const std::string kind : {"uniform", "halving"}) {
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
        const bool both = kind == "uniform";
        CHECK(tree.asks(4) ==
              (both ? Lines{"e4 e5 Nf3 first", "e4 e5 Bc4 first"} : Lines{"e4 e5 Nf3 first"}));
        CHECK(tree.plan(3).settled());
    }
}

TEST_CASE("worked: a custom plan follows its windows, ply by ply") {
    Written tree{"uniform"};
    tree.says("", "e4", 30);
    tree.says("", "d4", -100);
    tree.says("1. e4", "e5", -30);
    tree.says("1. e4", "c5", -100);
    tree.says("1. e4 e5", "Nf3", 30);
    tree.says("1. e4 e5", "Bc4", 25);
    tree.says("1. e4 e5", "d4", 20);
    tree.says("1. e4 e5", "a3", -100);
    tree.parameters.plan = {40, 40, 7};
    CHECK(tree.asks(4) == Lines{"e4 e5 Nf3 first", "e4 e5 Bc4 first"});
    tree.parameters.plan = {40, 40, 0};
    CHECK(tree.asks(4) == Lines{"e4 e5 Nf3 first"});
}

TEST_CASE(
    "worked: where a custom plan widens, a position is established for the widest of its plies") {
    Written tree{"uniform"};
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
        tree.parameters.plan = {20, 20, 5, 5, at_ply_4};
        return tree.asks(5);
    };
    CHECK(asked(5) == Lines{"e4 e5 Nf3 first"});
    CHECK(asked(40) == Lines{"e4 e5 Nf3 first", "e3 e6 e4 e5 alternative"});
}

TEST_CASE("worked: dropout asks for the leaf of the cheapest path") {
    Written tree{"dropout"};
    tree.says("", "e4", 30);
    tree.says("", "d4", 18);
    // e4: 1. d4: 1 + 12/12 = 2, and so has a third move, at least 12 behind like the last one
    // named. Only White has paid; at half weight: (0.5 · 1) / 1.5 = 0.333, 0.667 and 0.667, all
    // within the first level's 1.
    CHECK(tree.asks(1) == Lines{"e4 first", "alternative", "d4 first"});
    // One more of the same for each: 1. e4 e5 needs min(1 + 0.5, 0.5 + 1) / 1.5 = 1 and comes after
    // 1. d4; 1. e4 c5, 6 behind, has cost Black 1.5, needs min(1 + 0.75, 0.5 + 1.5) / 1.5 = 1.167,
    // and waits for level 2.
    tree.says("1. e4", "e5", -30);
    tree.says("1. e4", "c5", -36);
    tree.says("1. e4", "e6", -300);
    CHECK(tree.asks(1) == Lines{"alternative", "d4 first", "e4 e5 first"});
    const Lines second = tree.asks(2);
    CHECK(std::ranges::count(second, "e4 c5 first") == 1);
}

TEST_CASE("worked: dropout asks at a position that two lines reach as the cheaper one needs it") {
    Written tree{"dropout"};
    tree.says("", "d4", 30);
    tree.says("", "e4", 24);
    tree.says("", "a3", -300);
    tree.says("1. d4", "e6", -30);
    tree.says("1. d4", "d5", -30);
    tree.says("1. d4", "a6", -300);
    tree.says("1. e4", "e6", -24);
    tree.says("1. e4", "a6", -300);
    tree.says("1. d4 e6", "a3", 30);
    tree.says("1. d4 e6", "e4", 6);
    tree.says("1. d4 e6", "h4", -300);
    tree.says("1. e4 e6", "d4", 24);
    tree.says("1. e4 e6", "a3", -300);
    // The position after 1. d4 e6 2. e4 costs White 1 + 3 by that line, met first, and 1.5 + 1 by
    // 1. e4 e6 2. d4.
    const Lines asked = tree.asks(3);
    const auto at = std::ranges::find(asked, "e4 e6 d4 first");
    REQUIRE(at != asked.end());
    CHECK(std::ranges::count(asked, "d4 e6 e4 first") == 0);
}
