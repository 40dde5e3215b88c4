// Schema versions: what older programs left opens for ever; a step happens whole or not at all.
#include "../../storage/src/schema.hpp"

#include "faulty_disk.hpp"
#include "raw.hpp"
#include "samples.hpp"

#include "chess/notation.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <iostream>

using namespace adjourn;
using namespace adjourn::storage;
using namespace adjourn::storage::test;
using Catch::Contains;
using chess::Position;
using chess::Score;
namespace fs = std::filesystem;

namespace {

const fs::path v1_file = fs::path{ADJOURN_TEST_DATA} / "storage" / "v1.db";
const fs::path v2_file = fs::path{ADJOURN_TEST_DATA} / "storage" / "v2.db";
const fs::path v3_file = fs::path{ADJOURN_TEST_DATA} / "storage" / "v3.db";

Position after(const char* line) {
    Position position = Position::initial();
    const auto moves = *chess::parse_line(position, line);
    for (const auto move : moves) {
        position.play(move);
    }
    return position;
}

std::vector<chess::Move> moves(const Position& position, const char* line) {
    return *chess::parse_line(position, line);
}

const char* const endgame = "8/8/8/8/8/k1K5/8/7R w - - 0 1";

// What v1.db holds: one of everything. Spelt out, so that no change of the program changes it.
struct Contents {
    EngineRecord engine{EngineId{1}, "Stockfish 15.1", "", "Hash=64\nThreads=1",
                        "nn-ad9b42354671.nnue"};
    EngineRecord other{EngineId{2}, "Ethereal", "14.00", "", ""};
    std::vector<Evaluation> facts;
    std::vector<AnalysisRecord> analyses;
    std::vector<DirectiveRecord> directives;
    std::vector<SnapshotRecord> snapshots;
    std::vector<SeedRecord> seeds;
    std::vector<FailureRecord> failures;
    UsageRecord usage{AnalysisId{1}, 4, 1'234'567'890'123, 98'765};
    std::vector<std::size_t> asked; // by the analysis, as indices of `facts`

    Contents() {
        const Position start = Position::initial(), sicilian = after("e4 c5");
        const Position mate = *Position::from_fen(endgame);
        const Position castle = after("e4 e5 Nf3 Nc6 Bc4 Bc5");
        const auto fact = [&](const Position& position, EngineId id, analysis::Limit limit,
                              const char* excluded, const char* pv, std::optional<Score> score) {
            Evaluation& e = facts.emplace_back();
            e.question = {position.packed(), id, limit, {}};
            e.question.excluded = moves(position, excluded);
            e.pv = moves(position, pv);
            if (!e.pv.empty()) {
                e.move = e.pv.front();
            }
            e.score = score;
            e.depth = 18;
            e.seldepth = 25;
            e.nodes = 456'789;
            e.time_ms = 512;
            e.at = 1'767'225'600'000 + static_cast<std::int64_t>(facts.size());
        };
        using Kind = analysis::Limit::Kind;
        fact(start, engine.id, {Kind::depth, 18}, "", "e4 e5 Nf3", Score::cp(32));
        fact(start, engine.id, {Kind::depth, 18}, "e4", "d4 d5 c4", Score::cp(-7));
        fact(start, other.id, {Kind::nodes, 1'000'000}, "", "c4", Score::cp(100'000));
        fact(sicilian, engine.id, {Kind::movetime, 2'000}, "", "Nf3 d6 d4 cxd4 Nxd4", Score::cp(0));
        fact(mate, engine.id, {Kind::depth, 18}, "", "Ra1#", Score::mate_in(1));
        fact(mate, other.id, {Kind::depth, 18}, "Ra1", "Kc4",
             Score::tablebase(chess::Wdl::win, 12));
        fact(castle, engine.id, {Kind::depth, 18}, "", "O-O Nf6 d3 O-O", std::nullopt);
        facts.back().bound = analysis::Bound::lower;
        fact(castle, engine.id, {Kind::depth, 20}, "", "", std::nullopt); // found nothing
        fact(castle, engine.id, {Kind::depth, 22}, "", "b4", Score::mated_in(8));
        facts.back().pv.clear(); // a move alone
        facts.back().bound = analysis::Bound::upper;

        AnalysisRecord& a = analyses.emplace_back();
        a.id = AnalysisId{1};
        a.name = "Sicilian ♞";
        a.root_fen = start.fen();
        a.root_moves = moves(start, "e4 c5");
        a.profile = "stockfish";
        a.engine = engine.id;
        a.limit = {Kind::depth, 18};
        a.parameters = R"({"strategy":{"kind":"halving","move_distance":50}})";
        a.priority = 3;
        a.rank = -1.5;
        a.state = AnalysisState::exhausted;
        a.state_reason = "budget";
        a.created_at = 1'767'225'600'777;
        directives = {
            {1, a.id, sicilian.packed(), moves(sicilian, "Nc3").front(), {}, "include", "", 5},
            {2, a.id, after("e4 c5 Nf3").packed(), std::nullopt, moves(sicilian, "Nf3"), "note",
             "main line", 6}};
        snapshots = {{1, a.id, 1, 7, R"({"pv":["g1f3"]})"}};
        seeds = {{a.id, sicilian.packed(), moves(sicilian, "c3").front(), "alapin.pgn", 8}};
        failures = {{{after("d4").packed(), engine.id, {Kind::depth, 18}, {}}, "crashed", 3, 9}};
    }
};

void write(Store& store, const Contents& contents) {
    store.engine(contents.engine);
    store.engine(contents.other);
    for (const AnalysisRecord& analysis : contents.analyses) {
        store.insert(analysis, {});
    }
    for (std::size_t i = 0; i < contents.facts.size(); ++i) {
        const bool asked = std::ranges::find(contents.asked, i) != contents.asked.end();
        store.append(contents.facts[i], asked ? std::optional{AnalysisId{1}} : std::nullopt, {});
    }
    for (const DirectiveRecord& directive : contents.directives) {
        store.append(directive, {});
    }
    for (const SnapshotRecord& snapshot : contents.snapshots) {
        store.append(snapshot, {});
    }
    for (const SeedRecord& seed : contents.seeds) {
        store.append(seed, {});
    }
    for (const FailureRecord& failure : contents.failures) {
        store.fail(failure, {});
    }
    store.set(contents.usage, {});
    store.flush();
}

void require_holds(const Store& store, const Contents& contents) {
    CHECK(store.check() == std::vector<std::string>{});
    CHECK(store.engines() == std::vector{contents.engine, contents.other});
    CHECK(store.evaluation_count() == contents.facts.size());
    for (const Evaluation& fact : contents.facts) {
        const auto answer = store.answer(fact.question);
        REQUIRE(answer);
        CHECK(without_id(*answer) == fact);
    }
    CHECK(all_facts(store, EngineId{1}).size() + all_facts(store, EngineId{2}).size() ==
          contents.facts.size());
    CHECK(store.analyses() == contents.analyses);
    CHECK(store.directives(AnalysisId{1}) == contents.directives);
    CHECK(store.snapshots(AnalysisId{1}) == contents.snapshots);
    CHECK(store.seeds(AnalysisId{1}) == contents.seeds);
    CHECK(store.failures(EngineId{1}) == contents.failures);
    CHECK(store.usage(AnalysisId{1}) == contents.usage);
    std::vector<EvaluationId> asked;
    for (const std::size_t i : contents.asked) {
        asked.push_back(store.answer(contents.facts[i].question).value().id);
    }
    std::ranges::sort(asked);
    CHECK(store.asked(AnalysisId{1}) == asked);
}

void take(const fs::path& file, const fs::path& directory) {
    REQUIRE(fs::exists(file));
    fs::copy_file(file, database_file(directory), fs::copy_options::overwrite_existing);
    fs::permissions(database_file(directory), fs::perms::owner_write, fs::perm_options::add);
}

void take_v1(const fs::path& directory) {
    take(v1_file, directory);
}

// What version 2 added: who asked.
Contents contents_2() {
    Contents contents;
    contents.asked = {0, 1, 3};
    return contents;
}

std::vector<Migration> with_next(const char* sql) {
    std::vector<Migration> steps(migrations().begin(), migrations().end());
    steps.push_back({steps.back().version + 1, "9999_test", sql});
    return steps;
}

// Rebuilds the largest table, as a real step may have to.
const char* const rebuild = R"(
    CREATE TABLE snapshots_new (id INTEGER PRIMARY KEY AUTOINCREMENT,
        analysis INTEGER NOT NULL REFERENCES analyses (id) ON DELETE CASCADE,
        refine INTEGER NOT NULL, at INTEGER NOT NULL, data TEXT NOT NULL, extra TEXT) STRICT;
    INSERT INTO snapshots_new SELECT id, analysis, refine, at, data, 'new' FROM snapshots;
    DROP TABLE snapshots;
    ALTER TABLE snapshots_new RENAME TO snapshots;
    CREATE INDEX snapshots_by_analysis ON snapshots (analysis);
    CREATE TABLE filler (x BLOB);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
        INSERT INTO filler SELECT randomblob(3000) FROM n;
)";

} // namespace

TEST_CASE("a store of schema version 1 opens, and all of it is there") {
    const TemporaryDirectory directory;
    take_v1(directory);
    {
        const auto store = open_owner(directory);
        require_holds(*store, Contents{});
        // Known questions are known.
        for (const Evaluation& fact : Contents{}.facts) {
            CHECK_FALSE(append_and_wait(*store, fact).inserted);
        }
    }
    require_holds(*open_store(directory, OpenMode::read), Contents{});
}

TEST_CASE("a store of schema version 2 opens, and all of it is there") {
    const TemporaryDirectory directory;
    take(v2_file, directory);
    require_holds(*open_owner(directory), contents_2());
    require_holds(*open_store(directory, OpenMode::read), contents_2());
}

TEST_CASE("a store of schema version 3 opens, and all of it is there") {
    const TemporaryDirectory directory;
    take(v3_file, directory);
    require_holds(*open_owner(directory), contents_2());
    require_holds(*open_store(directory, OpenMode::read), contents_2());
}

TEST_CASE("damage in an older store is taken along, and told") {
    const TemporaryDirectory directory;
    take(v3_file, directory);
    damage(directory, "PRAGMA ignore_check_constraints = ON;"
                      "UPDATE evaluations SET limit_amount = 0 WHERE id = 65536");
    const auto store = open_owner(directory);
    CHECK(all_facts(*store, EngineId{1}).size() + all_facts(*store, EngineId{2}).size() ==
          contents_2().facts.size() - 1);
    const auto findings = store->check();
    CHECK(std::ranges::count(findings, "evaluation 65536: a limit of 0 or less") == 1);
}

TEST_CASE("a process that dies while a store of any older version is brought up to date",
          "[reliability]") {
    for (const auto& [file, contents] :
         {std::pair{v1_file, Contents{}}, {v2_file, contents_2()}, {v3_file, contents_2()}}) {
        std::size_t killed = 0;
        bool finished = false;
        for (std::uint64_t n = 1; !finished; ++n) {
            CAPTURE(file, n);
            const TemporaryDirectory directory;
            take(file, directory);
            const pid_t child = ::fork();
            if (child == 0) {
                FaultyDisk disk;
                disk.fail_at(n, Fault::kill);
                open_owner(directory);
                ::_exit(0);
            }
            int status = 0;
            ::waitpid(child, &status, 0);
            finished = WIFEXITED(status);
            killed += finished ? 0 : 1;
            const FaultyDisk good;
            {
                Database database{database_file(directory), Access::read};
                const int version = schema_version(database, migrations()); // old, new, or between
                REQUIRE(version >= 1);
                REQUIRE(version <= migrations().back().version);
                REQUIRE(database.text("PRAGMA integrity_check") == "ok");
                REQUIRE(database.integer("SELECT count(*) FROM evaluations") == 9);
            }
            require_holds(*open_owner(directory), contents);
        }
        std::cout << "reliability: killed while " << file.stem().string()
                  << " is brought up to date | " << killed << " | 0 | of 9 evaluations\n";
        CHECK(killed > 20);
    }
}

TEST_CASE("what this version writes comes back") {
    const TemporaryDirectory directory;
    write(*open_owner(directory), contents_2());
    require_holds(*open_owner(directory), contents_2());
}

TEST_CASE("migrations are numbered from 1 without gaps") {
    int expected = 1;
    for (const Migration& migration : migrations()) {
        CHECK(migration.version == expected++);
        CHECK_FALSE(migration.name.empty());
    }
    CHECK(expected > 1);
}

TEST_CASE("a new store says in its header what it is") {
    const TemporaryDirectory directory;
    open_owner(directory);
    Database database{database_file(directory), Access::read};
    CHECK(database.integer("PRAGMA application_id") == 0x41646a6e);
    CHECK(database.integer("PRAGMA user_version") == migrations().back().version);
    CHECK(database.text("PRAGMA journal_mode") == "wal");
}

TEST_CASE("a later step is taken, with everything kept") {
    const TemporaryDirectory directory;
    take_v1(directory);
    const auto steps = with_next(rebuild);
    {
        Database database{database_file(directory), Access::write};
        database.use_wal();
        migrate(database, steps);
        CHECK(schema_version(database, steps) == steps.back().version);
        CHECK(database.text("SELECT extra FROM snapshots") == "new");
        CHECK(database.integer("PRAGMA foreign_keys") == 1);
        CHECK_NOTHROW(migrate(database, steps)); // nothing is left to do
    }
    // This program does not know that version.
    CHECK_THAT(trouble_opening(directory, OpenMode::owner), Contains("written by a newer Adjourn"));
}

TEST_CASE("a step that fails changes nothing") {
    const TemporaryDirectory directory;
    take_v1(directory);
    const auto attempt = [&](const char* sql) -> std::string {
        Database database{database_file(directory), Access::write};
        try {
            migrate(database, with_next(sql));
            return "";
        } catch (const StoreError& error) {
            return error.what();
        }
    };
    CHECK_THAT(attempt("CREATE TABLE extra (x); DROP TABLE nonsense"), Contains("nonsense"));
    CHECK_THAT(attempt("CREATE TABLE extra (x); DROP TRIGGER engines_remain; DELETE FROM engines"),
               Contains("broken reference in table"));
    require_holds(*open_owner(directory), Contents{});
    Database database{database_file(directory), Access::read};
    CHECK(database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'extra'") == 0);
}

TEST_CASE("an older schema is not read, but brought up to date by its owner") {
    const TemporaryDirectory directory;
    take_v1(directory);
    Database database{database_file(directory), Access::read};
    CHECK_NOTHROW(require_current(database, migrations().first(1)));
    CHECK_THROWS_WITH(require_current(database, with_next("")),
                      Contains("written by an older Adjourn (schema 1, this program needs ") &&
                          Contains("'adjourn serve' on this directory"));
}

TEST_CASE("a process that dies in the middle of a step leaves the version before or after it") {
    const auto steps = with_next(rebuild);
    std::size_t before = 0, after = 0;
    for (std::uint64_t n = 1; after == 0; n += 3) {
        CAPTURE(n);
        const TemporaryDirectory directory;
        take_v1(directory);
        const pid_t child = ::fork();
        if (child == 0) {
            FaultyDisk disk;
            disk.fail_at(n, Fault::kill);
            Database database{database_file(directory), Access::write};
            database.use_wal();
            migrate(database, steps);
            disk.fail_at(1, Fault::kill);
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)");
            ::_exit(1);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        REQUIRE(WIFSIGNALED(status));
        REQUIRE(WTERMSIG(status) == SIGKILL);
        const FaultyDisk good; // does not wait for a real disk
        Database database{database_file(directory), Access::write};
        const int version = schema_version(database, steps);
        REQUIRE(database.text("PRAGMA integrity_check") == "ok");
        REQUIRE(database.integer("SELECT count(*) FROM snapshots") == 1);
        const auto fillers =
            database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'filler'");
        if (version < steps.back().version) {
            ++before;
            REQUIRE(fillers == 0);
            migrate(database, steps); // and the step can be taken again
            REQUIRE(schema_version(database, steps) == steps.back().version);
        } else {
            ++after;
            REQUIRE(version == steps.back().version);
            REQUIRE(fillers == 1);
        }
    }
    CHECK(before > 10);
}

TEST_CASE("a process that dies while it makes a new store leaves one that opens") {
    bool finished = false;
    for (std::uint64_t n = 1; !finished; n += 2) {
        CAPTURE(n);
        const TemporaryDirectory directory;
        const pid_t child = ::fork();
        if (child == 0) {
            FaultyDisk disk;
            disk.fail_at(n, Fault::kill);
            open_owner(directory);
            ::_exit(0);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        finished = WIFEXITED(status);
        const FaultyDisk good;
        const auto store = open_owner(directory);
        REQUIRE(store->check().empty());
        REQUIRE(append_and_wait(*store, sample_fact(store->engine(sample_engine()), 1)).inserted);
    }
}
