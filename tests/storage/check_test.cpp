// check() finds whatever is wrong with a file, row by row, and says nothing of a sound one.
#include "contents.hpp"
#include "place.hpp"
#include "raw.hpp"
#include "samples.hpp"

#include "chess/notation.hpp"
#include "test.hpp"

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
    store->write(Spent{id, {}}, {});
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
    damage(directory, "UPDATE evaluations SET answer = x'0300000000'");
    const auto findings = open_store(directory, OpenMode::read)->check();
    REQUIRE(findings.size() == 201);
    CHECK(findings.back() == "and 400 more"); // two of each: its checksum, its form
}

TEST_CASE("facts cannot be changed by hand either") {
    const TemporaryDirectory directory;
    fill(directory);
    for (const char* sql :
         {"UPDATE evaluations SET at = 5", "DELETE FROM evaluations",
          "UPDATE positions SET key = x'01'", "DELETE FROM positions",
          "UPDATE engines SET name = 'other'", "DELETE FROM engines",
          "INSERT INTO evaluations (id, engine, limit_kind, limit_amount, excluded, at, answer, "
          "checksum) SELECT id + 9, engine, limit_kind, limit_amount, excluded, at, answer, "
          "checksum FROM evaluations"}) {
        CAPTURE(sql);
        CHECK_THROWS_AS(Database(database_file(directory), Access::write).execute(sql),
                        SqliteError);
    }
    const TemporaryDirectory other;
    fill(other);
    Database database{database_file(other), Access::write};
    CHECK_THROWS_WITH(
        database.execute("REPLACE INTO evaluations (id, engine, limit_kind, limit_amount, "
                         "excluded, at, answer, checksum) VALUES (65536, 1, 0, 99, x'', 0, "
                         "x'0000000000', 0)"),
        Contains("never deleted"));
}

TEST_CASE("a damaged row of any kind is told of and left out, and nothing is made up") {
    struct Row {
        const char* sql;
        const char* told; // "": nobody can read it, or it is missed by the check alone
    };
    const auto [sql, told] = GENERATE(
        Row{"UPDATE evaluations SET at = at + 1 WHERE id = (SELECT min(id) FROM evaluations)",
            "evaluation "},
        Row{"UPDATE evaluations SET limit_amount = limit_amount + 1 WHERE id = (SELECT max(id) "
            "FROM evaluations)",
            "evaluation "},
        Row{"UPDATE analyses SET name = 'other' WHERE id = 1", "analysis 1 is damaged"},
        Row{"UPDATE usage SET nodes = nodes + 1 WHERE analysis = 1",
            "usage of analysis 1 is damaged"},
        Row{"UPDATE directives SET text = 'x' WHERE id = 2", "directive 2 is damaged"},
        Row{"UPDATE snapshots SET refine = 7 WHERE id = 2", "snapshot 2 is damaged"},
        Row{"UPDATE seeds SET at = 0 WHERE id = 3", "seed 3 is damaged"},
        Row{"UPDATE sources SET text = 'y'", "seed 1 is damaged"},
        Row{"UPDATE failures SET attempts = 9", "failure at position "},
        Row{"UPDATE engines SET version = '9' WHERE id = 1", "engine 1 is damaged"},
        Row{"UPDATE clouds SET at = 0 WHERE source = 'lichess'",
            "answer of a cloud at 0 is damaged"},
        Row{"DELETE FROM asked WHERE evaluation = (SELECT min(evaluation) FROM asked)",
            "asked for is damaged"},
        Row{"UPDATE asked_sums SET sum = sum + 1 WHERE analysis = 1",
            "what analysis 1 asked for is damaged"},
        Row{"UPDATE totals SET value = 5", ""}, Row{"DELETE FROM positions WHERE id = 2", ""});
    const Place place{GENERATE(kinds())};
    CAPTURE(sql, name_of(place.kind()));
    fill_all_tables(place);
    const AllRows whole = read_all(*open_store(place, OpenMode::read));
    damage_rows(place, sql);
    std::string all_told;
    const auto store = open_store(place, OpenMode::read);
    const AllRows now = read_all(*store, [&](const std::string& row) { all_told += row + "\n"; });
    CHECK_THAT(all_told, Contains(told));
    CHECK_FALSE(store->check().empty());
    CHECK(invented(now, whole) == "");
    CHECK_FALSE(now == whole);
}

