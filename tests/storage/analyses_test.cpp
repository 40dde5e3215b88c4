// Analyses, what belongs to them, questions that failed, and what clouds said.
#include "place.hpp"

#include "chess/notation.hpp"

#include <ranges>

using namespace adjourn::storage;
using namespace adjourn::storage::test;

TEST_CASE_METHOD(Opened, "analyses: insert, change, order, remove") {
    AnalysisRecord a = sample_analysis(engine, "a", 2.5), b = sample_analysis(EngineId{}, "b", -1);
    a.id = static_cast<AnalysisId>(insert_and_wait(*store, a).id);
    b.id = static_cast<AnalysisId>(insert_and_wait(*store, b).id);
    CHECK(store->analyses() == std::vector{b, a});

    for (int state = 0; state < 6; ++state) {
        a.state = static_cast<AnalysisState>(state);
        a.name = "name\n\"with\" 'quotes' ♞ " + std::string(1, '\0') + "and a zero";
        a.rank = -2;
        a.limit = {analysis::Limit::Kind::movetime, 5};
        a.root_moves.clear();
        a.engine = {};
        store->update(a, {});
        store->flush();
        REQUIRE(store->analyses() == std::vector{a, b});
    }
    store->append(sample_fact(engine, 1), {});
    store->remove(a.id, {});
    store->flush();
    CHECK(store->analyses() == std::vector{b});
    CHECK(store->evaluation_count() == 1);
    // The address of a removed analysis never shows another one.
    store->remove(b.id, {});
    store->flush();
    CHECK(insert_and_wait(*store, b).id > static_cast<std::int64_t>(b.id));
}

TEST_CASE_METHOD(House, "what belongs to an analysis comes back, and goes with it") {
    const AnalysisId other{insert_and_wait(*store, sample_analysis(engine, "b", 2)).id};

    chess::Position position = *chess::Position::from_fen(sample_analysis(engine, "", 0).root_fen);
    for (const auto move : sample_analysis(engine, "", 0).root_moves) {
        position.play(move);
    }
    const chess::Move first = position.legal_moves()[0], second = position.legal_moves()[1];
    std::vector<DirectiveRecord> directives = {
        {0, id, position.packed(), first, {}, "include", "", 10},
        {0, id, position.after(first).packed(), std::nullopt, {first}, "note", "a plan", 11},
    };
    std::vector<SnapshotRecord> snapshots = {{0, id, 1, 20, R"({"a":1})"}, {0, id, 2, 21, "{}"}};
    const std::vector<SeedRecord> seeds = {{id, position.packed(), second, "games.pgn", 30},
                                           {id, position.packed(), first, "person", 31},
                                           {other, position.packed(), first, "games.pgn", 32}};
    const UsageRecord usage{id, 0, 4, 5};
    CHECK(store->usage(id) == UsageRecord{.analysis = id});

    for (DirectiveRecord& directive : directives) {
        store->append(directive, [&](const auto& written) { directive.id = written.value().id; });
    }
    for (SnapshotRecord& snapshot : std::views::reverse(snapshots)) { // read by moment
        store->append(snapshot, [&](const auto& written) { snapshot.id = written.value().id; });
    }
    std::size_t new_seeds = 0;
    for (const SeedRecord& seed : seeds) {
        store->append(seed,
                      [&](const auto& written) { new_seeds += written.value().inserted ? 1 : 0; });
    }
    SeedRecord later = seeds[0];
    later.source = "other.pgn";
    bool inserted = true;
    store->append(later, [&](const auto& written) { inserted = written.value().inserted; });
    store->write(Spent{id, {1, 2}}, {});
    store->write(Spent{id, {3, 3}}, {});
    store->flush();
    CHECK(new_seeds == 3);
    CHECK_FALSE(inserted);
    CHECK(store->directives(id) == directives);
    CHECK(store->snapshots(id) == snapshots);
    CHECK(store->seeds(id) == std::vector{seeds[0], seeds[1]});
    CHECK(store->seeds(other) == std::vector{seeds[2]});
    CHECK(store->usage(id) == usage);
    CHECK(store->directives(other).empty());
    CHECK(store->check().empty());

    store->remove(id, {});
    store->flush();
    CHECK(store->directives(id).empty());
    CHECK(store->snapshots(id).empty());
    CHECK(store->seeds(id).empty());
    CHECK(store->usage(id) == UsageRecord{.analysis = id});
    CHECK(store->seeds(other).size() == 1);
    CHECK(store->check().empty());
}

