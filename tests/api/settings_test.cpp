// Every setting of the table is described, taken by POST and PATCH or refused by them, shown by
// GET, refused beyond its range, and outlives a restart. The same of directives and budgets.
#include "api/definition.hpp"
#include "api/views/view.hpp"
#include "api_fixture.hpp"
#include "core/records/analysis_spec.hpp"
#include "described_settings.hpp"

namespace {

// A server that is killed and starts again on the same store.
struct Restarted {
    TemporaryDirectory directory;
    Bench bench;
    std::optional<CoreFixture> core;
    std::optional<TestApi> api;

    Restarted() { start(); }
    void start() {
        core.emplace(directory.path(), bench);
        api.emplace(*core);
    }
    void restart() {
        api.reset();
        core->kill();
        core.reset();
        start();
    }
    http::Response send(http::Method method, const std::string& path, const json& body = {}) {
        return (*api)({method, "/api/v1" + path, {}, {}, body.is_null() ? "" : body.dump()});
    }
    json told(http::Method method, const std::string& path, const json& body = {}) {
        const http::Response response = send(method, path, body);
        INFO(path << " " << body << ": " << response.body);
        REQUIRE(response.status / 100 == 2);
        return json::parse(response.body);
    }
    json get(const std::string& path) { return told(http::Method::get, path); }
    // The path of the new analysis.
    std::string post(const json& body) {
        const json made = told(http::Method::post, "/analyses", body);
        return address_of(made["id"]);
    }
    void unknown(http::Method method, const std::string& path, const json& body,
                 const std::string& place) {
        const http::Response response = send(method, path, body);
        const json error = json::parse(response.body)["error"];
        CHECK(response.status == 400);
        CHECK(error["code"] == "unknown_field");
        CHECK(error["where"] == place);
    }
};

json usual(const std::string& place = "") {
    return {{"position", json::object()},
            {"hold", true},
            {"limit", {{"depth", 8}}},
            {"strategy", {{"kind", kind_with(place)}}}};
}

json with(json body, const std::string& place, json value) {
    if (place.starts_with("limit.")) {
        body.erase("limit");
    }
    if (place == "strategy.plan") { // only of some
        body["strategy"]["kind"] = "halving";
    }
    body[pointer_to(place)] = std::move(value);
    return body;
}

} // namespace

TEST_CASE("api: every setting is taken within its range, and refused by its place beyond it") {
    ApiFixture f;
    std::size_t refused = 0;
    for (const Setting& setting : all_settings()) {
        CAPTURE(setting.place);
        if (!setting.posted || setting.kind == Setting::Kind::text ||
            setting.kind == Setting::Kind::other) {
            continue;
        }
        const bool flag = setting.kind == Setting::Kind::flag;
        std::vector<json> taken{value_for(setting, setting.least),
                                value_for(setting, setting.most)};
        if (setting.place == "budget.until") {
            taken.erase(taken.begin()); // a moment of the past ends nothing
        }
        for (const json& value : taken) {
            const auto id = f.post(with(usual(setting.place), setting.place, value));
            const json shown = f.get(address_of(id));
            CHECK(shown.value(pointer_to(setting.place), json(0)) == value);
        }
        for (const json& value :
             flag ? std::vector<json>{0, "true", nullptr}
                  : std::vector<json>{value_for(setting, setting.least - 1),
                                      value_for(setting, setting.most + 1), "1", nullptr}) {
            f.refuse(http::Method::post, "/analyses",
                     with(usual(setting.place), setting.place, value), 400, "bad_value",
                     setting.place);
            ++refused;
        }
    }
    CHECK(refused > 60);
}

TEST_CASE("api: every setting is described where it is taken, and nothing else is") {
    Restarted f;
    const json document = f.get("/openapi.json");
    for (const bool post : {true, false}) {
        CAPTURE(post);
        std::set<std::string> described;
        for (const auto& [place, schema] :
             leaves_of(document, post ? "NewAnalysis" : "AnalysisPatch")) {
            described.insert(place);
        }
        std::set<std::string> taken;
        if (post) {
            taken.insert("position"); // what the analysis is of
        }
        for (const Setting& setting : all_settings()) {
            if (post ? setting.posted : setting.patched) {
                taken.insert(setting.place);
            }
        }
        CHECK(described == taken);
    }
}

TEST_CASE("api: every setting does something by POST and by PATCH, and is kept") {
    using http::Method;
    Restarted f;
    struct Kept {
        std::string path;
        std::string place;
        json value;
    };
    std::vector<Kept> kept;
    for (const Setting& setting : all_settings()) {
        const std::string& place = setting.place;
        CAPTURE(place);
        const std::string made = f.post(usual(place));
        const json value = other_value(setting, f.get(made).value(pointer_to(place), json{}));
        const std::string shown = place == "accept_also" ? "accept" : place; // it adds there
        const json change = with(json::object(), place, value);
        if (setting.patched) {
            CHECK(f.told(Method::patch, made, change)[pointer_to(shown)] == value);
            kept.push_back({made, shown, value});
        } else {
            f.unknown(Method::patch, made, change, place);
        }
        const json body = with(usual(place), place, value);
        if (setting.posted) {
            kept.push_back({f.post(body), shown, value});
        } else {
            f.unknown(Method::post, "/analyses", body, place);
        }
    }
    CHECK(kept.size() > 60);
    for (const bool restarted : {false, true}) {
        CAPTURE(restarted);
        for (const Kept& each : kept) {
            CAPTURE(each.path, each.place);
            CHECK(f.get(each.path).value(pointer_to(each.place), json{}) == each.value);
        }
        if (!restarted) {
            f.restart();
        }
    }
    // What it is of, for good; and an engine is one that there is.
    f.unknown(Method::patch, kept.front().path, {{"position", json::object()}}, "position");
    CHECK(f.send(Method::post, "/analyses", with(usual(), "engine", "none")).status / 100 == 4);
}

