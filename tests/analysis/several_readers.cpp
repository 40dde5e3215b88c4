// Threads that read one graph at once get what one thread gets.
#include "two_graphs.hpp"

#include "analysis/estimate.hpp"
#include "analysis/verdict.hpp"

using namespace adjourn::two_graphs;

namespace {

// What is asked of one node.
struct Answer {
    std::optional<Position> position;
    std::optional<NodeId> found;
    std::optional<Score> alpha;
    std::vector<Score> moves;
    std::vector<chess::Move> variation;
    std::size_t below = 0;
    std::optional<analysis::Estimate> estimate;
    std::vector<std::optional<analysis::Estimate>> estimates;
    std::optional<double> cost; // of the verdict

    friend bool operator==(const Answer&, const Answer&) = default;
};

// A line that ends there, as long as parents lead back without end.
std::vector<NodeId> line_to(const Graph& graph, NodeId node) {
    std::vector<NodeId> line{node};
    while (line.size() < 6) {
        const auto parents = graph.parents(line.front());
        if (parents.empty()) {
            break;
        }
        line.insert(line.begin(), parents.front().node);
    }
    return line;
}

Answer ask(const Graph& graph, NodeId node) {
    Answer answer;
    answer.position = graph.position(node);
    answer.found = graph.find(answer.position->packed());
    const auto line = line_to(graph, node);
    const analysis::LineValues values{graph, line};
    answer.alpha = values.alpha();
    for (std::size_t i = 0; i < graph.moves(node).size(); ++i) {
        answer.moves.push_back(values.alpha_of(i).value);
    }
    answer.variation = analysis::alpha_pv(graph, line);
    answer.below = graph.count_below(node, 100);
    const auto estimates = analysis::estimates(graph, node, {}, 50);
    answer.estimate = estimates.position;
    answer.estimates = estimates.moves;
    if (!answer.variation.empty() && static_cast<std::uint32_t>(node) % 8 == 0) { // it takes long
        const auto verdict =
            analysis::verdict(graph, line, answer.variation.front(), 0, {}, {}, {5, 20});
        answer.cost = verdict ? std::optional{verdict->cost} : std::nullopt;
    }
    return answer;
}

// Of all nodes, from `first` on and then from the beginning.
std::vector<Answer> ask_all(const Graph& graph, std::size_t first) {
    std::vector<Answer> answers(graph.node_count());
    for (std::size_t n = 0; n < answers.size(); ++n) {
        const std::size_t at = (first + n) % answers.size();
        answers[at] = ask(graph, NodeId{static_cast<std::uint32_t>(at)});
    }
    return answers;
}

} // namespace

TEST_CASE("threads that read one graph at once get what one thread gets") {
    constexpr std::uint64_t seed = 20'261'126;
    std::cout << "several readers: seed " << seed << '\n';
    model::Random random{seed};
    for (std::size_t round = 0; round < model::tries(3); ++round) {
        INFO("round " << round);
        const Position& start = starts()[round % starts().size()];
        // More positions than a graph remembers.
        const auto made = facts::random_facts(random, start, 1'500, facts::any_move);
        const auto tables = round % 2 == 1 ? std::make_shared<const SomeTables>() : nullptr;
        const Graph graph = read(made, start, {}, tables); // remembers no position yet
        CHECK(graph.node_count() > 1'024);
        constexpr std::size_t threads = 4;
        std::vector<std::vector<Answer>> answers(threads);
        {
            std::vector<std::jthread> readers;
            for (std::size_t t = 0; t < threads; ++t) {
                // Two and two ask for the same at the same time.
                const std::size_t first = t / 2 * graph.node_count() / 2;
                readers.emplace_back([&, t, first] { answers[t] = ask_all(graph, first); });
            }
        }
        const auto expected = ask_all(graph, 0);
        for (const auto& of_thread : answers) {
            REQUIRE(of_thread == expected);
        }
    }
}