TEST_CASE("an effort that is damaged is not made believable by what is added to it") {
    const TemporaryDirectory directory;
    fill(directory);
    damage(directory, "UPDATE usage SET nodes = 5");
    const auto store = open_owner(directory);
    Evaluation more = store->evaluations(chess::Position::initial().packed()).front();
    more.question.limit.amount += 1;
    more.nodes = 1'000;
    store->append(more, AnalysisId{1}, {});
    store->flush();
    std::string told;
    CHECK(store->usage(AnalysisId{1}, [&](const std::string& row) { told = row; }).nodes == 0);
    CHECK_THAT(told, Contains("usage of analysis 1 is damaged"));
    CHECK(store->asked(AnalysisId{1}).size() == 1);
}

TEST_CASE("check: a schema that is not the program's is told") {
    const TemporaryDirectory directory;
    fill(directory);
    damage(directory, "DROP TRIGGER engines_stay");
    const std::string missing = "schema: missing: trigger engines_stay of engines";
    CHECK(open_store(directory, OpenMode::read)->check() == std::vector{missing});
    // A few bytes of it damaged.
    std::string file = read_file(database_file(directory));
    for (std::size_t at = 0; // also where it stood before
         (at = file.find("evaluations are never changed", at)) != std::string::npos;) {
        file[at] = 'E';
    }
    write_file(database_file(directory), file);
    const auto findings = open_store(directory, OpenMode::read)->check();
    REQUIRE(findings.size() == 3);
    CHECK_THAT(findings[0], Contains("not as it was made: trigger evaluations_stay") &&
                                Contains("'Evaluations are never changed'"));
    CHECK(findings[1] == missing);
}

// Told here a second time, in SQL, as docs/internals/database-format.md names the values.
TEST_CASE("the checksum of every row is of what the format says") {
    const TemporaryDirectory directory;
    fill_all_tables(directory);
    const std::string engine = "(SELECT fingerprint FROM engines e WHERE e.id = engine)";
    const std::string key = "(SELECT key FROM positions p WHERE p.id = position)";
    const std::pair<std::string, std::string> values[] = {
        {"evaluations",
         engine + ", " + key + ", id, limit_kind, limit_amount, excluded, at, answer"},
        {"failures",
         engine + ", " + key + ", limit_kind, limit_amount, excluded, reason, attempts, at"},
        {"analyses", "id, name, root_fen, root_moves, profile, coalesce(" + engine +
                         ", ''), limit_kind, limit_amount, parameters, priority, rank, state, "
                         "state_reason, created_at"},
        {"directives", "id, analysis, " + key + ", coalesce(move, -1), line, action, text, at"},
        {"snapshots", "id, analysis, refine, at, data"},
        {"seeds",
         "id, analysis, " + key + ", move, (SELECT text FROM sources s WHERE s.id = source), at"},
        {"clouds", "position, source, at, text"},
        {"usage", "analysis, evaluations_new, nodes, engine_ms"}};
    Database database{database_file(directory), Access::read};
    for (const auto& [table, what] : values) {
        CAPTURE(table);
        const std::string from = "SELECT count(*) FROM " + table;
        CHECK(database.integer(from.c_str()) >= 2);
        CHECK(database.integer(
                  (from + " WHERE checksum <> adjourn_checksum(" + what + ")").c_str()) == 0);
    }
    CHECK(database.integer("SELECT count(*) FROM asked_sums") == 2);
    CHECK(database.integer("SELECT count(*) FROM asked_sums s WHERE sum <> (SELECT "
                           "sum(adjourn_checksum(analysis, evaluation)) FROM asked a "
                           "WHERE a.analysis = s.analysis)") == 0);
}
