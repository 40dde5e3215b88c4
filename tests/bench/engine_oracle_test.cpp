#include "bench/strategies/engine_oracle.hpp"

#include "storage/sqlite.hpp"
#include "temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <thread>

using namespace adjourn;
using namespace adjourn::bench;

namespace {

engine_bridge::Profile profile() {
    engine_bridge::Profile result;
    result.name = "hash_engine";
    result.command = {ADJOURN_HASH_ENGINE};
    result.count = 2;
    return result;
}

analysis::Question question(const EngineOracle& oracle, const chess::Position& position,
                            std::vector<chess::Move> excluded = {}) {
    return {
        position.packed(), oracle.engine(), {analysis::Limit::Kind::depth, 4}, std::move(excluded)};
}

} // namespace

TEST_CASE("engine oracle: answers are kept, and a second run asks no engine") {
    const TemporaryDirectory directory;
    const chess::Position start = chess::Position::initial();
    std::vector<analysis::Evaluation> answers;
    {
        const auto store = storage::open_sqlite(directory.path(), storage::OpenMode::owner);
        EngineOracle oracle{*store, profile()};
        const auto first = oracle.ask(question(oracle, start));
        REQUIRE(first.move);
        REQUIRE(first.score);
        const auto second = oracle.ask(question(oracle, start, {*first.move}));
        REQUIRE(second.move);
        CHECK(*second.move != *first.move);
        CHECK(second.score->rank() <= first.score->rank());
        answers = {first, second};
        CHECK(oracle.searches() == 2);
        CHECK(oracle.ask(question(oracle, start)).score == first.score);
        CHECK(oracle.searches() == 2);
    }
    const auto store = storage::open_sqlite(directory.path(), storage::OpenMode::owner);
    EngineOracle oracle{*store, profile()};
    const auto first = oracle.ask(question(oracle, start));
    const auto second = oracle.ask(question(oracle, start, {*first.move}));
    CHECK(first.move == answers[0].move);
    CHECK(first.score == answers[0].score);
    CHECK(second.move == answers[1].move);
    CHECK(oracle.searches() == 0);
}

TEST_CASE("engine oracle: many threads with one question are one search") {
    const TemporaryDirectory directory;
    const auto store = storage::open_sqlite(directory.path(), storage::OpenMode::owner);
    EngineOracle oracle{*store, profile()};
    std::vector<std::thread> crowd;
    std::vector<std::optional<chess::Move>> moves(8);
    for (auto& move : moves) {
        crowd.emplace_back([&oracle, &move] {
            move = oracle.ask(question(oracle, chess::Position::initial())).move;
        });
    }
    for (std::thread& thread : crowd) {
        thread.join();
    }
    CHECK(oracle.searches() == 1);
    for (const auto& move : moves) {
        CHECK(move == moves.front());
    }
}

TEST_CASE("engine oracle: an engine that is not there is an error that names it") {
    const TemporaryDirectory directory;
    const auto store = storage::open_sqlite(directory.path(), storage::OpenMode::owner);
    engine_bridge::Profile none = profile();
    none.command = {"/nonexistent/engine"};
    CHECK_THROWS_WITH((EngineOracle{*store, none}), Catch::Contains("/nonexistent/engine"));
}
