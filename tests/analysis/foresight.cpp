// What will most likely be asked next, as the searches that are out see it.
#include "analysis/foresight.hpp"
#include "world.hpp"

using namespace adjourn;
using namespace adjourn::analysis;
using namespace adjourn::analysis::testing;

namespace {

struct Looking : World {
    std::vector<Opinion> opinions;

    Opinion opinion_of(const char* after, const char* san, int cp,
                       std::vector<chess::Move> excluded = {}) {
        const NodeId at = node(after);
        return {at, limit, std::move(excluded), *chess::parse_san(graph.position(at), san),
                chess::Score::cp(cp)};
    }
    // The questions as text: the line, and how many moves are excluded.
    std::vector<std::string> ahead(int refine, int last, std::size_t most_positions = 100) {
        const PlanRequest request{
            graph,
            root_node(),
            limit,
            parameters,
            refine,
            steering,
            [&](NodeId at, const Limit&, const std::vector<chess::Move>& excluded) {
                for (const Opinion& out : opinions) {
                    if (out.node == at && out.excluded == excluded) {
                        return QuestionState::pending;
                    }
                }
                return QuestionState::open;
            },
            most_tasks,
            &seeds,
            before};
        std::vector<std::string> result;
        for (const Foreseen& next : foresee(request, opinions, last, most_positions)) {
            std::string text;
            chess::Position at = root;
            for (const chess::Move move : next.task.line) {
                text += chess::to_san(at, move) + " ";
                at.play(move);
            }
            CHECK(at.packed() == next.position.packed());
            CHECK(next.task.limit == limit);
            result.push_back(text + "-" + std::to_string(next.task.excluded.size()));
        }
        return result;
    }
};

} // namespace

TEST_CASE("foresight: the next questions are asked as if the search had ended") {
    Looking world;
    CHECK(world.ahead(1, 1).front() == "-0"); // nothing is out: the first question itself
    world.opinions = {world.opinion_of("", "e4", 30)};
    // Level 1 needs the moves inside the window.
    CHECK(world.ahead(1, 1) == std::vector<std::string>{"-1"});
    // The level after it what is played there.
    CHECK(world.ahead(1, 2) == std::vector<std::string>{"-1", "e4 -0"});
    // Two searches at once, the second one's move outside the window: it is not followed.
    world.opinions.push_back(world.opinion_of("", "a3", -200, {world.opinions.front().move}));
    CHECK(world.ahead(1, 1).empty());
    CHECK(world.ahead(1, 2) == std::vector<std::string>{"e4 -0"});
    // Inside it, it is.
    world.opinions.back() = world.opinion_of("", "d4", 25, {world.opinions.front().move});
    CHECK(world.ahead(1, 2) == std::vector<std::string>{"-2", "e4 -0", "d4 -0"});
}

TEST_CASE("foresight: answers and opinions together, as far as people let it") {
    Looking world;
    world.graph.apply(world.answer(world.root_node(), {}));
    const chess::Move best = world.graph.moves(world.root_node()).front().move;
    const std::string first = chess::to_san(world.root, best);
    const int cp = world.graph.moves(world.root_node()).front().engine_score.rank();
    const NodeId below = world.graph.moves(world.root_node()).front().target;
    chess::Position position = world.root.after(best);
    const chess::Move reply = *position.legal_moves().begin();
    world.opinions = {{below, world.limit, {}, reply, chess::Score::cp(-cp)}};
    const auto found = world.ahead(2, 2);
    const std::string line = first + " ";
    CHECK(std::ranges::find(found, line + "-1") != found.end());
    CHECK(std::ranges::find(found, line + "-0") == found.end());
    world.steering[below].excluded = {reply};
    const auto steered = world.ahead(2, 2);
    CHECK(std::ranges::find(steered, line + "-1") != steered.end()); // the answer's other moves
}

TEST_CASE("foresight: none in a tree that is larger than asked for") {
    Looking world;
    world.grow(2);
    const std::size_t positions = world.graph.count_below(world.root_node(), 1'000);
    CHECK_FALSE(world.ahead(3, 3, positions).empty());
    CHECK(world.ahead(3, 3, positions - 1).empty());
}

TEST_CASE("foresight: the same questions as the plan where nothing is out") {
    Looking world;
    world.grow(2);
    const Plan plan = world.plan(3);
    const auto found = world.ahead(3, 3);
    REQUIRE(found.size() == plan.tasks.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        CHECK(found[i].ends_with("-" + std::to_string(plan.tasks[i].excluded.size())));
    }
}

TEST_CASE("foresight: a search is believed from a sixteenth of its limit on") {
    using Kind = Limit::Kind;
    CHECK(far_enough({Kind::nodes, 16'000}, 5, 1'000, 0));
    CHECK_FALSE(far_enough({Kind::nodes, 16'000}, 20, 999, 0));
    CHECK(far_enough({Kind::movetime, 1'600}, 5, 100'000, 1'000'000));
    CHECK_FALSE(far_enough({Kind::movetime, 1'600}, 5, 99'000, 1'000'000));
    CHECK_FALSE(far_enough({Kind::movetime, 1'600}, 5, 99'000, 0));
    CHECK(far_enough({Kind::depth, 20}, 14, 0, 0)); // 2^(0.6 × 6) < 16
    CHECK_FALSE(far_enough({Kind::depth, 20}, 13, 0, 0));
    CHECK_FALSE(far_enough({Kind::depth, 1}, 0, 0, 0));
}
