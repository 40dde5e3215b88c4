// A store that somebody has damaged, or that comes from a stranger: no value of any column ends a
// server, and whatever a server would stumble over is found and named by the check.
#include "../../storage/raw.hpp"
#include "api_fixture.hpp"
#include "files/check/store_check.hpp"
#include "files/import/import.hpp"

using storage::test::database_file;
using storage::test::edit;

namespace {

// One of everything that a store can hold.
void fill(const std::filesystem::path& directory) {
    Bench bench;
    CoreFixture fixture{directory, bench};
    NewAnalysis wanted{"whole", chess::Position::initial(), {}, "", {}, {}, 0, false};
    wanted.spec.strategy = analysis::default_parameters("halving");
    wanted.moves = *chess::parse_line(wanted.start, "1. e4");
    wanted.limit = {analysis::Limit::Kind::depth, 8};
    wanted.spec.strategy.refine = 2;
    wanted.spec.strategy.move_distance = 10;
    wanted.spec.budget.positions = 100'000;
    wanted.spec.window = TimeWindow{0, 0};
    wanted.spec.accept = {"any"};
    const auto id = fixture.core->create(std::move(wanted)).wait();
    REQUIRE(id);
    ImportOptions options;
    options.name = "games.pgn";
    options.target = ImportTarget{*id, fixture.run(*id).root, {}};
    const std::string pgn = "1. e4 e5 {[%eval 0.2,9]} *";
    REQUIRE(import_games(*fixture.store, pgn, read_games_text(pgn), options));
    const auto line = *chess::parse_line(fixture.run(*id).root, "e5 Nf3");
    for (const char* action : {"include", "exclude", "clear", "now", "deepen", "note"}) {
        REQUIRE(fixture.core->direct(*id, line, action, *action == 'd' ? "3" : "").wait());
    }
    storage::FailureRecord failure{{chess::Position::initial().packed(),
                                    fixture.core->engines().all().front()->id,
                                    {analysis::Limit::Kind::nodes, 7},
                                    {}},
                                   "died",
                                   3,
                                   5};
    fixture.store->fail(failure, {});
    fixture.work_until([&] { return fixture.settled(*id); }, 300);
    REQUIRE(fixture.settled(*id));
    REQUIRE(!fixture.run(*id).snapshots.empty());
}

struct Column {
    std::string table;
    std::string name;
    std::string type;
    std::string keys; // the columns of the primary key, with commas
};

std::vector<Column> columns_of(const std::filesystem::path& directory) {
    storage::Database database{database_file(directory), storage::Access::write};
    storage::Statement rows{database,
                            "SELECT t.name, c.name, c.type, (SELECT group_concat(k.name) FROM "
                            "pragma_table_info(t.name) k WHERE k.pk > 0) FROM pragma_table_list t "
                            "JOIN pragma_table_info(t.name) c WHERE t.type = 'table' "
                            "AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid"};
    std::vector<Column> columns;
    while (rows.step()) {
        columns.push_back({rows.text(0), rows.text(1), rows.text(2), rows.text(3)});
    }
    return columns;
}

// A store as it was, but for one value in each row. False: the file takes no such value.
bool damage(const std::filesystem::path& whole, const std::filesystem::path& directory,
            const std::string& sql) {
    std::filesystem::copy_file(database_file(whole), database_file(directory),
                               std::filesystem::copy_options::overwrite_existing);
    try {
        edit(directory, "PRAGMA ignore_check_constraints = ON; " + sql);
        return true;
    } catch (const storage::SqliteError&) {
        return false; // another type, or the same value twice
    }
}

std::vector<std::string> findings_in(const std::filesystem::path& directory) {
    return check_facts(*storage::open_store(directory, storage::OpenMode::read));
}

// Loads it, lets it work, asks it for everything that it can show.
void serve(const std::filesystem::path& directory) {
    Bench bench;
    CoreFixture fixture{directory, bench};
    fixture.work_until([] { return false; }, 3);
    const TestApi api{fixture};
    std::vector<std::string> targets{"/health", "/analyses", "/engines", "/openings?q=najdorf",
                                     "/positions?fen=rnbqkbnr%2Fpppppppp%2F8"
                                     "%2F8%2F8%2F8%2FPPPPPPPP%2FRNBQKBNR%20w"
                                     "%20KQkq%20-%200%201"};
    for (const auto& run : fixture.core->queue().runs()) {
        const std::string base =
            "/analyses/" + std::to_string(static_cast<std::int64_t>(run->record.id));
        for (const char* part :
             {"", "/node", "/tree", "/files", "/history", "/disagreements", "/evaluations",
              "/export?format=pgn", "/export?format=epd", "/export?format=json",
              "/export?format=polyglot", "/changes?since=0"}) {
            targets.push_back(base + part);
        }
    }
    for (const std::string& target : targets) {
        const http::Response response = api(get_request(target));
        CAPTURE(target, response.body);
        CHECK((response.status == 200 || response.status == 503));
    }
}

// Any value of its type is as good as another there: names, words of people, moments, efforts.
bool harmless(const Column& column) {
    static const std::map<std::string, std::set<std::string>> free{
        {"analyses", {"name", "profile", "state_reason", "created_at", "priority", "rank", "id"}},
        {"directives", {"at", "text", "id"}},
        {"evaluations", {"at"}},
        {"failures", {"at", "attempts", "reason"}},
        {"seeds", {"at", "id"}},
        {"snapshots", {"at", "refine", "id"}},
        {"sources", {"text"}}};
    const auto found = free.find(column.table);
    return found != free.end() && found->second.contains(column.name);
}

using Values = std::map<std::string, std::vector<std::string>>; // by type

// Each of the values in each column of its type, a server for each.
void damage_each_column(const Values& values) {
    const TemporaryDirectory whole;
    fill(whole.path());
    REQUIRE(findings_in(whole.path()).empty());
    serve(whole.path());
    const std::vector<Column> columns = columns_of(whole.path());
    REQUIRE(columns.size() > 40);
    const TemporaryDirectory damaged;
    std::set<std::string> touched;
    for (const Column& column : columns) {
        for (const std::string& value : values.at(column.type)) {
            const std::string sql = "UPDATE " + column.table + " SET " + column.name + " = " +
                                    value + " WHERE (" + column.keys + ") = (SELECT " +
                                    column.keys + " FROM " + column.table + " ORDER BY 1 LIMIT 1)";
            if (!damage(whole.path(), damaged.path(), sql)) {
                continue;
            }
            touched.insert(column.table + "." + column.name);
            CAPTURE(sql);
            const auto findings = findings_in(damaged.path());
            CAPTURE(findings);
            REQUIRE_NOTHROW(serve(damaged.path()));
            if (findings.empty() && !harmless(column)) {
                // Then it is a sound store of another content: a server reads all of it.
                Bench bench;
                CoreFixture fixture{damaged.path(), bench};
                CHECK(fixture.core->health().set_aside().empty());
                CHECK(fixture.core->health().unreadable().empty());
                CHECK(fixture.core->health().store_problem().empty());
            }
        }
    }
    CHECK(touched.size() == columns.size());
}

} // namespace

