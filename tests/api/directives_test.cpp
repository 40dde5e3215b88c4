// What people asked for and said: what holds, what has come of it, and how it is taken back.
#include "api_fixture.hpp"
#include "exported.hpp"

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

namespace {

struct NotesFixture : OneAnalysis {
    NotesFixture() : OneAnalysis{wanted({{"moves", {"e2e4"}}})} {}

    // When it was said.
    json note(const json& moves, const std::string& text) {
        return say({{"moves", moves}, {"action", "note"}, {"text", text}})["at"];
    }
    // "e5 Nf3: text" each.
    std::vector<std::string> notes(const std::string& query = "") {
        std::vector<std::string> all;
        const json answer = get(path("/notes" + query));
        for (const json& each : answer["notes"]) {
            std::string line;
            for (const json& move : each["line"]) {
                line += move["san"].get<std::string>() + " ";
            }
            all.push_back(line + ": " + each["text"].get<std::string>());
        }
        return all;
    }
    json import(const std::string& pgn) {
        const json done = ask_text(
            Method::post, "/import?format=pgn&name=file.pgn&analysis=" + std::to_string(id), pgn);
        core.core->look_after();
        core.context.poll();
        return done;
    }
};

using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("api: all notes of an analysis, with their lines, and searched") {
    NotesFixture f;
    CHECK(f.notes().empty());
    f.note(json::array(), "The Start");
    const json at = f.note({"e7e5", "g1f3"}, "a knight");
    f.note({"e7e5", "g1f3"}, "start again");
    CHECK(f.notes() == Texts{": The Start", "e5 Nf3 : a knight", "e5 Nf3 : start again"});
    CHECK(f.notes("?search=START") == Texts{": The Start", "e5 Nf3 : start again"});
    CHECK(f.notes("?search=start%20again") == Texts{"e5 Nf3 : start again"});
    CHECK(f.notes("?search=bishop").empty());
    json back{{"moves", {"d7d5"}}, {"action", "retract"}, {"at", at}};
    f.refuse(Method::post, f.path("/directives"), back, 409, "conflict", "at"); // not said there
    back["moves"] = {"e7e5", "g1f3"};
    f.say(back);
    f.refuse(Method::post, f.path("/directives"), back, 409, "conflict", "at"); // no more
    CHECK(f.send(Method::get, f.path("/export")).body.find("a knight") == std::string::npos);
    CHECK(f.notes() == Texts{": The Start", "e5 Nf3 : start again"});
}

TEST_CASE("api: imported comments become notes, once, and are exported again with what was drawn") {
    NotesFixture f;
    const std::string pgn = "[Event \"?\"]\n\n{before} 1. e4 {the root [%clk 1:00:00]} e5 "
                            "{[%eval 0.2] solid [%csl Gd4][%cal Re7e5,Xa1a2]} "
                            "({instead} 1... c5 {open} 2. Nf3 {[%clk 0:59:00]}) 2. Nf3 "
                            "{+0.31/12 0.5s} *\n";
    CHECK(f.import(pgn)["notes"]["added"] == 4);
    const Texts expected{": the root", "e5 : [%csl Gd4] [%cal Re7e5] solid", "c5 : instead",
                         "c5 : open"};
    CHECK(f.notes() == expected);
    CHECK(f.import(pgn)["notes"]["added"] == 0);
    CHECK(f.notes() == expected);
    f.settle(f.id);
    const AnalysisRun& run = f.run_of(f.id);
    ExportLimits limits;
    limits.pgn.from_game = true;
    limits.pgn.arrows = true;
    limits.margin = 100'000;
    const std::string out = exported("pgn", *f.core.core, run, {}, limits);
    CAPTURE(out);
    CHECK(out.find("{the root}") != std::string::npos);
    CHECK(out.find("[%csl Gd4] [%cal Re7e5]") != std::string::npos);

    NotesFixture g; // into another analysis: the same notes, and none of the rest
    g.import(out);
    Texts came = g.notes();
    CHECK(std::ranges::find(came, expected[0]) != came.end());
    CHECK(std::ranges::find(came, expected[1]) != came.end());
    for (const std::string& each : came) {
        CAPTURE(each);
        CHECK(each.find("estimate") == std::string::npos);
    }
}
