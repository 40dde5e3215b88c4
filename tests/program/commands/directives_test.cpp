// `adjourn directives`: what people ask for.
#include "settled_tree.hpp"

TEST_CASE("program: what was asked for in an analysis") {
    const Place place;
    RunningServer server{place.data, place.config};
    CHECK(server.request("POST", "/analyses", wanted_tree).first == 201);
    until(server, "/analyses/1", settled);
    CHECK(place.run({"directives", "1"}).output == "nothing was asked for\n");
    const auto direct = [&](const json& said) {
        CHECK(server.request("POST", "/analyses/1/directives", said.dump()).first == 201);
    };
    direct({{"moves", {"a7a6"}}, {"action", "include"}});
    direct({{"moves", {"a7a5"}}, {"action", "exclude"}});
    direct({{"moves", {"a7a5"}}, {"action", "clear"}});
    direct({{"moves", json::array()}, {"action", "note"}, {"text", "solid"}});
    until(server, "/analyses/1/directives", [](const json& all) {
        const json& effect = all["directives"][0]["effect"];
        return effect.is_object() && effect["score"].is_object();
    });
    const std::string text = place.run({"directives", "1"}).output;
    INFO(text);
    CHECK(text.find("  include  a6: ") != std::string::npos);
    CHECK(text.find(", move ") != std::string::npos);
    CHECK(text.find("  exclude  a5") != std::string::npos);
    CHECK(text.find("[no effect: a later one is about the same]") != std::string::npos);
    CHECK(text.find("  note     the root: solid\n") != std::string::npos);
    CHECK(place.done({"directives", "1"})["directives"].size() == 4);
    CHECK(place.run({"directives", "9"}).code == 1);
    CHECK(server.interrupt() == 0);
}