TEST_CASE("damage: no value in any column of any table ends a server, and the check names it",
          "[not valgrind]") {
    damage_each_column({{"INTEGER", {"-1", "4611686018427387904"}},
                        {"REAL", {"9e999"}},
                        {"TEXT", {"'garbage'"}},
                        {"BLOB", {"x''", "x'ffffffffff'"}}});
}

TEST_CASE("damage: nor do more values of all kinds", "[.][deep]") {
    damage_each_column({{"INTEGER", {"0", "7", "99999", "-9223372036854775807 - 1"}},
                        {"REAL", {"9e999", "-9e999"}},
                        {"TEXT", {"''", "CAST(x'ff22' AS TEXT)", R"('{"alpha":{"cp":"x"}}')"}},
                        {"BLOB", {"x'0d'", "x'3409'"}}});
}

TEST_CASE("damage: whatever a server sets aside is named by the check, with row and reason") {
    struct Damage {
        const char* sql;
        const char* finding;
    };
    const Damage damages[] = {
        {"UPDATE analyses SET parameters = 'garbage'", "analysis 1: parameters: is not JSON"},
        {"UPDATE analyses SET parameters = '[]'", "analysis 1: parameters: it must be an object"},
        {R"(UPDATE analyses SET parameters = '{"budget":{"positions":"x"}}')",
         "analysis 1: parameters: budget.positions must be an integer"},
        {R"(UPDATE analyses SET parameters = '{"budget":{"engine_seconds":-5}}')",
         "analysis 1: parameters: budget.engine_seconds must be a number between"},
        {R"(UPDATE analyses SET parameters = '{"stop":{"levels":0}}')",
         "analysis 1: parameters: stop.levels must be an integer between 1 and 200"},
        {R"(UPDATE analyses SET parameters = '{"strategy":{"kind":"luck"}}')",
         "analysis 1: parameters: there is no strategy"},
        {R"(UPDATE analyses SET parameters = '{"strategy":{"refine":1e3}}')",
         "analysis 1: parameters: strategy.refine must be an integer"},
        {R"(UPDATE analyses SET parameters = '{"strategy":{"plan":[{"window":-1}]}}')",
         "analysis 1: parameters: strategy.plan[0].window must be an integer between"},
        {R"(UPDATE analyses SET parameters = '{"window":"soon"}')",
         "analysis 1: parameters: window must look like"},
        {R"(UPDATE analyses SET parameters = '{"accept":[5]}')",
         "analysis 1: parameters: accept[0] must be text"},
        {R"(UPDATE analyses SET parameters = '{"novelty":1}')",
         "analysis 1: parameters: there is no field novelty"},
        {"UPDATE analyses SET priority = 1000", "analysis 1: its priority is none"},
        {"UPDATE analyses SET rank = 9e999", "analysis 1: its rank is no finite number"},
        {"UPDATE analyses SET limit_kind = 256", "analysis 1: a limit of unknown kind"},
        {"UPDATE analyses SET limit_amount = -5", "analysis 1: a limit of 0 or less"},
        {"UPDATE analyses SET state = 'asleep'", "analysis 1: unknown state asleep"},
        {"UPDATE analyses SET name = CAST(x'ff' AS TEXT)", "analysis 1: name is no UTF-8 text"},
        {"UPDATE analyses SET root_fen = 'garbage'", "analysis 1: its start position is none"},
        {"UPDATE analyses SET root_moves = x'3409'", "analysis 1: root move 1"},
        {"UPDATE directives SET text = 'deep' WHERE action = 'deepen'",
         "its text is no number of plies"},
        {"UPDATE directives SET text = '99999999999' WHERE action = 'deepen'",
         "its text is no number of plies"},
        {"UPDATE directives SET action = 'shout'", "directive 1: its action is none"},
        {"UPDATE directives SET move = NULL WHERE action = 'include'",
         "directive 1: it names no move"},
        {"UPDATE directives SET line = x'0c07'", "directive 1: line 1"},
        {"UPDATE snapshots SET data = '{'", "snapshot 1: its data is not JSON"},
        {R"(UPDATE snapshots SET data = '{"evaluations":"x"}')",
         "snapshot 1: its evaluations cannot be read"},
        {R"(UPDATE snapshots SET data = '{"alpha":{"mate":"soon"}}')",
         "snapshot 1: its alpha cannot be read"},
        {R"(UPDATE snapshots SET data = '{"said":{"best":"e2e4"}}')",
         "snapshot 1: its said cannot be read"},
        {"UPDATE snapshots SET refine = -1", "snapshot 1: refine is below 0"},
        {"UPDATE usage SET engine_ms = -1", "usage of analysis 1: engine_ms is below 0"},
        {"UPDATE seeds SET move = 99", "seed 1: its move is illegal"},
        {"UPDATE failures SET limit_kind = 9", "failure at position"},
        {"UPDATE files SET version = -1", "version of a file 1: a version below 1"},
        {"UPDATE files SET text = '1. e4 e4' WHERE number = 1", "version of a file 2: game 1"},
        {"UPDATE evaluations SET answer = x'0600000000000c00'", "is illegal"}, // e2a1
        {"UPDATE evaluations SET answer = x'0300000000' WHERE id = (SELECT max(id) FROM "
         "evaluations)",
         "an answer of unknown form"},
        {"UPDATE positions SET key = x'ffffffffffffffff01' WHERE id = 2",
         "position 2: no legal position"},
        {"UPDATE engines SET name = 'Another 1.0'", "engine 1: the fingerprint is not that"},
        {"UPDATE directives SET move = 99 WHERE action = 'include'",
         "directive 1: its move is illegal"},
        {"UPDATE snapshots SET data = '[]'", "snapshot 1: its data is no object"},
        {"DELETE FROM engines", "refers to a row of engines that is missing"},
    };
    const TemporaryDirectory whole;
    fill(whole.path());
    for (const Damage& wrong : damages) {
        CAPTURE(wrong.sql);
        const TemporaryDirectory damaged;
        REQUIRE(damage(whole.path(), damaged.path(), wrong.sql));
        const auto findings = findings_in(damaged.path());
        CAPTURE(findings);
        CHECK(std::any_of(findings.begin(), findings.end(), [&](const std::string& line) {
            return line.find(wrong.finding) != std::string::npos;
        }));
        REQUIRE_NOTHROW(serve(damaged.path()));
    }
}

