// When to stop, which move to answer, and what an engine's word is worth.
#include "analysis/root_answer.hpp"

#include "facts.hpp"
#include "test.hpp"

using analysis::Graph;
using analysis::NodeId;
using chess::Score;

namespace {

struct Root {
    Graph graph;
    chess::Position position = chess::Position::initial();
    std::int64_t next_id = 1;

    Root() { graph.add_root(node()); }
    NodeId node() { return graph.intern(position); }
    chess::Move move(const char* san) const { return facts::move(position, san); }
    void says(const char* san, Score score) {
        graph.apply(facts::fact(next_id++, position, move(san), score));
    }
    analysis::RootAnswer answer(std::vector<chess::Move> verified = {}) {
        std::sort(verified.begin(), verified.end());
        const auto result = analysis::root_answer(graph, node(), verified);
        REQUIRE(result);
        return *result;
    }
    std::optional<analysis::StopReason> stop(const analysis::StopRules& rules, analysis::Lead& lead,
                                             int level = 1,
                                             const std::optional<analysis::Noise>& noise = {}) {
        return analysis::may_stop(rules, graph, node(), answer(), noise, level, lead);
    }
};

} // namespace

TEST_CASE("root answer: the best of the verified moves, however good others look") {
    Root root;
    CHECK_FALSE(analysis::root_answer(root.graph, root.node(), {}));
    root.says("e4", Score::cp(20));
    root.says("d4", Score::cp(35));
    root.says("c4", Score::cp(10));
    CHECK(root.answer().move == root.move("d4"));
    CHECK(root.answer().next == Score::cp(20));
    const auto verified = root.answer({root.move("c4"), root.move("e4")});
    CHECK(verified.move == root.move("e4"));
    CHECK(verified.alpha == Score::cp(20));
    CHECK(verified.next == Score::cp(35));
    // None of them is scored: the best of all.
    CHECK(root.answer({root.move("a3")}).move == root.move("d4"));
}

TEST_CASE("root answer: no move without a search below it while others have one") {
    Root root;
    root.says("e4", Score::cp(30));
    root.says("d4", Score::cp(28));
    root.says("c4", Score::cp(25));
    const std::vector<chess::Move> all{root.move("e4"), root.move("d4"), root.move("c4")};
    CHECK(root.answer(all).move == root.move("e4"));
    // What is searched below falls: 1. d4 to 18, 1. c4 to 12. That says nothing for 1. e4.
    const auto searched = [&](const char* san, int value) {
        const chess::Position next = root.position.after(root.move(san));
        root.graph.apply(
            facts::fact(root.next_id++, next, next.legal_moves()[0], Score::cp(-value)));
    };
    searched("d4", 18);
    searched("c4", 12);
    CHECK(root.answer(all).move == root.move("d4"));
    CHECK(root.answer(all).next == Score::cp(30));
    CHECK(root.answer().move == root.move("d4"));
    // Only moves that were followed count, searched or not.
    CHECK(root.answer({root.move("e4"), root.move("c4")}).move == root.move("c4"));
    CHECK(root.answer({root.move("e4")}).move == root.move("e4"));
    searched("e4", 20);
    CHECK(root.answer(all).move == root.move("e4"));
    // A mate that the engine announces needs no search below.
    root.says("a3", Score::mate_in(7));
    CHECK(root.answer().move == root.move("a3"));
}

