// What people asked for, as a list: what holds, what has come of it, and how it is taken back.
#include "api_fixture.hpp"

using http::Method;

namespace {

struct Directed : GrownTree {
    json list() { return get(path("/directives"))["directives"]; }
    json moves() { return get(path("/node"))["moves"]; }
};

} // namespace

TEST_CASE("directives: each with what has come of it") {
    Directed f;
    CHECK(f.list().empty());
    const json before = f.moves();
    const std::string worst = before.back()["uci"];
    const std::string best = before.front()["uci"];
    f.say({{"moves", {worst}}, {"action", "include"}});
    f.say({{"moves", {best}}, {"action", "deepen"}, {"plies", 3}});
    f.say({{"moves", {best}}, {"action", "note"}, {"text", "mine"}});
    f.settle(f.id);
    const json list = f.list();
    REQUIRE(list.size() == 3);

    const json now = f.moves();
    const auto row = std::ranges::find_if(now, [&](const json& m) { return m["uci"] == worst; });
    REQUIRE(row != now.end());
    const json& include = list[0];
    CHECK(include["action"] == "include");
    CHECK(include["line"].empty());
    CHECK(include["move"]["uci"] == worst);
    CHECK(include["holds"] == true);
    CHECK_FALSE(include.contains("why"));
    CHECK_FALSE(include.contains("back"));
    CHECK(include["effect"]["score"] == (*row)["alpha"]);
    CHECK(include["effect"]["rank"] == row - now.begin() + 1);
    CHECK(include["effect"]["best"]["uci"] == now[0]["uci"]);
    CHECK(include["effect"]["positions"] == (*row)["positions"]);
    CHECK((*row)["source"] == "person");
    CHECK(include["effect"]["loss"] ==
          now[0]["alpha"]["cp"].get<int>() - (*row)["alpha"]["cp"].get<int>()); // White moves

    CHECK(list[1]["plies"] == 3);
    CHECK(list[1]["line"][0]["uci"] == best);
    CHECK(list[1]["effect"]["plies"].get<int>() >= 3);
    CHECK(list[1]["effect"]["positions"].get<int>() >= 3);
    CHECK(list[2]["text"] == "mine");
    CHECK(list[2]["effect"].is_null());
}

TEST_CASE("directives: what is kept out, what it was worth, and how it is taken back") {
    Directed f;
    const json before = f.moves();
    const std::string best = before.front()["uci"];
    const json given = f.say({{"moves", {best}}, {"action", "exclude"}});
    CHECK(move_of(f.get(f.path("/node")), best)["status"] == "excluded"); // at once
    f.settle(f.id);
    const json out = f.list()[0];
    CHECK(out["action"] == "exclude");
    CHECK(out["at"] == given["at"]);
    CHECK(out["effect"]["score"] == before.front()["alpha"]);
    CHECK(out["effect"]["rank"].is_null());
    CHECK(out["effect"]["best"]["uci"] == f.moves()[0]["uci"]);
    CHECK(out["effect"]["loss"].get<int>() <= 0); // it was the best one

    // Of one that nothing is known below, what the engine said.
    const auto leaf = std::ranges::find_if(
        before, [](const json& m) { return m["positions"] == 0 && m["status"] == "leaf"; });
    REQUIRE(leaf != before.end());
    f.say({{"moves", {(*leaf)["uci"]}}, {"action", "exclude"}});
    f.settle(f.id);
    CHECK(f.list()[1]["effect"]["score"] == (*leaf)["engine"]["score"]);
    CHECK(f.list()[1]["effect"]["positions"] == 0);

    f.say({{"moves", json::array()}, {"action", "retract"}, {"at", given["at"]}});
    f.settle(f.id);
    REQUIRE(f.list().size() == 1);
    CHECK(f.moves()[0]["uci"] == best);
}

TEST_CASE("directives: a later one overtakes, and holds again when that is taken back") {
    Directed f;
    const std::string move = f.moves().back()["uci"];
    f.say({{"moves", {move}}, {"action", "include"}});
    f.say({{"moves", {move}}, {"action", "deepen"}});
    f.say({{"moves", {move}}, {"action", "now"}});
    const json clear = f.say({{"moves", {move}}, {"action", "clear"}});
    f.settle(f.id);
    json list = f.list();
    REQUIRE(list.size() == 4);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(list[i]["holds"] == false);
        CHECK(list[i]["why"] == "overtaken");
    }
    CHECK(list[3]["holds"] == true);
    CHECK(list[3]["move"]["uci"] == move);
    f.say({{"moves", json::array()}, {"action", "retract"}, {"at", clear["at"]}});
    list = f.list();
    REQUIRE(list.size() == 3);
    for (const json& each : list) {
        CHECK(each["holds"] == true);
    }
    f.say({{"moves", {move}}, {"action", "exclude"}});
    list = f.list();
    CHECK(list[0]["why"] == "overtaken"); // the include; what is said of the position stands
    CHECK(list[1]["holds"] == true);
}

TEST_CASE("directives: what lies off the game says so, and is taken back where it was said") {
    Directed f;
    const json deep = f.say({{"moves", {"d2d4"}}, {"action", "deepen"}});
    f.say({{"moves", {"b1c3"}}, {"action", "exclude"}});
    f.say({{"moves", {"g1f3", "b8c6"}}, {"action", "now"}});
    f.settle(f.id);
    f.ask(Method::post, f.path("/advance"), {{"moves", "Nf3"}});
    f.settle(f.id);
    json list = f.list();
    REQUIRE(list.size() == 3);
    CHECK(list[0]["why"] == "off_root");
    CHECK(list[0]["back"] == 1);
    CHECK(list[0]["line"][0]["uci"] == "d2d4");
    CHECK(list[1]["holds"] == true); // by its position
    CHECK(list[1]["back"] == 1);
    CHECK_FALSE(list[2].contains("back"));
    CHECK(list[2]["line"][0]["uci"] == "b8c6");
    CHECK(list[2]["effect"]["state"] == "searched");

    json back{{"moves", {"d2d4"}}, {"action", "retract"}, {"at", deep["at"]}, {"back", 2}};
    f.refuse(Method::post, f.path("/directives"), back, 400, "bad_value", "back");
    back["back"] = 1;
    back["at"] = deep["at"].get<std::int64_t>() + 1;
    f.refuse(Method::post, f.path("/directives"), back, 409, "conflict", "at");
    back["at"] = deep["at"];
    f.say(back);
    list = f.list();
    REQUIRE(list.size() == 2);
    CHECK(list[0]["action"] == "exclude");
    back["action"] = "now"; // what is to hang on a line begins at the root
    back.erase("at");
    f.refuse(Method::post, f.path("/directives"), back, 400, "illegal_move", "moves[0]");
    f.refuse(Method::get, "/analyses/99/directives", {}, 404, "not_found", "id");
}
