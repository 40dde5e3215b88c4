#include "affinity.hpp"

#include "core/engines/find_program.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <stdexcept>

using namespace adjourn;
using namespace adjourn::bench;

TEST_CASE("affinity: the questions of a tree begin at its root, and lines keep their number") {
    const std::string stockfish = server::find_program("stockfish").value();
    const auto questions = questions_of_tree(stockfish, 12, 2);
    REQUIRE(questions.size() == 12);
    CHECK(questions.front().position == chess::Position::initial());
    std::set<std::uint64_t> lines;
    bool several = false; // questions of one line
    bool narrowed = false;
    for (const TreeQuestion& question : questions) {
        CHECK(question.line != 0);
        several |= !lines.insert(question.line).second;
        narrowed |= !question.searchmoves.empty();
    }
    CHECK(lines.size() > 1);
    CHECK(several);
    CHECK(narrowed);
    for (const Arrangement arrangement :
         {Arrangement::empty, Arrangement::any, Arrangement::affinity}) {
        engine_bridge::Profile profile;
        profile.name = "stockfish";
        profile.command = {stockfish};
        profile.count = 2;
        const ArrangementCost cost = ask_all(questions, 3, profile, arrangement);
        CHECK(cost.unanswered == 0);
        CHECK(cost.nodes >= questions.size());
    }
}

TEST_CASE("affinity: an engine that does not start is told of") {
    CHECK_THROWS_AS(questions_of_tree("/no/such/engine", 3, 2), std::runtime_error);
    engine_bridge::Profile profile;
    profile.name = "nobody";
    profile.command = {"/no/such/engine"};
    CHECK_THROWS_WITH(ask_all({{chess::Position::initial(), {}, 1}}, 2, profile, Arrangement::any),
                      Catch::Contains("/no/such/engine"));
}
