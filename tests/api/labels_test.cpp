// Tags and the game of an analysis: made, changed, shown, kept; the tree does not know of them.
#include "api_fixture.hpp"

using http::Method;

TEST_CASE("api: tags and the game are given, changed field by field, and begin no tree anew") {
    ApiFixture f;
    json body = ApiFixture::wanted({{"moves", {"e2e4"}}});
    body["tags"] = {"Najdorf", " Najdorf ", "club"};
    body["game"] = {{"white", "Short"}, {"black", "Timman"}, {"move_by", "2026-12-03"}};
    const auto id = f.post(body);
    f.settle(id);
    const std::string address = address_of(id);
    const json before = f.get(address);
    CHECK(before["tags"] == json{"Najdorf", "club"});
    CHECK(before["game"] == body["game"]);
    const auto patch = [&](const json& change) { return f.ask(Method::patch, address, change); };
    CHECK(patch({{"game", {{"opponent", "J. Timman"}, {"white", ""}}}})["game"] ==
          json{{"black", "Timman"}, {"opponent", "J. Timman"}, {"move_by", "2026-12-03"}});
    CHECK(patch({{"tags", json::array()}})["tags"] == json::array());
    const json after = patch({{"tags", {"late"}}});
    for (const char* same : {"state", "settled", "positions", "evaluations", "best"}) {
        CAPTURE(same);
        CHECK(after[same] == before[same]);
    }
    const auto refuse = [&](const char* field, const json& value, const char* code,
                            const char* where) {
        f.refuse(Method::patch, address, {{field, value}}, 400, code, where);
    };
    refuse("tags", {"a", ""}, "bad_value", "tags");
    refuse("game", {{"move_by", "3 Dec"}}, "bad_value", "game.move_by");
    refuse("game", {{"who", "?"}}, "unknown_field", "game.who");
    CHECK(f.get(address)["tags"] == json{"late"});
}

TEST_CASE("api: a blank name is the opening's, and no name has control characters") {
    ApiFixture f;
    json body = ApiFixture::wanted({{"moves", {"e2e4", "c7c5"}}});
    for (const char* blank : {"", "  "}) {
        body["name"] = blank;
        const std::string address = address_of(f.post(body));
        CHECK(f.get(address)["name"] == "Sicilian Defense");
        CHECK(f.ask(Method::patch, address, {{"name", "mine"}})["name"] == "mine");
        CHECK(f.ask(Method::patch, address, {{"name", blank}})["name"] == "Sicilian Defense");
        f.refuse(Method::patch, address, {{"name", "a\nb"}}, 400, "bad_value", "name");
    }
    body["name"] = std::string("a\0b", 3);
    f.refuse(Method::post, "/analyses", body, 400, "bad_value", "name");
}
