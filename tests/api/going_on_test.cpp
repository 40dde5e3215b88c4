// The game goes on, the work goes on, and what came of it, by HTTP.
#include "api_fixture.hpp"

using http::Method;

namespace {

struct GoingOn : ApiFixture {
    std::int64_t id = 0;
    GoingOn() {
        json body = wanted({{"moves", "1. e4 e5"}});
        body["strategy"]["refine"] = 1; // a small tree
        id = post(body);
        settle(id);
    }
    std::string path(const std::string& rest) const {
        return "/analyses/" + std::to_string(id) + rest;
    }
    json change(const std::string& call, const json& body) {
        const http::Response response = send(Method::post, path(call), body);
        INFO(response.body);
        REQUIRE(response.status == 200);
        return json::parse(response.body);
    }
    json shown() { return get(path("")); }
    void settle_again() { settle(id); }
    void patch(const json& body) { REQUIRE(send(Method::patch, path(""), body).status == 200); }
};

} // namespace

TEST_CASE("advance: the analysis shows its new root, and the game before it") {
    GoingOn f;
    const json before = f.shown();
    CHECK(before["played"] == 0);
    const json after = f.change("/advance", {{"moves", "Nf3 Nc6"}});
    CHECK(after["san"] == "1. e4 e5 2. Nf3 Nc6");
    CHECK(after["moves"] == json{"e2e4", "e7e5", "g1f3", "b8c6"});
    CHECK(after["played"] == 2);
    CHECK(after["name"] == before["name"]);
    CHECK(after["state"] == "queued");
    f.settle_again();
    CHECK(f.get(f.path("/node?moves="))["fen"] == after["fen"]);
    CHECK(f.shown()["sparkline"].size() > before["sparkline"].size()); // of the whole game
    CHECK(f.get(f.path("/history"))["snapshots"].size() == 1);
    const json history = f.get(f.path("/history"));
    for (const json& level : history["snapshots"]) {
        CHECK_FALSE(level.contains("fen"));
    }
    const json other = f.change("/advance", {{"back", 1}, {"moves", {"d7d6"}}});
    CHECK(other["san"] == "1. e4 e5 2. Nf3 d6");
    const json back = f.change("/advance", {{"back", 2}});
    CHECK(back["moves"] == before["moves"]);
    f.settle_again();
    CHECK(f.shown()["best"] == before["best"]);
    CHECK(f.get(f.path("/history"))["snapshots"].size() == 1);

    f.refuse(Method::post, f.path("/advance"), json::object(), 400, "bad_request", "moves");
    f.refuse(Method::post, f.path("/advance"), {{"moves", "Nf6"}}, 400, "illegal_move", "moves[0]");
    f.refuse(Method::post, f.path("/advance"), {{"back", 1}}, 400, "bad_value", "back");
    f.refuse(Method::post, f.path("/advance"), {{"moves", "Nf3"}, {"by", 1}}, 400, "unknown_field",
             "by");
    f.refuse(Method::post, "/analyses/99/advance", {{"moves", "Nf3"}}, 404, "not_found", "id");
    f.refuse(Method::post, f.path("/directives"), {{"moves", "Nf3"}, {"action", "advance"}}, 400,
             "bad_value", "action");
}

TEST_CASE("advance: notes before the root are kept, and say where they are") {
    GoingOn f;
    const auto note = [&](const char* moves, const char* text) {
        REQUIRE(f.send(Method::post, f.path("/directives"),
                       {{"moves", moves}, {"action", "note"}, {"text", text}})
                    .status == 201);
    };
    note("Nf3 Nc6", "here");
    note("d4", "elsewhere");
    f.change("/advance", {{"moves", "Nf3"}});
    const json notes = f.get(f.path("/notes"))["notes"];
    REQUIRE(notes.size() == 2);
    CHECK(notes[0]["line"][0]["san"] == "Nc6");
    CHECK_FALSE(notes[0].contains("back"));
    CHECK(notes[1]["line"][0]["san"] == "d4");
    CHECK(notes[1]["back"] == 1);
    f.settle_again();
    const http::Response pgn = f.send(Method::get, f.path("/export?format=pgn&from=game"));
    CHECK(pgn.body.find("1. e4 e5 2. Nf3") != std::string::npos);
    CHECK(pgn.body.find("{here}") != std::string::npos);
    CHECK(pgn.body.find("{elsewhere}") != std::string::npos);
}

