// "Is it the same analysis?" has one answer.
#include "core_fixture.hpp"
#include "test_api.hpp"

#include "api/definition.hpp"
#include "api/views/view.hpp"
#include "http/requests/target.hpp"

namespace {

// Bodies of POST analyses that differ in one thing each, the first from the others.
std::vector<json> different_bodies() {
    const json base{{"position", {{"moves", {"e2e4"}}}}, {"limit", {{"depth", 8}}}};
    std::vector<json> all{base};
    const auto with = [&](const json& patch) {
        all.push_back(base);
        all.back().merge_patch(patch);
    };
    with({{"position", {{"moves", {"d2d4"}}}}});
    with({{"position", {{"fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 7"}}}});
    with({{"limit", {{"depth", 9}}}});
    with({{"limit", {{"depth", nullptr}, {"nodes", 8}}}});
    with({{"strategy", {{"refine", 3}}}});
    with({{"strategy", {{"move_distance", 31}}}});
    with({{"strategy", {{"floor", 6}}}});
    with({{"strategy", {{"floor_sigma", 0.5}}}});
    with({{"strategy", {{"kind", "uniform"}}}});
    with({{"strategy", {{"kind", "dropout"}}}});
    with({{"strategy", {{"kind", "dropout"}, {"other_side", 0.25}}}});
    with({{"strategy", {{"plan", {{{"window", 30}}}}}}});
    with({{"strategy", {{"plan", {{{"window", 30}}, {{"window", 20}}}}}}});
    with({{"stop", {{"proven", false}}}});
    with({{"stop", {{"lead", 2}}}});
    with({{"stop", {{"lead", 2}, {"levels", 9}}}});
    with({{"budget", {{"positions", 9}}}});
    with({{"budget", {{"nodes", 9}}}});
    with({{"budget", {{"engine_seconds", 9}}}});
    with({{"budget", {{"until", 1'900'000'000'000}}}});
    with({{"window", "22:00-07:00"}});
    with({{"second_engine", "simulated"}});
    with({{"accept", {"epd"}}});
    with({{"accept", {"epd", "lichess"}}});
    return all;
}

} // namespace

TEST_CASE("definition: what is wanted, shown and stored is one definition, for every setting") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const TestApi api{fixture};
    std::vector<AnalysisDefinition> all;
    for (json body : different_bodies()) {
        INFO(body.dump());
        body["hold"] = true;
        const auto target = http::parse_target("/api/v1/analyses");
        const http::Response made =
            api(http::Request{http::Method::post, target->path, target->query, {}, body.dump()});
        INFO(made.body);
        REQUIRE(made.status == 201);
        const AnalysisRun& run =
            fixture.run(analysis::AnalysisId{json::parse(made.body)["id"].get<std::int64_t>()});
        const auto wanted = wanted_definition(body, "simulated");
        REQUIRE(wanted);
        CHECK(shown_definition(analysis_json(*fixture.core, run)) == wanted);
        CHECK(std::find(all.begin(), all.end(), *wanted) == all.end());
        all.push_back(*wanted);
        body["engine"] = "another";
        CHECK(wanted_definition(body, "simulated") != wanted);
        body["engine"] = "simulated";
        body["name"] = "whatever";
        body["tags"] = {"whatever"};
        body["game"] = {{"white", "whoever"}};
        CHECK(wanted_definition(body, "another") == wanted);
    }
    CHECK_FALSE(wanted_definition(json::parse(R"({"position":{},"limit":{"depth":8},
                                                  "strategy":{"per_cp":"much"}})"),
                                  "simulated"));
    CHECK_FALSE(wanted_definition(json(nullptr), "simulated"));
    CHECK_FALSE(shown_definition(json::object()));
}
