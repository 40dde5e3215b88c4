// Strategy `anchored`: after a court all that tells of the root names one move, with one value.
#include "api_fixture.hpp"

namespace {

// From the side of who moves, cp; mates are beyond.
int worth_to(const json& node, const json& score) {
    const int white = score.contains("cp") ? score["cp"].get<int>()
                                           : (score["mate"].get<int>() > 0 ? 100'000 : -100'000);
    return node["turn"] == "white" ? white : -white;
}

} // namespace

TEST_CASE("api: after a court list, node, tree, changes and exports have one answer") {
    for (const char* moves : {"1. e4", "1. d4 Nf6 2. c4", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6"}) {
        INFO(moves);
        ApiFixture f;
        json body = ApiFixture::wanted({{"moves", moves}});
        body["limit"]["depth"] = 6;
        body["strategy"]["kind"] = "anchored";
        const std::int64_t id = f.post(body);
        f.settle(id);
        const std::string path = address_of(id);
        const json best = f.get(path)["best"];
        REQUIRE(best.contains("court"));
        CHECK_FALSE(best.contains("anchor"));
        CHECK(f.get("/analyses")["analyses"][0]["best"] == best);

        const json node = f.get(path + "/node");
        CHECK(node["moves"][0]["uci"] == best["uci"]);
        CHECK(node["moves"][0]["alpha"] == best["alpha"]);
        CHECK(node["alpha"] == best["alpha"]);
        CHECK(node["pv"]["alpha"][0]["uci"] == best["uci"]);
        for (std::size_t i = 1; i < node["moves"].size(); ++i) {
            if (!node["moves"][i]["alpha"].is_null()) {
                CHECK(worth_to(node, node["moves"][i]["alpha"]) < worth_to(node, best["alpha"]));
            }
        }
        const json tree = f.get(path + "/tree");
        CHECK(tree["root"]["alpha"] == best["alpha"]);
        CHECK(tree["root"]["children"][0]["uci"] == best["uci"]);
        const json exported = f.get(path + "/export?format=json");
        CHECK(exported["moves"][0]["uci"] == best["uci"]);
        CHECK(exported["moves"][0]["alpha"] == best["alpha"]);
        CHECK(f.get(path + "/history")["snapshots"].back()["alpha"] == best["alpha"]);
        const json changes = f.get(path + "/changes?since=0");
        CHECK(changes["best"]["after"] == best["san"]);
        CHECK(changes["alpha"]["after"] == best["alpha"]);
        const json verdict = f.get(path + "/verdict");
        CHECK(verdict["best"]["uci"] == best["uci"]);
        CHECK_FALSE(verdict["stands"].is_null());
    }
}