TEST_CASE("extend: a settled analysis goes on, as much as is said") {
    GoingOn f;
    CHECK(f.change("/extend", {{"levels", 1}})["strategy"]["refine"] == 2);
    f.settle_again();
    CHECK(f.shown()["settled"] == 2);
    const std::size_t positions = f.shown()["positions"];
    const json more = f.change("/extend", {{"positions", 5}});
    CHECK(more["strategy"]["refine"] == 0); // its last level ends it no more
    CHECK(more["budget"]["positions"] == positions + 5);
    f.core.work_until([&] { return f.shown()["state"] == "exhausted"; });
    CHECK(f.shown()["positions"] >= positions + 5);

    const double spent = f.shown()["engine_seconds"];
    const json hour = f.change("/extend", {{"hours", 1}});
    CHECK_FALSE(hour["budget"].contains("positions")); // used up
    CHECK(hour["budget"]["engine_seconds"] ==
          Approx(spent + 3600.0 * static_cast<double>(f.bench.processes)));
    f.core.work_until([&] { return f.shown()["positions"] > positions + 20; });
    CHECK(f.shown()["state"] == "running");
    // It runs: what it has grows, and nothing else can.
    const json two = f.change("/extend", {{"hours", 1}});
    CHECK(two["budget"]["engine_seconds"] ==
          Approx(spent + 2 * 3600.0 * static_cast<double>(f.bench.processes)));
    f.refuse(Method::post, f.path("/extend"), {{"levels", 1}}, 409, "conflict", "");
    f.refuse(Method::post, f.path("/extend"), {{"nodes", 1000}}, 409, "conflict", "");
    f.refuse(Method::post, f.path("/extend"), {{"positions", 1}}, 409, "conflict", "");
    f.refuse(Method::post, f.path("/extend"), {{"until", 1'800'000'000'000}}, 409, "conflict", "");
}

