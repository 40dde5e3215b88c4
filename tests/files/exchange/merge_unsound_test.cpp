// Merging a store that is not sound: nothing of it is taken, and what is wrong is told by name.
#include "../../storage/raw.hpp"
#include "core_fixture.hpp"
#include "files/import/import.hpp"
#include "http/requests/target.hpp"
#include "test_api.hpp"

using storage::test::database_file;
using storage::test::edit;

namespace {

// A settled analysis with seeds and a directive.
void fill_settled(const std::filesystem::path& directory) {
    Bench bench;
    CoreFixture fixture{directory, bench};
    const auto id = fixture.create("1. e4", 1);
    REQUIRE(fixture.core->direct(id, *chess::parse_line(fixture.run(id).root, "e5"), "include", "")
                .wait());
    REQUIRE(fixture.core->direct(id, {}, "deepen", "2").wait());
    ImportOptions options;
    options.name = "a.pgn";
    options.target = ImportTarget{id, fixture.run(id).root, {}};
    std::istringstream in{"1. e4 c5 *"};
    REQUIRE(import_text(*fixture.store, ImportFormat::pgn, in, options));
    fixture.work_until([&] { return fixture.settled(id); });
    REQUIRE(fixture.settled(id));
}

struct Contents {
    std::uint64_t evaluations;
    std::size_t engines;
    std::size_t analyses;
    friend bool operator==(const Contents&, const Contents&) = default;
};

Contents contents(const storage::Store& store) {
    return {store.evaluation_count(), store.engines().size(), store.analyses().size()};
}

} // namespace

TEST_CASE("merge: of a store with anything unsound nothing is taken, and every finding is told") {
    const TemporaryDirectory whole;
    fill_settled(whole.path());
    const TemporaryDirectory ours;
    const auto store = storage::open_store(ours.path(), storage::OpenMode::owner);
    const Contents before = contents(*store);
    // Of each part one: the store's own check, and what its rows say (damage_test.cpp has them
    // all).
    const std::pair<const char*, const char*> damages[] = {
        {"UPDATE evaluations SET answer = x'0600000000000c00'", "is illegal"}, // e2a1
        {"UPDATE seeds SET move = 99", "seed 1: its move is illegal"}};
    for (const auto& [sql, finding] : damages) {
        CAPTURE(sql);
        const TemporaryDirectory theirs;
        std::filesystem::copy_file(database_file(whole.path()), database_file(theirs.path()));
        edit(theirs.path(), std::string{"PRAGMA ignore_check_constraints = ON; "} + sql);
        const auto other = storage::open_store(theirs.path(), storage::OpenMode::read);
        const auto report = import_store(*store, *other);
        REQUIRE_FALSE(report);
        CAPTURE(report.error().message);
        CHECK(report.error().unsound);
        CHECK(report.error().message.starts_with("nothing was taken"));
        CHECK(report.error().message.find(finding) != std::string::npos);
        store->flush();
        CHECK(contents(*store) == before);
    }
    // The same store as it was is taken whole.
    const auto other = storage::open_store(whole.path(), storage::OpenMode::read);
    const auto report = import_store(*store, *other);
    REQUIRE(report);
    CHECK(report->evaluations_added == other->evaluation_count());
    CHECK(store->check().empty());
}

TEST_CASE("merge: many findings are told with their number, the first of them by name") {
    const TemporaryDirectory theirs;
    fill_settled(theirs.path());
    edit(theirs.path(), "UPDATE evaluations SET answer = x'0300000000' "
                        "WHERE id IN (SELECT id FROM evaluations LIMIT 30)");
    const TemporaryDirectory ours;
    const auto store = storage::open_store(ours.path(), storage::OpenMode::owner);
    const auto other = storage::open_store(theirs.path(), storage::OpenMode::read);
    REQUIRE(other->evaluation_count() > 30);
    const auto report = import_store(*store, *other);
    REQUIRE_FALSE(report);
    CAPTURE(report.error().message);
    const std::string& message = report.error().message;
    CHECK(message.find("30 findings:\n  evaluation 65536: ") != std::string::npos);
    CHECK(std::count(message.begin(), message.end(), '\n') == 21); // twenty, and a sign of more
}

TEST_CASE("merge: a running server refuses an unsound store by its own name, and goes on") {
    const TemporaryDirectory theirs;
    fill_settled(theirs.path());
    edit(theirs.path(), "UPDATE directives SET text = 'deep' WHERE action = 'deepen'");
    const TemporaryDirectory ours;
    Bench bench;
    boost::asio::io_context context;
    const auto store = storage::open_store(ours.path(), storage::OpenMode::owner);
    engine_bridge::Profile profile;
    profile.name = "simulated";
    CoreOptions options;
    options.engines = {profile};
    options.clock = [] { return analysis::UnixMs{5}; };
    options.staging = ours.path();
    Core core{context, *store, std::move(options),
              [&](auto dispatcher, auto id, const auto&, auto calls) {
                  return std::make_unique<SimulatedProcesses>(std::move(dispatcher), id, bench,
                                                              std::move(calls));
              }};
    const TestApi api{core, [&] {
                          store->flush();
                          context.poll_one();
                      }};
    const auto merge = [&](const std::filesystem::path& file) {
        const StagedStore staged{file, ours.path()};
        const http::Request request{
            http::Method::post,
            "/api/v1/import",
            {{"format", "db"}, {"name", staged.directory().filename().string()}},
            {},
            ""};
        return api(request);
    };
    const http::Response refused = merge(theirs.path());
    INFO(refused.body);
    CHECK(refused.status == 400);
    CHECK(refused.body.find("directive 2: its text is no number of plies") != std::string::npos);
    CHECK(refused.body.find("staged-") == std::string::npos);
    std::filesystem::path none = ours.path() / "none.db";
    storage::test::write_file(none, std::string(5'000, 'x'));
    const http::Response foreign = merge(none);
    INFO(foreign.body);
    CHECK(foreign.status == 400);
    CHECK(foreign.body.find(none.string()) != std::string::npos);
    CHECK(foreign.body.find("staged-") == std::string::npos);
    CHECK_THROWS_WITH((StagedStore{ours.path() / "missing.db", ours.path()}),
                      Catch::Contains("missing.db"));
    CHECK(contents(*store) == Contents{0, 0, 0});
    // Nor does one hold it that never ends: the next one is taken.
    const TemporaryDirectory endless, sound;
    fill_settled(endless.path());
    fill_settled(sound.path());
    storage::test::damage(endless.path(),
                          "DROP TABLE snapshots; CREATE VIEW snapshots AS WITH RECURSIVE n (i) AS "
                          "(SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id FROM n");
    const http::Response never = merge(endless.path());
    INFO(never.body);
    CHECK(never.status == 400);
    CHECK(never.body.find("adjourn.db: the view snapshots is none that Adjourn makes") !=
          std::string::npos);
    CHECK(merge(sound.path()).status == 200);
}
