// check() finds whatever is wrong with a file, row by row, and says nothing of a sound one.
#include "raw.hpp"
#include "samples.hpp"

#include "chess/notation.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace adjourn;
using namespace adjourn::storage;
using namespace adjourn::storage::test;
using Catch::Contains;

namespace {

// One of everything, at the initial position (id 1): evaluation 65536 "1. e4 e5" and evaluation
// 65537, which excluded e4, "1. d4"; a failure, an analysis with a directive, a snapshot, a seed,
// usage.
void fill(const std::filesystem::path& directory) {
    const auto store = open_owner(directory);
    const chess::Position start = chess::Position::initial();
    Evaluation first;
    first.question = {start.packed(), store->engine(sample_engine()), {}, {}};
    first.pv = *chess::parse_line(start, "e4 e5");
    first.move = first.pv.front();
    first.score = chess::Score::cp(20);
    REQUIRE(append_and_wait(*store, first).id == 65'536);
    Evaluation second = first;
    second.question.excluded = {*first.move};
    second.pv = *chess::parse_line(start, "d4");
    second.move = second.pv.front();
    REQUIRE(append_and_wait(*store, second).id == 65'537);
    store->fail(
        {{start.packed(), first.question.engine, {analysis::Limit::Kind::nodes, 5}, {}}, "x", 1, 2},
        {});
    const AnalysisId id{insert_and_wait(*store, sample_analysis(first.question.engine, "a", 1)).id};
    const auto line = *chess::parse_line(start, "e4 c5");
    const auto root = start.after(line[0]).after(line[1]);
    store->append(DirectiveRecord{0, id, root.packed(), root.legal_moves()[0], {}, "now", "", 3},
                  {});
    store->append(SnapshotRecord{0, id, 1, 4, "{}"}, {});
    store->append(SeedRecord{id, start.packed(), *first.move, "person", 5}, {});
    store->set({.analysis = id}, {});
    store->flush();
}

} // namespace

TEST_CASE("check: a sound store has no findings, an empty one neither") {
    const TemporaryDirectory directory;
    CHECK(open_owner(directory)->check().empty());
    fill(directory);
    CHECK(open_owner(directory)->check().empty());
    CHECK(open_store(directory, OpenMode::read)->check().empty());
}

TEST_CASE("check: every kind of damage is found and named") {
    struct Damage {
        const char* sql;
        const char* finding;
    };
    // Moves alone: e2e4 0c 07, d2d4 cb 06, e7e5 34 09, e2a1 0c 00.
    const Damage damages[] = {
        {"UPDATE positions SET key = x'01' WHERE id = 1", "position 1: no legal position"},
        {"UPDATE engines SET options = 'Hash=1'", "engine 1: the fingerprint is not that of"},
        {"UPDATE engines SET fingerprint = 'abc'", "engine 1: the fingerprint is not that of"},
        {"UPDATE evaluations SET engine = 9 WHERE id = 65536",
         "evaluations 65536: refers to a row of engines that is missing"},
        {"UPDATE evaluations SET id = 5 * 65536 WHERE id = 65536",
         "evaluations 327680: refers to a row of positions that is missing"},
        {"DELETE FROM evaluations WHERE id = 65537", "totals: say another number"},
        {"UPDATE totals SET value = 7", "totals: say another number"},
        {"UPDATE evaluations SET excluded = x'' WHERE id = 65537",
         "evaluation 65537: its question is answered twice"},
        {"UPDATE evaluations SET excluded = x'0c' WHERE id = 65537",
         "evaluation 65537: moves end in the middle"},
        {"UPDATE evaluations SET excluded = x'3409' WHERE id = 65537",
         "evaluation 65537: the excluded move e7e5 is illegal"},
        {"UPDATE evaluations SET excluded = x'0cb76c' WHERE id = 65537",
         "evaluation 65537: excluded moves that are not sorted"},
        {"UPDATE evaluations SET excluded = x'cb06' WHERE id = 65537",
         "evaluation 65537: the move found was excluded"},
        {"UPDATE evaluations SET answer = x'0600000000000c00' WHERE id = 65536",
         "evaluation 65536: move 1, e2a1, is illegal"},
        {"UPDATE evaluations SET answer = x'0600000000000cc770' WHERE id = 65536",
         "evaluation 65536: move 2, e2e4, is illegal"},
        {"UPDATE evaluations SET answer = x'0300000000' WHERE id = 65536",
         "evaluation 65536: an answer of unknown form"},
        {"UPDATE evaluations SET answer = x'08ffffffff00000000' WHERE id = 65536",
         "evaluation 65536: an answer with a score that no score encodes to"},
        {"UPDATE failures SET excluded = x'3409'",
         "failure at position 1: the excluded move e7e5 is illegal"},
        {"UPDATE analyses SET root_fen = 'nonsense'", "analysis 1: its start position is none"},
        {"UPDATE analyses SET root_moves = x'3409'", "analysis 1: root move 1, e7e5, is illegal"},
        {"UPDATE analyses SET root_moves = x'0c07'",
         "directive 1: its line does not lead to its position"},
        {"UPDATE directives SET line = x'3409'", "directive 1: line 1, e7e5, is illegal"},
        {"UPDATE directives SET move = 99", "directive 1: its move is illegal"},
        {"UPDATE directives SET move = 99999", "directive 1: its move is illegal"},
        {"UPDATE directives SET analysis = 8",
         "directives 1: refers to a row of analyses that is missing"},
        {"UPDATE snapshots SET analysis = 8",
         "snapshots 1: refers to a row of analyses that is missing"},
        {"UPDATE seeds SET move = 99", "seed 1: its move is illegal"},
        {"UPDATE seeds SET source = 99", "seeds 1: refers to a row of sources that is missing"},
        {"PRAGMA ignore_check_constraints = ON; UPDATE evaluations SET limit_amount = 0 WHERE id = "
         "65536",
         "evaluation 65536: a limit of 0"},
        {"PRAGMA ignore_check_constraints = ON; UPDATE evaluations SET limit_kind = 7 WHERE id = "
         "65536",
         "evaluation 65536: a limit of unknown kind"},
    };
    const TemporaryDirectory whole;
    fill(whole);
    drop_triggers(whole);
    for (const Damage& damage : damages) {
        CAPTURE(damage.sql);
        const TemporaryDirectory directory;
        std::filesystem::copy_file(database_file(whole), database_file(directory));
        edit(directory, damage.sql);
        const auto findings = open_store(directory, OpenMode::read)->check();
        CAPTURE(findings);
        CHECK(std::ranges::any_of(findings, [&](const std::string& line) {
            return line.find(damage.finding) != std::string::npos;
        }));
    }
}

TEST_CASE("check: many findings are cut short, with their number") {
    const TemporaryDirectory directory;
    {
        const auto store = open_owner(directory);
        const EngineId engine = store->engine(sample_engine());
        for (std::uint64_t n = 0; n < 300; ++n) {
            store->append(sample_fact(engine, n), {});
        }
        store->flush();
    }
    drop_triggers(directory);
    edit(directory, "UPDATE evaluations SET answer = x'0300000000'");
    const auto findings = open_store(directory, OpenMode::read)->check();
    REQUIRE(findings.size() == 201);
    CHECK(findings.back() == "and 100 more");
}

TEST_CASE("facts cannot be changed by hand either") {
    const TemporaryDirectory directory;
    fill(directory);
    for (const char* sql :
         {"UPDATE evaluations SET at = 5", "DELETE FROM evaluations",
          "UPDATE positions SET key = x'01'", "DELETE FROM positions",
          "UPDATE engines SET name = 'other'", "DELETE FROM engines",
          "INSERT INTO evaluations (id, engine, limit_kind, limit_amount, excluded, at, answer) "
          "SELECT id + 9, engine, limit_kind, limit_amount, excluded, at, answer FROM "
          "evaluations"}) {
        CAPTURE(sql);
        CHECK_THROWS_AS(edit(directory, sql), SqliteError);
    }
    const TemporaryDirectory other;
    fill(other);
    Database database{database_file(other), Access::write};
    CHECK_THROWS_WITH(
        database.execute("REPLACE INTO evaluations (id, engine, limit_kind, limit_amount, "
                         "excluded, at, answer) VALUES (65536, 1, 0, 99, x'', 0, x'0000000000')"),
        Contains("never deleted"));
}

TEST_CASE("a damaged row that is read is told with its number, not guessed at") {
    const TemporaryDirectory directory;
    fill(directory);
    drop_triggers(directory);
    edit(directory, "UPDATE evaluations SET answer = x'0300000000' WHERE id = 65537");
    const auto store = open_store(directory, OpenMode::read);
    const auto damaged =
        Contains(database_file(directory).string() + ": evaluation 65537 is damaged");
    CHECK_THROWS_WITH(all_facts(*store, EngineId{1}), damaged);
    CHECK_THROWS_WITH(store->evaluations(chess::Position::initial().packed()), damaged);
}