TEST_CASE("extend: until a moment, of one that its moment has ended") {
    GoingOn f;
    f.patch({{"strategy", {{"refine", 0}}}, {"budget", {{"until", f.core.clock + 1'000}}}});
    f.core.work_until([] { return false; }, 5);
    f.core.pass(2'000);
    f.core.work_until([&] { return f.shown()["state"] == "exhausted"; });
    REQUIRE(f.shown()["state"] == "exhausted");
    f.refuse(Method::post, f.path("/extend"), {{"until", f.core.clock - 1}}, 400, "bad_value",
             "budget.until");
    const auto morning = f.core.clock + 3'600'000;
    CHECK(f.change("/extend", {{"until", morning}})["budget"]["until"] == morning);
    f.core.work_until([&] { return f.shown()["state"] == "running"; });
    CHECK(f.shown()["state"] == "running");
    CHECK(f.change("/extend", {{"hours", 0.5}})["budget"]["until"] == morning + 1'800'000);
    // A level deeper is a level deeper: the moment ends it no more once it has passed.
    f.core.pass(2 * 3'600'000);
    f.core.work_until([&] { return f.shown()["state"] == "exhausted"; });
    const int settled = f.shown()["settled"];
    const json deeper = f.change("/extend", {{"levels", 1}});
    CHECK(deeper["budget"] == json::object());
    CHECK(deeper["strategy"]["refine"] == settled + 1);
    f.settle_again();
}

TEST_CASE("extend: refused where nothing more is to be found, and where it is not clear") {
    GoingOn f;
    f.refuse(Method::post, f.path("/extend"), json::object(), 400, "bad_request", "");
    f.refuse(Method::post, f.path("/extend"), {{"hours", 1}, {"levels", 1}}, 400, "bad_value",
             "levels");
    f.refuse(Method::post, f.path("/extend"), {{"hours", 0}}, 400, "bad_value", "hours");
    f.refuse(Method::post, f.path("/extend"), {{"levels", 200}}, 409, "conflict", "");
    const auto mated = f.post(ApiFixture::wanted({{"moves", "1. f3 e5 2. g4 Qh4"}}));
    f.settle(mated);
    f.refuse(Method::post, "/analyses/" + std::to_string(mated) + "/extend", {{"levels", 1}}, 409,
             "conflict", "");
}

TEST_CASE("extend: a paused analysis stays paused") {
    GoingOn f;
    f.patch({{"hold", true}, {"budget", {{"positions", 7}}}});
    const json more = f.change("/extend", {{"positions", 3}});
    CHECK(more["budget"]["positions"] == 10);
    CHECK(more["state"] == "paused");
}

TEST_CASE("extend: no limit grows beyond the most that the store may hold of it") {
    const std::map<std::string, std::pair<std::string, double>> all{
        {"positions", {"positions", 1}},
        {"nodes", {"nodes", 1}},
        {"engine_seconds", {"hours", 0.001}},
        {"until", {"hours", 0.001}}};
    for (const base::Field<Budget>& field : budget_fields) {
        const std::string name{field.name};
        CAPTURE(name);
        const auto& [more, least] = all.at(name); // a new limit says here how it grows
        ApiFixture f;
        json body = ApiFixture::wanted({{"moves", "1. e4 e5"}});
        body["budget"][name] =
            field.whole() ? json(static_cast<std::int64_t>(field.most)) : json(field.most);
        const std::string path = "/analyses/" + std::to_string(f.post(body));
        const json amount = more == "hours" ? json(least) : json(static_cast<std::int64_t>(least));
        const http::Response refused = f.send(Method::post, path + "/extend", {{more, amount}});
        CHECK(refused.status == 409);
        CHECK(refused.body.find("budget." + name) != std::string::npos);
        CHECK(f.get(path)["budget"] == body["budget"]);
        for (const storage::AnalysisRecord& record : f.core.store->analyses()) {
            std::vector<std::string> findings;
            parse_spec(record.parameters, &findings);
            CHECK(findings.empty());
        }
    }
}

TEST_CASE("renew: what was found is another engine's, and it is told what is confirmed") {
    Bench second; // outlives the core
    second.name = "Second 1.0";
    second.seed = 2;
    GoingOn f;
    CHECK(f.shown()["renewal"].is_null());
    f.core.others.emplace("second", &second);
    engine_bridge::Profile other;
    other.name = "second";
    other.command = {"second"};
    f.core.core->set_engines({f.core.core->engines().all().front()->profile, other});
    f.core.settle_down();
    const json before = f.shown()["best"];
    const auto refused = [&](const json& body, int status, const char* code, const char* where) {
        f.refuse(Method::post, f.path("/renew"), body, status, code, where);
    };
    refused(json::object(), 400, "bad_request", "engine");
    refused({{"engine", "none"}}, 400, "unknown_engine", "engine");
    refused({{"engine", "second"}, {"hours", 0}}, 400, "bad_value", "hours");
    refused({{"engine", "simulated"}}, 409, "conflict", "");
    const json begun = f.change("/renew", {{"engine", "second"}, {"hours", 2}});
    CHECK(begun["engine"] == "second");
    CHECK(begun["budget"]["until"] == f.core.core->now() + 7'200'000);
    CHECK(begun["settled"] == 0);
    const json& renewal = begun["renewal"];
    CHECK(renewal["engine"] == "Simulated 1.0");
    CHECK(renewal["phase"] == "answers");
    CHECK(renewal["level"] == 1);
    REQUIRE_FALSE(renewal["answers"].empty());
    CHECK(renewal["answers"][0]["state"] == "open");
    CHECK(renewal["answers"][0]["move"]["san"] == before["san"]);
    CHECK(renewal["answers"][0]["move"]["score"] == before["alpha"]);
    CHECK(renewal["text"].get<std::string>().starts_with("0 of "));
    const auto work = [&](const std::function<bool()>& done) {
        for (int rounds = 0; !done(); ++rounds) {
            REQUIRE(rounds < 100'000);
            f.core.pass(0);
            second.step();
            f.core.settle_down();
        }
    };
    work([&] { return f.shown()["renewal"]["phase"] != "answers"; });
    work([&] { return f.core.settled(analysis::AnalysisId{f.id}); });
    const json done = f.shown()["renewal"];
    CHECK(f.get(f.path("/renew")) == done);
    INFO(done);
    CHECK(done["phase"] == "done");
    CHECK(done["answers"][0]["state"] != "open");
    CHECK(done["searched"] > 0);
    CHECK(done["positions"] >= done["searched"]);
    // Each move says whose word it is.
    const json node = f.get(f.path("/node"));
    CHECK(std::ranges::any_of(node["moves"], [](const json& move) {
        return move["engine"].is_object() && move["engine"]["engine"] == "Second 1.0";
    }));
    const json history = f.get(f.path("/history"));
    for (const json& level : history["snapshots"]) {
        CHECK_FALSE(level.contains("renewed"));
    }
    refused({{"engine", "second"}}, 409, "conflict", "");
}
