// A graph that was written as bytes and read again is the graph that it was.
#include "two_graphs.hpp"

#include "analysis/graph.hpp"

using namespace adjourn::two_graphs;

namespace {

using Bytes = std::vector<std::byte>;

Bytes image_of(const Graph& graph) {
    Bytes bytes;
    analysis::write_image(graph, [&](std::span<const std::byte> piece) {
        bytes.insert(bytes.end(), piece.begin(), piece.end());
    });
    return bytes;
}

std::optional<Graph> graph_of(std::span<const std::byte> bytes, const Basis& basis = {},
                              std::shared_ptr<const analysis::Tables> tables = nullptr) {
    std::size_t at = 0;
    const auto take = [&](std::span<std::byte> piece) {
        if (bytes.size() - at < piece.size()) {
            return false;
        }
        if (!piece.empty()) {
            std::memcpy(piece.data(), bytes.data() + at, piece.size());
        }
        at += piece.size();
        return true;
    };
    return analysis::read_image(take, bytes.size(), std::move(tables), basis);
}

} // namespace

TEST_CASE("an image is the graph again, and grows as the graph does") {
    constexpr std::uint64_t seed = 20'261'125;
    std::cout << "graph image: seed " << seed << '\n';
    model::Random random{seed};
    for (std::size_t round = 0; round < model::tries(60); ++round) {
        INFO("round " << round);
        RandomCase one{random, round};
        one.divide(random, round);
        const auto& [start, made, tables, basis, first] = one;
        // Of a graph that grew, as of one that was read.
        Graph expected = round % 3 == 0 ? one_by_one(first, start, basis, tables)
                                        : read(first, start, basis, tables);
        const Bytes bytes = image_of(expected);
        auto graph = graph_of(bytes, basis, tables);
        REQUIRE(graph);
        require_equal(expected, *graph);
        REQUIRE(image_of(*graph).size() == bytes.size());
        for (std::size_t i = first.size(); i < made.size(); ++i) {
            REQUIRE(graph->apply(made[i]) == expected.apply(made[i])); // the same numbers, too
        }
        const analysis::NodeId other = expected.intern(facts::after("1. e4"));
        expected.add_root(other);
        graph->add_root(graph->intern(facts::after("1. e4")));
        require_equal(expected, *graph);
        const analysis::NodeId root = *expected.find(start.packed());
        expected.remove_root(root);
        graph->remove_root(root);
        require_equal(expected, *graph);
    }
}

TEST_CASE("an image that ends too early, or too late, is none") {
    model::Random random{1};
    const auto made = facts::random_facts(random, Position::initial(), 100, facts::any_move);
    const Graph graph = read(made, Position::initial(), {}, nullptr);
    Bytes bytes = image_of(graph);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        REQUIRE_FALSE(graph_of(std::span{bytes}.first(size)));
    }
    REQUIRE(graph_of(bytes));
    bytes.push_back(std::byte{});
    REQUIRE_FALSE(graph_of(bytes));
}

TEST_CASE("the image of an empty graph is an empty graph") {
    auto graph = graph_of(image_of(Graph{}));
    REQUIRE(graph);
    CHECK(graph->node_count() == 0);
    CHECK(graph->verify().empty());
    const analysis::NodeId root = graph->intern(Position::initial());
    graph->add_root(root);
    CHECK(graph->ply(root) == 0u);
}