TEST_CASE("api: a budget is replaced as a whole, by each of its limits") {
    Restarted f;
    const std::string path = f.post(usual());
    json now = json::object();
    for (const base::Field<Budget>& field : budget_fields) {
        const std::string name{field.name};
        CAPTURE(name);
        now = {
            {name, field.whole() ? json(static_cast<std::int64_t>(field.most)) : json(field.most)}};
        CHECK(f.told(http::Method::patch, path, {{"budget", now}})["budget"] == now);
        f.restart();
        CHECK(f.get(path)["budget"] == now);
    }
    CHECK(f.told(http::Method::patch, path, {{"name", "x"}})["budget"] == now);
    CHECK(f.told(http::Method::patch, path, {{"budget", json::object()}})["budget"].empty());
}

TEST_CASE("api: every action is given, listed, kept, and taken back") {
    using http::Method;
    const std::map<std::string, json> further{{"deepen", {{"plies", 3}}},
                                              {"note", {{"text", "mine"}}}};
    Restarted f;
    // A paused one takes no "now".
    const std::string path = f.post(with(usual(), "hold", false)) + "/directives";
    for (const std::string_view name : action_names()) {
        const std::string action{name};
        CAPTURE(action);
        if (action == "retract") { // it ends each of the others
            continue;
        }
        json said{{"moves", {"e2e4"}}, {"action", action}};
        if (const auto found = further.find(action); found != further.end()) {
            said.update(found->second);
        }
        const json given = f.told(Method::post, path, said);
        for (const bool restarted : {false, true}) {
            CAPTURE(restarted);
            const json list = f.get(path)["directives"];
            REQUIRE(list.size() == 1);
            CHECK(list[0]["at"] == given["at"]);
            CHECK(list[0]["action"] == action);
            CHECK((concerns_move(action) ? list[0]["move"] : list[0]["line"][0])["uci"] == "e2e4");
            for (const auto& [key, value] : said.items()) {
                CHECK((key == "moves" || list[0][key] == value));
            }
            if (!restarted) {
                f.restart();
            }
        }
        json back{{"moves", json::array()}, {"action", "retract"}, {"at", given["at"]}};
        if (!concerns_move(action)) {
            back["moves"] = {"e2e4"};
        }
        f.told(Method::post, path, back);
        CHECK(f.get(path)["directives"].empty());
        f.restart();
        CHECK(f.get(path)["directives"].empty());
    }
}

TEST_CASE("api: the clock of moves counts, or not, as soon as PATCH says so") {
    ApiFixture f;
    const std::string fen = "8/8/4k3/8/7p/4K3/4R2P/8 w - - 150 99";
    const auto id = f.post(ApiFixture::wanted({{"fen", fen}}));
    const std::string path = address_of(id);
    f.settle(id);
    CHECK(f.bench.asked.empty());
    CHECK(f.get(path + "/node")["terminal"] == "seventy_five_moves");
    const auto pgn = [&] { return f.send(http::Method::get, path + "/export?format=pgn").body; };
    CHECK(pgn().find("a draw: 75 moves") != std::string::npos);
    const auto patch = [&](bool counts) {
        return f.send(http::Method::patch, path, {{"fifty_moves", counts}}).status;
    };
    CHECK(patch(false) == 200);
    CHECK(f.get(path)["state"] != "settled");
    CHECK(f.get(path)["reason"].is_null());
    CHECK(f.get(path + "/node")["clock"].is_null());
    CHECK(f.get(path + "/node")["terminal"].is_null());
    f.settle(id);
    CHECK_FALSE(f.bench.asked.empty());
    CHECK_FALSE(f.get(path + "/node")["moves"].empty());
    CHECK(pgn().find("a draw: 75 moves") == std::string::npos);
    const std::size_t asked = f.bench.asked.size();
    CHECK(patch(true) == 200);
    f.settle(id);
    CHECK(f.get(path + "/node")["terminal"] == "seventy_five_moves");
    CHECK(pgn().find("a draw: 75 moves") != std::string::npos);
    CHECK(f.bench.asked.size() == asked);
}

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
    const auto patch = [&](const json& change) {
        return f.ask(http::Method::patch, address, change);
    };
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
        f.refuse(http::Method::patch, address, {{field, value}}, 400, code, where);
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
        CHECK(f.ask(http::Method::patch, address, {{"name", "mine"}})["name"] == "mine");
        CHECK(f.ask(http::Method::patch, address, {{"name", blank}})["name"] == "Sicilian Defense");
        f.refuse(http::Method::patch, address, {{"name", "a\nb"}}, 400, "bad_value", "name");
    }
    body["name"] = std::string("a\0b", 3);
    f.refuse(http::Method::post, "/analyses", body, 400, "bad_value", "name");
}

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
    ApiFixture f;
    std::vector<AnalysisDefinition> all;
    for (json body : different_bodies()) {
        INFO(body.dump());
        body["hold"] = true;
        const AnalysisRun& run = f.run_of(f.post(body));
        const auto wanted = wanted_definition(body, "simulated");
        REQUIRE(wanted);
        CHECK(shown_definition(analysis_json(*f.core.core, run)) == wanted);
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
