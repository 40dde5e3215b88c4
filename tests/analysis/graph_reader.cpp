// A graph that was read in one go is the graph of the same facts applied one by one.
#include "two_graphs.hpp"

using namespace adjourn::two_graphs;

namespace {

// What has no effect, among what has.
void add_useless(model::Random& random, std::vector<Evaluation>& made) {
    for (std::size_t i = 0; i < 10; ++i) {
        Evaluation bad = made[model::below(random, made.size())];
        switch (model::below(random, 4)) {
        case 0: bad.move.reset(); break;
        case 1: bad.bound = analysis::Bound::lower; break;
        case 2: bad.move = chess::Move::normal(chess::Square{0}, chess::Square{63}); break;
        default: bad.question.position.bytes.fill(0xff);
        }
        made.insert(made.begin() + static_cast<std::ptrdiff_t>(model::below(random, made.size())),
                    bad);
    }
}

} // namespace

TEST_CASE("a graph read in one go equals one that was given the facts one by one") {
    constexpr std::uint64_t seed = 20'261'123;
    std::cout << "graph reader: seed " << seed << '\n';
    model::Random random{seed};
    for (std::size_t round = 0; round < model::tries(60); ++round) {
        INFO("round " << round);
        RandomCase one{random, round};
        add_useless(random, one.made);
        if (round % 3 != 0) { // as a store gives them, else in any order
            std::ranges::stable_sort(one.made, {},
                                     [](const Evaluation& fact) { return fact.question.position; });
        }
        one.divide(random, round);
        const auto& [start, made, tables, basis, first] = one;
        Graph expected = one_by_one(first, start, basis, tables);
        Graph graph = read(first, start, basis, tables);
        require_equal(expected, graph);
        for (std::size_t i = first.size(); i < made.size(); ++i) {
            const std::size_t changed = expected.apply(made[i]).size();
            REQUIRE(graph.apply(made[i]).size() == changed);
        }
        require_equal(expected, graph);
    }
}

TEST_CASE("a reader that was given nothing makes an empty graph with its roots") {
    const Position roots[] = {Position::initial(), Position::initial(), facts::after("1. e4")};
    Graph graph = analysis::GraphReader{}.finish(roots);
    CHECK(graph.node_count() == 2);
    CHECK(graph.move_count() == 0);
    const NodeId start = graph.find(roots[0].packed()).value();
    graph.remove_root(start); // it was one twice
    CHECK(graph.ply(start) == 0u);
}
