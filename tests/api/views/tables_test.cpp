// Endgame tables in the scheduler and the views: what they cover is exact, nobody is asked about
// it, and a rebuild from the facts says the same.
#include "api/views/view.hpp"
#include "api_fixture.hpp"

#include <bit>

namespace {

constexpr const char* three_men = ADJOURN_TEST_DATA "/tables";

struct TablesFixture {
    explicit TablesFixture(const std::string& path)
        : tables{std::make_shared<tables::EndgameTables>(tables::Paths{path, ""})},
          core{directory.path(), bench, false, tables} {}

    json get(const std::string& target) {
        const http::Response response = api(get_request(target));
        INFO(target << ": " << response.body);
        REQUIRE(response.status == 200);
        return json::parse(response.body);
    }
    analysis::AnalysisId create(const std::string& fen, int refine) {
        NewAnalysis wanted{"", *chess::Position::from_fen(fen), {}, "", {}, {}, 0, false};
        wanted.spec.strategy = analysis::default_parameters("halving");
        wanted.limit = {analysis::Limit::Kind::depth, 6};
        wanted.spec.strategy.move_distance = 40;
        wanted.spec.strategy.refine = refine;
        const auto id = core.core->create(std::move(wanted)).wait();
        REQUIRE(id);
        return *id;
    }
    json grow(const std::string& fen, int refine) {
        id = create(fen, refine);
        core.work_until([&] { return core.settled(id); });
        REQUIRE(core.settled(id));
        return get(path());
    }
    std::string path() const { return address_of(static_cast<std::int64_t>(id)); }

    TemporaryDirectory directory;
    Bench bench;
    std::shared_ptr<const tables::EndgameTables> tables;
    CoreFixture core;
    TestApi api{core};
    analysis::AnalysisId id{};
};

// A root that the tables solve: settled without a search; the views show the exact values and a
// line.
void require_solved(TablesFixture& f, const std::string& fen, const std::string& result) {
    INFO(fen);
    const json analysis = f.grow(fen, 3);
    CHECK(f.bench.asked.empty());
    CHECK(analysis["state"] == "settled");
    CHECK(analysis["settled"] == 3);
    CHECK(analysis["evaluations"]["new"] == 0);
    CHECK(analysis["best"]["alpha"]["tb"] == result);
    const json node = f.get(f.path() + "/node?moves=");
    CHECK(node["alpha"]["tb"] == result);
    CHECK(node["idea"] == node["alpha"]);
    chess::Position position = *chess::Position::from_fen(fen);
    CHECK(node["moves"].size() == position.legal_moves().size());
    CHECK(node["moves"][0]["uci"] == analysis["best"]["uci"]);
    CHECK(node["moves"][0]["alpha"] == node["alpha"]);
    CHECK(node["moves"][0]["status"] == "terminal");
    CHECK(node["rest"]["count"] == 0);
    const json pv = node["pv"]["alpha"];
    REQUIRE(!pv.empty());
    CHECK(pv[0]["uci"] == analysis["best"]["uci"]);
    CHECK((pv.size() == 1) == (result == "draw"));
}

} // namespace

TEST_CASE("tables: roots of three men are solved without a search") {
    TablesFixture f{three_men};
    require_solved(f, "4k3/8/8/4K3/4P3/8/8/8 w - - 0 1", "win");
    require_solved(f, "4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", "win");
    require_solved(f, "8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", "draw");
    require_solved(f, "8/8/8/3k4/8/8/4R3/4K3 w - - 0 1", "win");
    require_solved(f, "8/8/8/3k4/8/8/4r3/7K w - - 0 1", "loss");
}

TEST_CASE("tables: covered leaves are exact, never asked about and never grown") {
    TablesFixture f{three_men};
    // White's Rxe6 leads into KRvK.
    f.grow("8/8/R3p3/3k4/8/8/8/4K3 w - - 0 1", 3);
    CHECK(f.bench.asked.size() > 5);
    for (const engine_bridge::Job& job : f.bench.asked) {
        CHECK(std::popcount(job.position.board().occupied()) > 3);
    }
    const GraphSlot& slot = *f.core.run(f.id).slot;
    std::size_t covered = 0;
    for (std::uint32_t i = 0; i < slot.graph().node_count(); ++i) {
        const chess::Position position = slot.graph().position(analysis::NodeId{i});
        if (position.terminal() == chess::Terminal::no &&
            std::popcount(position.board().occupied()) == 3) {
            ++covered;
            CHECK(slot.graph().exact(analysis::NodeId{i}) == f.tables->value(position));
        }
    }
    CHECK(covered > 0);
    CHECK(slot.graph().verify().empty());

    // The same from the facts alone.
    GraphSlot rebuilt{*f.core.store, slot.engine(), f.tables, slot.key()};
    rebuilt.add_root(rebuilt.intern(f.core.run(f.id).root));
    CHECK(rebuilt.graph().digest() == slot.graph().digest());
    const json changes = f.get(f.path() + "/changes?since=0");
    CHECK(changes["alpha"]["after"] == f.get(f.path() + "/node?moves=")["alpha"]);
}

TEST_CASE("tables: a position that was searched before the tables came is exact with them") {
    TemporaryDirectory directory;
    const chess::Position root = *chess::Position::from_fen("8/8/8/3k4/8/8/4R3/4K3 w - - 0 1");
    NewAnalysis wanted{"", root, {}, "", {analysis::Limit::Kind::depth, 6}, {}, 0, false};
    wanted.spec.strategy = analysis::default_parameters("halving");
    wanted.spec.strategy.refine = 2;
    {
        Bench bench;
        CoreFixture core{directory.path(), bench};
        const auto id = core.core->create(wanted).wait();
        REQUIRE(id);
        core.work_until([&] { return core.settled(*id); });
        CHECK(!bench.asked.empty());
    }
    Bench bench;
    const auto tables =
        std::make_shared<tables::EndgameTables>(tables::Paths{std::string{three_men}, ""});
    CoreFixture core{directory.path(), bench, false, tables};
    core.work_until([] { return false; });
    CHECK(bench.asked.empty());
    const AnalysisRun& run = *core.core->queue().runs().front();
    const json node = node_draft(*core.core, run, {}).finish(*core.store);
    CHECK(node["alpha"] == json{{"tb", "win"}, {"dtz", 27}});
    // What the engine said stays in view.
    CHECK(std::any_of(node["moves"].begin(), node["moves"].end(),
                      [](const json& move) { return !move["engine"].is_null(); }));
    CHECK(run.slot->graph().verify().empty());
}

TEST_CASE("tables: health says what was found and what was refused") {
    TablesFixture f{std::string{three_men} + ":/nonexistent"};
    CHECK(f.get("/health")["tables"]["men"] == 0); // the core was told of no inventory
    const json shown = tables_json(f.tables->inventory());
    CHECK(shown["men"] == 3);
    CHECK(shown["wdl"] == 5);
    CHECK(shown["dtz"] == 5);
    CHECK(shown["problems"].size() == 1);
}
