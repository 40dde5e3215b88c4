// What carries an answer, on graphs of positions.
#include "facts.hpp"

#include "analysis/verdict.hpp"
#include "chess/notation.hpp"
#include "test.hpp"

using analysis::Carrier;
using analysis::Evaluation;
using analysis::Graph;
using analysis::LeafNoise;
using analysis::LineValues;
using analysis::NodeId;
using chess::Position;
using chess::Score;
using facts::fact;

namespace {

const LeafNoise noise{20, 12, 0};

struct Tree {
    Graph graph;
    std::int64_t next = 1;

    Tree() { graph.add_root(node("")); }
    NodeId node(const char* line) { return graph.intern(facts::after(line)); }
    void say(const char* line, const char* move, int cp,
             const std::vector<const char*>& without = {}) {
        const Position position = facts::after(line);
        graph.apply(fact(next++, position, facts::move(position, move), Score::cp(cp), 10,
                         facts::moves(position, without)));
    }
    // Of that move of the start.
    std::optional<analysis::Verdict> verdict(const char* move, int margin = 0,
                                             const std::vector<const char*>& excluded = {}) {
        const std::array line{node("")};
        const Position start = Position::initial();
        return analysis::verdict(graph, line, facts::move(start, move), margin, noise,
                                 facts::moves(start, excluded));
    }
};

double cost_of(double away) {
    return -std::log(0.5 * std::erfc(away / noise.sigma / std::sqrt(2)));
}

const Carrier* find(const analysis::Verdict& verdict, const std::string& line,
                    const std::string& move) {
    for (const Carrier& carrier : verdict.carriers) {
        Position at = Position::initial();
        std::string text;
        for (const chess::Move step : carrier.line) {
            text += (text.empty() ? "" : " ") + chess::to_uci(at, step);
            at.play(step);
        }
        if (text == line && (carrier.move ? chess::to_uci(at, *carrier.move) : "rest") == move) {
            return &carrier;
        }
    }
    return nullptr;
}

} // namespace

TEST_CASE("verdict: two evaluations of one position, one of which is wrong, or both in part") {
    Tree tree;
    tree.say("", "e4", 40);
    tree.say("", "d4", -60, {"e4"});
    const Position start = Position::initial();
    const auto found = tree.verdict("e4");
    REQUIRE(found);
    REQUIRE(found->rival);
    CHECK(chess::to_uci(start, *found->rival) == "d2d4");
    CHECK(found->meeting.centipawns() == Approx(-10).margin(4));
    CHECK(found->cost == Approx(2 * cost_of(50)).margin(0.03));
    REQUIRE(found->carriers.size() == 2);
    const Carrier* fall = find(*found, "", "e2e4");
    REQUIRE(fall != nullptr);
    CHECK(fall->score == Score::cp(40));
    CHECK_FALSE(fall->lifts_rival);
    CHECK(fall->needed == found->meeting);
    CHECK(static_cast<std::int64_t>(fall->evaluation) == 1);
    REQUIRE(find(*found, "", "d2d4") != nullptr);
    CHECK(find(*found, "", "d2d4")->lifts_rival);
    // A margin keeps the rival further away.
    const auto kept = tree.verdict("e4", 20);
    CHECK(kept->cost == Approx(2 * cost_of(60)).margin(0.03));
    // Who leads already needs nothing.
    const auto other = tree.verdict("d4");
    CHECK(other->cost == 0);
    CHECK(other->carriers.empty());
    // Of two that are close, one error is likelier than two.
    tree.say("", "c4", 20, {"e4", "d4"});
    const auto close = tree.verdict("e4");
    CHECK(chess::to_uci(start, *close->rival) == "c2c4");
    CHECK(close->cost == Approx(cost_of(20)));
    CHECK(close->carriers.size() == 1);
}

TEST_CASE("verdict: moves that were not asked are a rival, by the engine's word on them") {
    Tree tree;
    tree.say("", "e4", 40);
    tree.say("", "d4", -60, {"e4"});
    tree.say("", "c4", -70, {"e4", "d4"});
    const auto found = tree.verdict("e4");
    REQUIRE(found);
    REQUIRE(found->rival);
    CHECK(chess::to_uci(Position::initial(), *found->rival) == "d2d4");
    Tree alone;
    alone.say("", "e4", 40);
    const auto one = alone.verdict("e4");
    REQUIRE(one);
    CHECK_FALSE(one->rival);
    CHECK(one->cost == 0); // nobody said that the others are worse than 40
    alone.say("", "d4", -60, {"e4"});
    const auto two = alone.verdict("e4", 0, {"d4"});
    REQUIRE(two);
    CHECK_FALSE(two->rival);
    REQUIRE_FALSE(two->carriers.empty());
    CHECK(find(*two, "", "rest") != nullptr);
}

