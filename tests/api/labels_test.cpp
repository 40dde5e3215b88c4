// Tags and the game of an analysis: made, changed, shown, kept; the tree does not know of them.
#include "api_fixture.hpp"

using http::Method;

TEST_CASE("api: tags and the game are given, changed field by field, and outlive the server") {
    ApiFixture f;
    json body = ApiFixture::wanted({{"moves", {"e2e4"}}});
    const auto plain = f.post(body);
    const std::string other = "/analyses/" + std::to_string(plain);
    CHECK(f.get(other)["tags"] == json::array());
    CHECK(f.get(other)["game"] == json::object());
    body["tags"] = {"Najdorf", " Najdorf ", "club"};
    body["game"] = {{"white", "Short"}, {"black", "Timman"}, {"move_by", "2026-12-03"}};
    const auto id = f.post(body);
    const std::string address = "/analyses/" + std::to_string(id);
    CHECK(f.get(address)["tags"] == json{"Najdorf", "club"});
    CHECK(f.get(address)["game"] == body["game"]);

    const auto patch = [&](const json& change) {
        const http::Response done = f.send(Method::patch, address, change);
        INFO(done.body);
        REQUIRE(done.status == 200);
        return json::parse(done.body);
    };
    CHECK(patch({{"game", {{"opponent", "J. Timman"}, {"white", ""}}}})["game"] ==
          json{{"black", "Timman"}, {"opponent", "J. Timman"}, {"move_by", "2026-12-03"}});
    CHECK(patch({{"tags", json::array()}})["tags"] == json::array());
    patch({{"tags", {"late"}}});
    const auto record = [&] {
        for (const storage::AnalysisRecord& each : f.core.store->analyses()) {
            if (each.id == analysis::AnalysisId{id}) {
                return each;
            }
        }
        return storage::AnalysisRecord{};
    };
    const Labels kept = parse_spec(record().parameters).labels;
    CHECK(kept.tags == std::vector<std::string>{"late"});
    CHECK(kept.game.opponent == "J. Timman");

    f.refuse(Method::patch, address, {{"tags", {"a", ""}}}, 400, "bad_value", "tags");
    f.refuse(Method::patch, address, {{"tags", "a"}}, 400, "bad_value", "tags");
    f.refuse(Method::patch, address, {{"game", {{"move_by", "3 Dec"}}}}, 400, "bad_value",
             "game.move_by");
    f.refuse(Method::patch, address, {{"game", {{"who", "?"}}}}, 400, "unknown_field", "game.who");
    f.refuse(Method::patch, address, {{"game", {{"event", std::string(201, 'x')}}}}, 400,
             "bad_value", "game.event");
    CHECK(f.get(address)["tags"] == json{"late"});
}

TEST_CASE("api: a label begins no tree anew") {
    ApiFixture f;
    const auto id = f.post(ApiFixture::wanted({{"moves", {"e2e4"}}}));
    f.settle(id);
    const std::string address = "/analyses/" + std::to_string(id);
    const json before = f.get(address);
    const http::Response done =
        f.send(Method::patch, address, {{"tags", {"seen"}}, {"game", {{"opponent", "me"}}}});
    REQUIRE(done.status == 200);
    const json after = json::parse(done.body);
    for (const char* same : {"state", "settled", "positions", "evaluations", "best"}) {
        CAPTURE(same);
        CHECK(after[same] == before[same]);
    }
}

TEST_CASE("api: a blank name is the opening's, and no name has control characters") {
    ApiFixture f;
    json body = ApiFixture::wanted({{"moves", {"e2e4", "c7c5"}}});
    for (const char* blank : {"", "  "}) {
        body["name"] = blank;
        const std::string address = "/analyses/" + std::to_string(f.post(body));
        CHECK(f.get(address)["name"] == "Sicilian Defense");
        CHECK(f.send(Method::patch, address, {{"name", "mine"}}).status == 200);
        CHECK(f.get(address)["name"] == "mine");
        CHECK(f.send(Method::patch, address, {{"name", blank}}).status == 200);
        CHECK(f.get(address)["name"] == "Sicilian Defense");
        f.refuse(Method::patch, address, {{"name", "a\nb"}}, 400, "bad_value", "name");
    }
    body["name"] = std::string("a\0b", 3);
    f.refuse(Method::post, "/analyses", body, 400, "bad_value", "name");
}