TEST_CASE("noise: few pairs are blended with what engines usually have") {
    using analysis::Noise;
    CHECK(analysis::reckoned_sigma(Noise{}) == Approx(25));
    CHECK(analysis::reckoned_sigma(Noise{10, 0, 30}) == Approx(10));
    CHECK(analysis::reckoned_sigma(Noise{10, 0, 1'000}) == Approx(10));
    // Half of each variance: sqrt((100 + 625) / 2).
    CHECK(analysis::reckoned_sigma(Noise{10, 0, 15}) == Approx(19.04).epsilon(1e-3));
    CHECK(analysis::reckoned_sigma(Noise{0, 0, 1}) == Approx(24.58).epsilon(1e-3));
    CHECK(analysis::measure_few(Graph{}).pairs == 0);
}

TEST_CASE("stop rules: proven roots stop unless told otherwise") {
    for (const Score score : {Score::mate_in(5), Score::mated_in(4)}) {
        Root root;
        root.says("e4", score);
        analysis::Lead lead;
        CHECK(root.stop({}, lead) == analysis::StopReason::proven);
        analysis::StopRules rules;
        rules.proven = false;
        CHECK_FALSE(root.stop(rules, lead));
    }
}

TEST_CASE("stop rules: a leader clear by 2 sigma on two levels in a row") {
    const std::optional<analysis::Noise> noise{{10, 0, 100}};
    analysis::StopRules rules{true, 2, 2};
    Root root;
    root.says("e4", Score::cp(30));
    root.says("d4", Score::cp(10));
    analysis::Lead lead;
    const auto at = [&](int level) { return root.stop(rules, lead, level, noise); };
    CHECK_FALSE(at(1));
    CHECK(at(2) == analysis::StopReason::lead);
    CHECK(at(2) == analysis::StopReason::lead); // asked again: the same
    root.says("d4", Score::cp(11));             // 19: not clear
    CHECK_FALSE(at(3));
    root.says("d4", Score::cp(60)); // another leader, clear by 30
    CHECK_FALSE(at(4));
    CHECK(at(5) == analysis::StopReason::lead);
    rules.levels = 3;
    CHECK_FALSE(at(5));
    CHECK(at(6) == analysis::StopReason::lead);
    rules.lead = 0;
    CHECK_FALSE(at(7));
    // 25 cp while the noise is not known: 30 are not clear of 2σ, 50 are.
    rules.lead = 2;
    rules.levels = 2;
    analysis::Lead other;
    const auto unknown = [&](int level) { return root.stop(rules, other, level); };
    CHECK_FALSE(unknown(9));
    CHECK_FALSE(other.leader);
    root.says("d4", Score::cp(80));
    CHECK_FALSE(unknown(10));
    CHECK(unknown(11) == analysis::StopReason::lead);
}

TEST_CASE("stop rules: what does not lose leads losses, and a win what does not win") {
    const auto leads = [](Score best, Score next) {
        Root root;
        root.says("e4", best);
        root.says("d4", next);
        analysis::Lead lead;
        return root.stop({false, 2, 1}, lead).has_value();
    };
    CHECK(leads(Score::cp(-40), Score::mated_in(8)));
    CHECK(leads(Score::mate_in(5), Score::cp(300)));
    CHECK_FALSE(leads(Score::mate_in(5), Score::mate_in(7)));
    CHECK_FALSE(leads(Score::mated_in(8), Score::mated_in(4)));
    // The only legal move leads.
    Root only;
    only.position = facts::position("7k/8/8/8/8/8/1q6/K7 w - - 0 1");
    only.says("Kxb2", Score::cp(0));
    analysis::Lead lead;
    CHECK(only.stop({true, 2, 1}, lead) == analysis::StopReason::lead);
}

TEST_CASE("noise: the spread between a move's score and the next position's own") {
    Graph graph;
    const chess::Position start = chess::Position::initial();
    graph.add_root(graph.intern(start));
    CHECK_FALSE(analysis::measure_noise(graph));
    std::int64_t id = 1;
    // 20 first moves of two root positions, each answered; the reply's search is off by 3, and by
    // ±8 around that, in turn; one in ten is a blunder.
    int count = 0;
    for (const char* before : {"", "1. Nf3 Nf6"}) {
        const chess::Position from = facts::after(before);
        for (const chess::Move move : from.legal_moves()) {
            const int said = 10 + count;
            graph.apply(facts::fact(id++, from, move, Score::cp(said)));
            const chess::Position next = from.after(move);
            const int off = count % 10 == 9 ? 200 : count % 2 == 0 ? 11 : -5;
            graph.apply(facts::fact(id++, next, next.legal_moves()[0], Score::cp(-(said + off))));
            ++count;
        }
    }
    const auto noise = analysis::measure_noise(graph);
    REQUIRE(noise);
    CHECK(noise->pairs >= 40);
    CHECK((noise->median == 11 || noise->median == -5));
    CHECK(noise->sigma == Approx(1.4826 * 16).epsilon(0.01));
    // A larger limit answers another question.
    Graph unlike;
    for (const chess::Move move : start.legal_moves()) {
        unlike.apply(facts::fact(id++, start, move, Score::cp(10), 10));
        const chess::Position next = start.after(move);
        for (const chess::Move reply : next.legal_moves()) {
            unlike.apply(facts::fact(id++, next, reply, Score::cp(-10), 14));
        }
    }
    CHECK_FALSE(analysis::measure_noise(unlike));
}

TEST_CASE("noise: of a part of a graph it is the same in whatever order the facts came") {
    std::vector<analysis::Evaluation> facts;
    const chess::Position start = chess::Position::initial();
    for (const chess::Move move : start.legal_moves()) {
        const auto id = static_cast<std::int64_t>(facts.size()) + 1;
        facts.push_back(facts::fact(id, start, move, Score::cp(static_cast<int>(id * 37 % 90))));
        const chess::Position next = start.after(move);
        for (const chess::Move reply : next.legal_moves()) {
            const auto other = static_cast<std::int64_t>(facts.size()) + 1;
            const chess::Position last = next.after(reply);
            facts.push_back(
                facts::fact(other, next, reply, Score::cp(static_cast<int>(other * 53 % 70))));
            facts.push_back(facts::fact(other + 1, last, last.legal_moves()[0],
                                        Score::cp(static_cast<int>(other * 29 % 80))));
        }
    }
    const auto measured = [&](std::size_t most) {
        Graph graph;
        for (const auto& fact : facts) {
            graph.apply(fact);
        }
        return analysis::measure_few(graph, most);
    };
    const auto part = measured(200);
    CHECK(part.pairs > 30);
    CHECK(part.pairs < measured(10'000).pairs / 2);
    std::reverse(facts.begin(), facts.end());
    CHECK(measured(200) == part);
}