TEST_CASE_METHOD(
    House,
    "an order: what is left of it is stored with each answer, as long as its analysis is there") {
    const auto moves = *chess::parse_line(chess::Position::initial(), "e4 c5"); // the root
    const chess::Position position = chess::Position::initial().after(moves[0]).after(moves[1]);
    DirectiveRecord order{0,  id,       position.packed(), std::nullopt,
                          {}, "verify", "evaluations 3",   10};
    std::int64_t number = 0;
    store->append(order, [&](const auto& written) { number = written->id; });
    store->flush();
    order.id = number;
    const auto answer = [&](int which, const std::string& left) {
        order.text = left;
        store->write(Answered{sample_fact(engine, which), id, {}, false, order}, {});
        store->flush();
    };
    answer(1, "evaluations 2");
    CHECK(store->directives(id) == std::vector{order});
    answer(1, "evaluations 1"); // the same question, answered before
    answer(2, "evaluations 0");
    CHECK(store->directives(id) == std::vector{order});
    CHECK(store->check() == std::vector<std::string>{});
    store->remove(id, {});
    answer(3, "evaluations 9");
    CHECK(store->directives(id).empty());
    CHECK(store->evaluation_count() == 3);
}

TEST_CASE_METHOD(Opened,
                 "failures: the latest word on a question, until it is answered or cleared") {
    const EngineId other = store->engine(sample_engine(2));
    const auto question = [&](EngineId id, std::uint64_t n) { return sample_fact(id, n).question; };
    store->fail({question(engine, 1), "crashed", 1, 100}, {});
    store->fail({question(engine, 2), "timed out", 1, 101}, {});
    store->fail({question(other, 1), "crashed", 1, 102}, {});
    store->fail({question(engine, 1), "crashed again", 2, 103}, {});
    store->flush();
    CHECK(store->failures(engine) ==
          std::vector<FailureRecord>{{question(engine, 2), "timed out", 1, 101},
                                     {question(engine, 1), "crashed again", 2, 103}});
    store->append(sample_fact(engine, 2), {});
    store->flush();
    CHECK(store->failures(engine).size() == 1);
    CHECK(store->check().empty());
    store->clear_failures(engine, {});
    store->flush();
    CHECK(store->failures(engine).empty());
    CHECK(store->failures(other).size() == 1);
}

TEST_CASE_METHOD(House,
                 "clouds: of each position and cloud the last answer, unless it is damaged") {
    const auto here = chess::Position::initial().packed();
    const auto there = sample_position(7).packed();
    const CloudRecord first{here, "lichess", 5, "{}"}, again{here, "lichess", 9, ""};
    const CloudRecord other{here, "chessdb", 7, R"({"status":"ok","moves":[]})"};
    for (const CloudRecord& record : {first, other, again}) {
        write(record);
    }
    write(CloudRecord{there, "lichess", 6, "x"});
    CHECK(write(CloudRecord{{}, "lichess", 6, "x"}).error().why ==
          "answer of a cloud refused: a position of no bytes");
    for (int i = 0; i < 2; ++i) {                                // also after a restart
        CHECK(store->clouds(here) == std::vector{other, again}); // by source
        CHECK(store->clouds(there).size() == 1);
        CHECK(store->clouds(sample_position(8).packed()).empty());
        CHECK(store->evaluation_count() == 0);
        CHECK(store->check() == std::vector<std::string>{});
        reopen();
    }
    store.reset();
    damage_rows(place, "UPDATE clouds SET text = '[]' WHERE source = 'chessdb'");
    reopen();
    std::vector<std::string> told;
    CHECK(store->clouds(here, [&](const std::string& row) { told.push_back(row); }) ==
          std::vector{again});
    REQUIRE(told.size() == 1);
    CHECK(told[0].find("answer of a cloud at 7 is damaged") != std::string::npos);
    CHECK(store->check().size() == 1);
    write(other); // takes its place
    CHECK(store->clouds(here) == std::vector{other, again});
}
