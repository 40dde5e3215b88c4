// Analyses of strategies that are gone open, say so, and go on.
#include "../../storage/raw.hpp"
#include "analysis/strategy.hpp"
#include "api_fixture.hpp"
#include "files/check/store_check.hpp"

using storage::test::database_file;

namespace {

std::string told(int analysis, const std::string& kind) {
    return "analysis " + std::to_string(analysis) + ": parameters: there is no strategy '" + kind +
           "' any more; uniform goes on with its facts and its window";
}

} // namespace

TEST_CASE("gone strategies: their analyses in a store of before open as uniform, and say so") {
    const TemporaryDirectory directory;
    std::filesystem::copy_file(std::filesystem::path{ADJOURN_TEST_DATA} / "storage" /
                                   "strategies.db",
                               database_file(directory.path()));
    Bench bench;
    {
        CoreFixture fixture{directory.path(), bench};
        const auto get = [api = TestApi{fixture}](const std::string& target) {
            return json::parse(api(get_request(target)).body);
        };
        const std::vector<std::string> kinds{"interest", "consistency", "minmax"};
        std::vector<std::string> findings;
        for (int id = 1; id <= 3; ++id) {
            const std::string path = "/analyses/" + std::to_string(id);
            const json strategy = get(path)["strategy"];
            CHECK(strategy ==
                  json{{"kind", "uniform"}, {"move_distance", 12}, {"floor", 6}, {"refine", 1}});
            findings.push_back(told(id, kinds[static_cast<std::size_t>(id) - 1]));
            // Levels of before are on record, and none of uniform's.
            CHECK(get(path + "/history")["snapshots"].size() == 1);
            CHECK(get(path)["settled"] == 0);
        }
        CHECK(get("/analyses/4")["strategy"]["kind"] == "dropout");
        CHECK(get("/health")["set_aside"] == findings);
        CHECK(get("/analyses/1/node")["moves"].size() >= 2);
    }
    const auto store = storage::open_store(directory.path(), storage::OpenMode::read);
    std::size_t facts = 0;
    for (const storage::EngineRecord& engine : store->engines()) {
        store->for_each_evaluation(engine.id, [&](const analysis::Evaluation&) { ++facts; });
    }
    CHECK(facts == 188);
    CHECK(check_facts(*store).size() == 3); // the same, and nothing else
}

TEST_CASE("gone strategies: their analyses go on from the facts that are there") {
    const TemporaryDirectory directory;
    Bench bench;
    const auto grow = [&](CoreFixture& fixture) {
        fixture.work_until([&] { return fixture.settled(analysis::AnalysisId{1}); }, 5'000);
        CHECK(fixture.settled(analysis::AnalysisId{1}));
    };
    const auto patch = [&](const std::string& refine) {
        storage::test::edit(directory.path(), "UPDATE analyses SET state = 'queued', parameters = "
                                              "json_set(parameters, '$.strategy.kind', 'interest', "
                                              "'$.strategy.refine', " +
                                                  refine + ")");
    };
    std::size_t asked = 0;
    {
        CoreFixture fixture{directory.path(), bench};
        NewAnalysis wanted{"x", chess::Position::initial(), {}, "", {}, {}, 0, false};
        wanted.limit = {analysis::Limit::Kind::depth, 8};
        wanted.spec.strategy = analysis::default_parameters("uniform");
        wanted.spec.strategy.move_distance = 10;
        wanted.spec.strategy.refine = 2;
        REQUIRE(fixture.core->create(std::move(wanted)).wait());
        grow(fixture);
        asked = fixture.run(analysis::AnalysisId{1}).usage.evaluations_new;
    }
    patch("2");
    {
        CoreFixture fixture{directory.path(), bench};
        grow(fixture); // all is known
        CHECK(fixture.run(analysis::AnalysisId{1}).usage.evaluations_new == asked);
    }
    patch("3");
    CoreFixture fixture{directory.path(), bench};
    grow(fixture);
    const AnalysisRun& run = fixture.run(analysis::AnalysisId{1});
    CHECK(run.usage.evaluations_new > asked);
    CHECK(run.spec.strategy.kind == "uniform");
    CHECK(run.spec.strategy.move_distance == 10);
}
