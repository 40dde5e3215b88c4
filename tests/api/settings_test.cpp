// Every setting of the tables is taken by POST and shown by GET, and refused beyond its range.
// Every one that the description names does something, whichever way it is set, and outlives a
// restart.
#include "api_fixture.hpp"

#include "core/records/settings.hpp"
#include "described_settings.hpp"

using namespace adjourn;
using namespace adjourn::server;
using nlohmann::json;

namespace {

json with(const Setting& setting, json value) {
    json body{{"position", json::object()}, {"hold", true}, {"strategy", {{"kind", "dropout"}}}};
    if (!setting.place.starts_with("limit.")) {
        body["limit"]["depth"] = 8;
    }
    body[pointer_to(setting.place)] = std::move(value);
    return body;
}

// Another value than the one that is shown. A new setting of no simple type gets its row here.
json other_value(const std::string& place, const json& schema, const json& shown) {
    static const std::map<std::string, json> particular{
        {"name", "Another name"},
        {"window", "21:00-06:30"},
        {"accept", json::array({"lichess"})},
        {"accept_also", json::array({"lichess"})},
        {"tags", json::array({"one", "two"})},
        {"strategy.kind", "halving"},
        {"strategy.plan", json::array({{{"window", 40}}})},
        {"game.move_by", "2026-12-03"},
    };
    if (const auto found = particular.find(place); found != particular.end()) {
        return found->second;
    }
    if (schema.contains("enum")) {
        const json& words = schema["enum"];
        return *std::ranges::find_if(words, [&](const json& word) { return word != shown; });
    }
    if (schema["type"] == "boolean") {
        REQUIRE(shown.is_boolean());
        return !shown.get<bool>();
    }
    if (schema["type"] == "integer" || schema["type"] == "number") {
        return shown == schema["maximum"] ? schema["minimum"] : schema["maximum"];
    }
    REQUIRE(schema["type"] == "string");
    return "a text";
}

json number(const Setting& setting, double value) {
    return setting.kind == Setting::Kind::whole ? json(static_cast<std::int64_t>(value))
                                                : json(value);
}

} // namespace

TEST_CASE("api: every setting is taken within its range, and refused by its place beyond it") {
    ApiFixture f;
    std::size_t refused = 0;
    for (const Setting& setting : all_settings()) {
        CAPTURE(setting.place);
        if (setting.place == "rank") { // PATCH alone
            f.refuse(http::Method::post, "/analyses", with(setting, 1), 400, "unknown_field",
                     "rank");
            continue;
        }
        const bool flag = setting.kind == Setting::Kind::flag;
        std::vector<json> taken{number(setting, setting.least), number(setting, setting.most)};
        if (flag) {
            taken = {false, true};
        } else if (setting.place == "budget.until") {
            taken.erase(taken.begin()); // a moment of the past ends nothing
        }
        for (const json& value : taken) {
            const auto id = f.post(with(setting, value));
            const json shown = f.get("/analyses/" + std::to_string(id));
            CHECK(shown.value(pointer_to(setting.place), json(0)) == value);
        }
        for (const json& value :
             flag ? std::vector<json>{0, "true", nullptr}
                  : std::vector<json>{number(setting, setting.least - 1),
                                      number(setting, setting.most + 1), "1", nullptr}) {
            f.refuse(http::Method::post, "/analyses", with(setting, value), 400, "bad_value",
                     setting.place);
            ++refused;
        }
    }
    CHECK(refused > 60);
}

TEST_CASE("api: every setting that is described does something by POST and by PATCH, and is kept") {
    const TemporaryDirectory directory;
    Bench bench;
    auto core = std::make_unique<CoreFixture>(directory.path(), bench);
    auto api = std::make_unique<TestApi>(*core);
    const auto send = [&](http::Method method, const std::string& path, const json& body = {}) {
        return (*api)({method, "/api/v1" + path, {}, {}, body.is_null() ? "" : body.dump()});
    };
    const auto told = [&](http::Method method, const std::string& path, const json& body = {}) {
        const http::Response response = send(method, path, body);
        INFO(path << " " << body << ": " << response.body);
        REQUIRE(response.status / 100 == 2);
        return json::parse(response.body);
    };
    const auto path_of = [](const json& made) {
        return "/analyses/" + std::to_string(made["id"].get<std::int64_t>());
    };
    const json usual{{"position", json::object()},
                     {"hold", true},
                     {"limit", {{"depth", 8}}},
                     {"strategy", {{"kind", "dropout"}}}};
    const auto set = [](json body, const std::string& place, const json& value) {
        if (place.starts_with("limit.")) {
            body.erase("limit");
        }
        if (place == "strategy.plan") { // only of some
            body["strategy"]["kind"] = "halving";
        }
        body[pointer_to(place)] = value;
        return body;
    };
    const auto unknown = [](const http::Response& response, const std::string& place) {
        const json error = json::parse(response.body)["error"];
        CHECK(response.status == 400);
        CHECK(error["code"] == "unknown_field");
        CHECK(error["where"] == place);
    };
    const json document = told(http::Method::get, "/openapi.json");
    const Leaves posted = leaves_of(document, "NewAnalysis");
    const Leaves patched = leaves_of(document, "AnalysisPatch");
    Leaves all = posted;
    all.insert(patched.begin(), patched.end());
    for (const Setting& setting : all_settings()) {
        CAPTURE(setting.place);
        CHECK(all.contains(setting.place));
    }
    struct Kept {
        std::string path;
        std::string place;
        json value;
    };
    std::vector<Kept> kept;
    for (const auto& [place, schema] : all) {
        CAPTURE(place);
        const std::string made = path_of(told(http::Method::post, "/analyses", usual));
        if (place == "position" || place == "engine") { // what it is, for good
            unknown(send(http::Method::patch, made, {{place, usual["position"]}}), place);
            continue;
        }
        const json value = other_value(
            place, schema, told(http::Method::get, made).value(pointer_to(place), json{}));
        REQUIRE(patched.contains(place)); // else it is one of the above
        const std::string shown = place == "accept_also" ? "accept" : place; // it adds there
        CHECK(told(http::Method::patch, made,
                   set(json::object(), place, value))[pointer_to(shown)] == value);
        kept.push_back({made, shown, value});
        const json body = set(usual, place, value);
        if (posted.contains(place)) {
            kept.push_back({path_of(told(http::Method::post, "/analyses", body)), shown, value});
        } else {
            unknown(send(http::Method::post, "/analyses", body), place);
        }
    }
    CHECK(kept.size() > 60);
    for (const bool restarted : {false, true}) {
        CAPTURE(restarted);
        for (const Kept& each : kept) {
            CAPTURE(each.path, each.place);
            CHECK(told(http::Method::get, each.path).value(pointer_to(each.place), json{}) ==
                  each.value);
        }
        if (!restarted) {
            api.reset();
            core->kill();
            core.reset();
            core = std::make_unique<CoreFixture>(directory.path(), bench);
            api = std::make_unique<TestApi>(*core);
        }
    }
}

TEST_CASE("api: the clock of moves counts, or not, as soon as PATCH says so") {
    ApiFixture f;
    const std::string fen = "8/8/4k3/8/7p/4K3/4R2P/8 w - - 150 99";
    const auto id = f.post(ApiFixture::wanted({{"fen", fen}}));
    const std::string path = "/analyses/" + std::to_string(id);
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
