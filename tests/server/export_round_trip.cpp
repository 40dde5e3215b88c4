// What is exported as PGN and imported elsewhere is the same tree, without any engine.
#include "core_fixture.hpp"
#include "server/api.hpp"
#include "server/export.hpp"
#include "server/http/target.hpp"

#include <nlohmann/json.hpp>

#include <map>

using namespace adjourn;
using namespace adjourn::server;
using nlohmann::json;

namespace {

constexpr ExportLimits wide{60, 30, 100'000};

// alpha by the line that leads to it.
void collect(const json& moves, const std::string& line, std::map<std::string, std::string>& into) {
    for (const json& move : moves) {
        const std::string here = line + " " + move["san"].get<std::string>();
        into[here] = move["alpha"].dump();
        collect(move["moves"], here, into);
    }
}

std::map<std::string, std::string> tree_of(const CoreFixture& core, analysis::AnalysisId id) {
    std::map<std::string, std::string> tree;
    collect(json::parse(export_json(*core.core, core.run(id), {}, wide))["moves"], "", tree);
    return tree;
}

json post(const Api& api, const std::string& target, const std::string& body) {
    const auto parsed = http::parse_target("/api/v1" + target);
    REQUIRE(parsed);
    const http::Response response =
        api(http::Request{http::Method::post, parsed->path, parsed->query, {}, body});
    INFO(response.body);
    REQUIRE(response.status < 300);
    return json::parse(response.body);
}

} // namespace

TEST_CASE("export: a PGN imported into an empty store gives the same lines and scores") {
    for (const std::string moves : {"1. e4 e5", "1. d4 d5 2. c4"}) {
        TemporaryDirectory here;
        Bench bench;
        CoreFixture grown{here.path(), bench};
        const auto id = grown.create(moves, 3, 30);
        grown.work_until([&] { return grown.settled(id); });
        REQUIRE(grown.settled(id));
        const std::string pgn = export_pgn(*grown.core, grown.run(id), {}, wide);

        TemporaryDirectory elsewhere;
        Bench idle;
        CoreFixture empty{elsewhere.path(), idle};
        const Api api{*empty.core};
        const json created = post(api, "/analyses",
                                  json{{"position", {{"moves", moves}}},
                                       {"limit", {{"depth", 8}}},
                                       {"accept", {"any"}},
                                       {"hold", true}}
                                      .dump());
        const analysis::AnalysisId copy{created["id"].get<std::int64_t>()};
        const json report = post(api, "/import?format=pgn&name=tree.pgn&analysis=1", pgn);
        CHECK(report["broken"] == 0);
        empty.settle_down();

        const auto expected = tree_of(grown, id);
        CHECK(expected.size() > 20);
        CHECK(tree_of(empty, copy) == expected);
        CHECK(idle.asked.empty());
    }
}
