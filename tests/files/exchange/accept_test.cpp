// Evaluations of others that an analysis accepts.
#include "core_fixture.hpp"
#include "test_api.hpp"

#include "files/import/import.hpp"
#include "http/requests/target.hpp"

namespace {

std::vector<analysis::Evaluation> all_facts(const storage::Store& store) {
    std::vector<analysis::Evaluation> facts;
    for (const storage::EngineRecord& engine : store.engines()) {
        store.for_each_evaluation(engine.id,
                                  [&](const analysis::Evaluation& fact) { facts.push_back(fact); });
    }
    return facts;
}

http::Response send(const TestApi& api, http::Method method, const std::string& target,
                    const std::string& body = "") {
    const auto parsed = http::parse_target("/api/v1" + target);
    REQUIRE(parsed);
    return api(http::Request{method, parsed->path, parsed->query, {}, body});
}

} // namespace

TEST_CASE("accept: imported evaluations count where an analysis asks for them, and nowhere else") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture core{directory.path(), bench};
    const TestApi api{core};
    const auto plain = core.create("", 1, 0);
    const auto create = [&](const char* accept) {
        const json body{{"position", json::object()},
                        {"limit", {{"depth", 8}}},
                        {"accept", {accept}},
                        {"strategy", {{"kind", "halving"}, {"move_distance", 0}, {"refine", 1}}}};
        const auto response = send(api, http::Method::post, "/analyses", body.dump());
        INFO(response.body);
        REQUIRE(response.status == 201);
        return analysis::AnalysisId{json::parse(response.body)["id"].get<std::int64_t>()};
    };
    const auto any = create("any");
    const auto named = create("lichess");
    const auto other = create("epd");
    // Much deeper than the engine, and full of praise for the rook's pawn.
    const std::string line =
        R"({"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -","evals":)"
        R"([{"pvs":[{"cp":900,"line":"a2a4"}],"knodes":1,"depth":60}]})";
    const auto response =
        send(api, http::Method::post, "/import?format=jsonl&name=evals.jsonl", line);
    INFO(response.body);
    REQUIRE(response.status == 200);
    CHECK(json::parse(response.body)["evaluations"]["added"] == 1);
    core.work_until([&] {
        return core.settled(plain) && core.settled(any) && core.settled(named) &&
               core.settled(other);
    });
    const auto best = [&](analysis::AnalysisId id) {
        const std::string number = std::to_string(static_cast<std::int64_t>(id));
        return json::parse(
            send(api, http::Method::get, "/analyses/" + number + "/node").body)["moves"][0];
    };
    CHECK(best(plain)["san"] != "a4");
    CHECK(best(other)["san"] != "a4");
    for (const auto id : {any, named}) {
        REQUIRE(core.settled(id));
        CHECK(best(id)["san"] == "a4");
        CHECK(best(id)["alpha"]["cp"] == 900);
        CHECK(best(id)["engine"]["engine"] == "lichess");
        CHECK(best(id)["source"] == "import");
    }
    // One answer of the engine serves every analysis; none is asked for twice.
    std::set<std::pair<std::vector<chess::Move>, std::int64_t>> questions;
    for (const analysis::Evaluation& fact : all_facts(*core.store)) {
        CHECK(questions
                  .emplace(fact.question.excluded, static_cast<std::int64_t>(fact.question.engine))
                  .second);
    }
    // A word taken back.
    const std::string id = std::to_string(static_cast<std::int64_t>(named));
    REQUIRE(send(api, http::Method::patch, "/analyses/" + id, R"({"accept":[]})").status == 200);
    core.work_until([&] { return core.settled(named); });
    CHECK(best(named)["san"] != "a4");
}

TEST_CASE("accept: a question whose answer an accepted one outweighs is not asked again") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture core{directory.path(), bench};
    const TestApi api{core};
    // Two lines of unlike depth, both far deeper than the engine.
    const std::string line =
        R"({"fen":"6k1/6p1/8/4K3/4NN2/8/8/8 w - -","evals":)"
        R"([{"pvs":[{"mate":15,"line":"e5e6"}],"depth":95},{"pvs":[{"mate":20,"line":"e4g5"}],"depth":34}]})";
    REQUIRE(send(api, http::Method::post, "/import?format=jsonl&name=e.jsonl", line).status == 200);
    const json body{{"position", {{"fen", "6k1/6p1/8/4K3/4NN2/8/8/8 w - - 0 1"}}},
                    {"limit", {{"nodes", 3000}}},
                    {"accept", {"any"}},
                    {"strategy", {{"refine", 1}}}};
    REQUIRE(send(api, http::Method::post, "/analyses", body.dump()).status == 201);
    const analysis::AnalysisId id{1};
    const std::size_t answers = core.work_until([&] { return core.settled(id); }, 200);
    CHECK(core.settled(id));
    CHECK(answers < 50);
}

TEST_CASE("accept: what is accepted is there after a restart") {
    TemporaryDirectory directory;
    Bench bench;
    analysis::AnalysisId id{};
    {
        CoreFixture core{directory.path(), bench};
        NewAnalysis wanted{"", chess::Position::initial(), {}, "", {}, {}, 0, false};
        wanted.spec.strategy = analysis::default_parameters("halving");
        wanted.limit = {analysis::Limit::Kind::depth, 8};
        wanted.spec.strategy.refine = 1;
        wanted.spec.accept = {"any"};
        id = *core.core->create(std::move(wanted)).wait();
        ImportOptions options;
        options.name = "x.epd";
        std::istringstream in{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - "
                              "acd 40; ce 700; pv h4;"};
        REQUIRE(import_text(*core.store, ImportFormat::epd, in, options));
    }
    CoreFixture core{directory.path(), bench};
    const AnalysisRun& run = core.run(id);
    REQUIRE(run.slot != nullptr);
    CHECK(run.slot->accepted().size() == 1);
    CHECK(run.slot->graph().game_value(run.root_node) == chess::Score::cp(700));
}

TEST_CASE("accept: who adds sources at the same time loses none") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture core{directory.path(), bench};
    const auto id = core.create("", 1, 0);
    const auto adds = [&](std::vector<std::string> names) {
        AnalysisPatch patch;
        patch.accept_also = std::move(names);
        return core.core->change(id, std::move(patch));
    };
    // Both are asked for before one is durable.
    const auto first = adds({"lichess"}), second = adds({"epd", "lichess"});
    REQUIRE(first.wait());
    REQUIRE(second.wait());
    const std::vector<std::string> both{"lichess", "epd"};
    CHECK(core.run(id).spec.accept == both);
    const TestApi api{core};
    const std::string target = "/analyses/" + std::to_string(static_cast<std::int64_t>(id));
    const auto response =
        send(api, http::Method::patch, target, R"({"accept_also":["epd","pgn %eval"]})");
    REQUIRE(response.status == 200);
    CHECK(json::parse(response.body)["accept"] == json{"lichess", "epd", "pgn %eval"});
    json many = json::array();
    for (std::size_t i = 0; i + 2 < most_accepted; ++i) {
        many.push_back(std::to_string(i));
    }
    CHECK(send(api, http::Method::patch, target, json{{"accept_also", many}}.dump()).status == 409);
    CHECK(core.run(id).spec.accept.size() == 3);
}