TEST_CASE("verdict: the two meet where it costs least") {
    Tree tree;
    tree.say("", "e4", 40);
    tree.say("", "d4", -60, {"e4"});
    tree.say("", "c4", -400, {"e4", "d4"});
    tree.say("1. d4", "Nf6", 60);
    tree.say("1. d4", "d5", 60, {"Nf6"});
    tree.say("1. d4", "e6", -400, {"Nf6", "d5"});
    const auto cost_at = [](int t) { return cost_of(40 - t) + 2 * cost_of(t + 60); };
    double least = cost_at(-59);
    for (int t = -59; t < 40; ++t) {
        least = std::min(least, cost_at(t));
    }
    const auto found = tree.verdict("e4");
    REQUIRE(found);
    CHECK(found->carriers.size() == 3); // both replies have to be worse for Black
    CHECK(found->cost == Approx(least).epsilon(1e-4));
}

TEST_CASE("verdict: where all that was asked fell, what was not asked needs no error") {
    Tree tree;
    tree.say("", "e4", 0);
    tree.say("", "d4", -10, {"e4"});
    tree.say("", "c4", -300, {"e4", "d4"});
    tree.say("1. d4", "Nf6", 10);
    tree.say("1. d4 Nf6", "Nf3", 25);
    tree.say("1. d4 Nf6", "c4", 20, {"Nf3"}); // of the others it says: no more than 20
    tree.say("1. d4 Nf6 2. Nf3", "e6", 60);
    tree.say("1. d4 Nf6 2. c4", "e6", 60);
    const Position start = Position::initial();
    const auto found = tree.verdict("e4");
    REQUIRE(found);
    REQUIRE(found->rival);
    CHECK(chess::to_uci(start, *found->rival) == "d2d4");
    const Carrier* rest = find(*found, "d2d4 g8f6", "rest");
    REQUIRE(rest != nullptr);
    CHECK(rest->lifts_rival);
    CHECK(rest->score == Score::cp(20)); // by the engine's word; d4 is worth -60
    CHECK(rest->cost == Approx(std::log(2)));
}

TEST_CASE("verdict: what is searched below carries, with the way to it") {
    Tree tree;
    tree.say("", "e4", 40);
    tree.say("", "d4", 10, {"e4"});
    tree.say("1. e4", "e5", -35);
    tree.say("1. e4", "c5", -60, {"e5"});
    tree.say("1. e4 e5", "Nf3", 35);
    tree.say("1. e4 e5", "Bc4", 0, {"Nf3"});
    const auto found = tree.verdict("e4");
    REQUIRE(found);
    const Carrier* carrier = find(*found, "e2e4 e7e5", "g1f3");
    REQUIRE(carrier != nullptr); // e4 is worth what is worth Nf3 behind e5
    CHECK(carrier->score == Score::cp(35));
    CHECK(carrier->needed == found->meeting);
    CHECK(find(*found, "", "e2e4") == nullptr); // its own search has no word any more
    // Bc4 would have to be worse than the meeting, too, where that is below 0; here it is.
    CHECK(find(*found, "e2e4 e7e5", "f1c4") == nullptr);
}

TEST_CASE("verdict: carriers that are as they would have to be make the rival the answer") {
    model::Random random{5};
    const Position root = *Position::from_fen("8/8/3k4/3p4/1p6/1P6/3PK3/8 w - - 0 1");
    std::size_t flipped = 0, rests = 0;
    for (std::size_t n = 0; n < model::tries(300); ++n) {
        CAPTURE(n);
        auto all = facts::random_facts(random, root, 3 + model::below(random, 60), facts::any_move);
        std::map<std::pair<chess::PackedPosition, chess::Move>, std::size_t> in_force;
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i].question.limit = {analysis::Limit::Kind::depth, 8};
            all[i].question.excluded.clear();
            all[i].at = 0;
            in_force[{all[i].question.position, *all[i].move}] = i; // the larger id
        }
        Graph graph = facts::build(all, root);
        const std::array line{graph.intern(root)};
        const LineValues values{graph, line};
        if (graph.moves(line[0]).size() < 2) {
            continue;
        }
        std::size_t best = 0;
        for (std::size_t i = 1; i < graph.moves(line[0]).size(); ++i) {
            best = values.alpha_of(i).value > values.alpha_of(best).value ? i : best;
        }
        const chess::Move move = graph.moves(line[0])[best].move;
        const int margin = static_cast<int>(model::below(random, 2)) * 10;
        const auto found = analysis::verdict(graph, line, move, margin, noise);
        REQUIRE(found);
        if (std::isinf(found->cost)) {
            continue;
        }
        const bool rest =
            !found->rival ||
            std::ranges::any_of(found->carriers, [](const Carrier& c) { return !c.move; });
        if (rest) {
            ++rests;
            continue;
        }
        for (const Carrier& carrier : found->carriers) {
            const std::size_t i =
                in_force.at({graph.position(carrier.node).packed(), *carrier.move});
            CHECK(all[i].score->rank() == carrier.score.rank());
            CHECK(all[i].id == carrier.evaluation);
            all[i].score = carrier.needed;
        }
        Graph then = facts::build(all, root);
        const std::array there{then.intern(root)};
        const LineValues changed{then, there};
        const auto worth = [&](chess::Move of) {
            return changed.alpha_of(facts::index_of(then, there[0], of)).value.rank();
        };
        CHECK(worth(move) <= found->meeting.rank());
        CHECK(worth(*found->rival) >= found->meeting.rank() + margin);
        ++flipped;
    }
    CHECK(flipped > 30);
    CHECK(rests > 30);
}
