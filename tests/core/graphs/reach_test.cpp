#include "core/graphs/graph_slot.hpp"

#include "chess/notation.hpp"
#include "test.hpp"

using namespace adjourn::server;

namespace {

analysis::NodeId grow(analysis::Graph& graph, const chess::Position& position, const char* san) {
    static std::int64_t number = 0;
    analysis::Evaluation fact;
    fact.id = analysis::EvaluationId{++number};
    fact.question = {
        position.packed(), analysis::EngineId{1}, {analysis::Limit::Kind::depth, 8}, {}};
    fact.move = *chess::parse_san(position, san);
    fact.score = chess::Score::cp(10);
    fact.depth = 8;
    graph.apply(fact);
    return graph.intern(position);
}

chess::Position after(const char* line) {
    chess::Position position = chess::Position::initial();
    const auto moves = chess::parse_line(position, line);
    REQUIRE(moves);
    for (const chess::Move move : *moves) {
        position.play(move);
    }
    return position;
}

} // namespace

TEST_CASE("reach: expanded positions are counted once, by whatever order they grow") {
    analysis::Graph graph;
    const auto root = grow(graph, after(""), "Nf3");
    Reach reach{root};
    CHECK(reach.go_on(graph, 100));
    CHECK(reach.expanded() == 1);
    // Not reached yet: the move to it is missing.
    reach.grown(grow(graph, after("1. Nf3 Nf6"), "Nc3"));
    CHECK(reach.go_on(graph, 100));
    CHECK(reach.expanded() == 1);
    reach.grown(grow(graph, after("1. Nf3"), "Nf6"));
    CHECK(reach.go_on(graph, 100));
    CHECK(reach.expanded() == 3);
    // The same position by other moves is the same.
    reach.grown(grow(graph, after("1. Nf3 Nf6 2. Nc3"), "Nc6"));
    reach.grown(root);
    CHECK(reach.go_on(graph, 100));
    CHECK(reach.expanded() == 4);
    // In pieces.
    Reach pieces{root};
    CHECK_FALSE(pieces.go_on(graph, 1));
    CHECK(pieces.expanded() == 1);
    CHECK_FALSE(pieces.go_on(graph, 1));
    CHECK(pieces.expanded() == 2);
    CHECK(pieces.go_on(graph, 3));
    CHECK(pieces.expanded() == 4);
}