TEST_CASE("damage: stored parameters are read as far as they can be, the rest gets its default") {
    std::vector<std::string> findings;
    const AnalysisSpec spec = parse_spec(
        R"({"strategy":{"kind":"halving","move_distance":"x","floor":99999,"refine":4,
            "plan":[{"window":10},"x"]},
            "budget":{"positions":-3,"nodes":-1,"engine_seconds":"x","until":5},
            "window":7,"stop":{"proven":1,"lead":1e300,"levels":3},
            "accept":["any",5,"epd"],"more":{"a":[]}})",
        &findings);
    CHECK(findings.size() == 12);
    CHECK(spec.strategy.move_distance == analysis::StrategyParameters{}.move_distance);
    CHECK(spec.strategy.floor == 10'000);
    CHECK(spec.strategy.refine == 4);
    CHECK(spec.strategy.plan.empty());
    CHECK(spec.budget.positions == 1u);
    CHECK(spec.budget.nodes == 1u);
    CHECK_FALSE(spec.budget.engine_seconds);
    CHECK(spec.budget.until == 5);
    CHECK_FALSE(spec.window);
    CHECK(spec.stop.proven);
    CHECK(spec.stop.lead == 100);
    CHECK(spec.stop.levels == 3);
    CHECK(spec.accept == std::vector<std::string>{"any", "epd"});
    // No text at all is too strange.
    const std::string nested(100'000, '[');
    for (const std::string& text : {std::string{}, std::string{"null"}, std::string{"1e999"},
                                    std::string{"\xff"}, nested, std::string{R"({"a":1,"a":2})"}}) {
        findings.clear();
        CHECK(parse_spec(text, &findings) == AnalysisSpec{});
        CHECK_FALSE(findings.empty());
    }
}

TEST_CASE("damage: what was said before and is sound still counts beside what is not") {
    const TemporaryDirectory directory;
    fill(directory.path());
    edit(directory.path(), "UPDATE directives SET text = 'deep' WHERE action = 'deepen'");
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const AnalysisRun& run = fixture.run(analysis::AnalysisId{1});
    CHECK(run.directives.size() == 5);
    REQUIRE(fixture.core->health().set_aside().size() == 1);
    CHECK(fixture.core->health().set_aside().front().find("plies") != std::string::npos);
    const TestApi api{fixture};
    const auto health = api(get_request("/health"));
    CHECK(health.status == 200);
    CHECK(json::parse(health.body)["set_aside"].size() == 1);
}
