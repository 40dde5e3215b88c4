// The game goes on, the work goes on, and what came of it, by HTTP.
#include "api_fixture.hpp"

using http::Method;

namespace {

struct GoingOn : OneAnalysis {
    GoingOn() : OneAnalysis{body()} { settle(id); }
    static json body() {
        json body = wanted({{"moves", "1. e4 e5"}});
        body["strategy"]["refine"] = 1; // a small tree
        return body;
    }
    json post_to(const std::string& call, const json& body) {
        return ask(Method::post, path(call), body);
    }
    json shown() { return get(path()); }
    void wait_for(const std::string& state) {
        core.work_until([&] { return shown()["state"] == state; });
        REQUIRE(shown()["state"] == state);
    }
    void refuse_to(const std::string& call, const json& body, int status, const char* code,
                   const char* where) {
        refuse(Method::post, path(call), body, status, code, where);
    }
};

} // namespace

TEST_CASE("advance: the analysis shows its new root, and the game before it") {
    GoingOn f;
    const json before = f.shown();
    CHECK(before["played"] == 0);
    const json after = f.post_to("/advance", {{"moves", "Nf3 Nc6"}});
    CHECK(after["san"] == "1. e4 e5 2. Nf3 Nc6");
    CHECK(after["moves"] == json{"e2e4", "e7e5", "g1f3", "b8c6"});
    CHECK(after["played"] == 2);
    CHECK(after["name"] == before["name"]);
    CHECK(after["state"] == "queued");
    f.settle(f.id);
    CHECK(f.get(f.path("/node?moves="))["fen"] == after["fen"]);
    CHECK(f.shown()["sparkline"].size() > before["sparkline"].size()); // of the whole game
    const json history = f.get(f.path("/history"))["snapshots"];
    REQUIRE(history.size() == 1);
    CHECK_FALSE(history[0].contains("fen"));
    const json other = f.post_to("/advance", {{"back", 1}, {"moves", {"d7d6"}}});
    CHECK(other["san"] == "1. e4 e5 2. Nf3 d6");
    const json back = f.post_to("/advance", {{"back", 2}});
    CHECK(back["moves"] == before["moves"]);
    f.settle(f.id);
    CHECK(f.shown()["best"] == before["best"]);
    CHECK(f.get(f.path("/history"))["snapshots"].size() == 1);

    f.refuse_to("/advance", json::object(), 400, "bad_request", "moves");
    f.refuse_to("/advance", {{"moves", "Nf6"}}, 400, "illegal_move", "moves[0]");
    f.refuse_to("/advance", {{"back", 1}}, 400, "bad_value", "back");
    f.refuse_to("/directives", {{"moves", "Nf3"}, {"action", "advance"}}, 400, "bad_value",
                "action");
}

TEST_CASE("advance: notes before the root are kept, and say where they are") {
    GoingOn f;
    const auto note = [&](const char* moves, const char* text) {
        f.say({{"moves", moves}, {"action", "note"}, {"text", text}});
    };
    note("Nf3 Nc6", "here");
    note("d4", "elsewhere");
    f.post_to("/advance", {{"moves", "Nf3"}});
    const json notes = f.get(f.path("/notes"))["notes"];
    REQUIRE(notes.size() == 2);
    CHECK(notes[0]["line"][0]["san"] == "Nc6");
    CHECK_FALSE(notes[0].contains("back"));
    CHECK(notes[1]["line"][0]["san"] == "d4");
    CHECK(notes[1]["back"] == 1);
}

TEST_CASE("extend: a settled analysis goes on, as much as is said") {
    GoingOn f;
    CHECK(f.post_to("/extend", {{"levels", 1}})["strategy"]["refine"] == 2);
    f.settle(f.id);
    CHECK(f.shown()["settled"] == 2);
    const std::size_t positions = f.shown()["positions"];
    const json more = f.post_to("/extend", {{"positions", 5}});
    CHECK(more["strategy"]["refine"] == 0); // its last level ends it no more
    CHECK(more["budget"]["positions"] == positions + 5);
    f.wait_for("exhausted");
    CHECK(f.shown()["positions"] >= positions + 5);

    const double spent = f.shown()["engine_seconds"];
    const json hour = f.post_to("/extend", {{"hours", 1}});
    CHECK_FALSE(hour["budget"].contains("positions")); // used up
    CHECK(hour["budget"]["engine_seconds"] ==
          Approx(spent + 3600.0 * static_cast<double>(f.bench.processes)));
    f.core.work_until([&] { return f.shown()["positions"] > positions + 20; });
    CHECK(f.shown()["state"] == "running");
    // It runs: what it has grows, and nothing else can.
    const json two = f.post_to("/extend", {{"hours", 1}});
    CHECK(two["budget"]["engine_seconds"] ==
          Approx(spent + 2 * 3600.0 * static_cast<double>(f.bench.processes)));
    for (const json& other : {json{{"levels", 1}}, json{{"nodes", 1000}}, json{{"positions", 1}},
                              json{{"until", 1'800'000'000'000}}}) {
        f.refuse_to("/extend", other, 409, "conflict", "");
    }
}

TEST_CASE("extend: until a moment, of one that its moment has ended") {
    GoingOn f;
    f.change({{"strategy", {{"refine", 0}}}, {"budget", {{"until", f.core.clock + 1'000}}}});
    f.core.work_until([] { return false; }, 5);
    f.core.pass(2'000);
    f.wait_for("exhausted");
    f.refuse_to("/extend", {{"until", f.core.clock - 1}}, 400, "bad_value", "budget.until");
    const auto morning = f.core.clock + 3'600'000;
    CHECK(f.post_to("/extend", {{"until", morning}})["budget"]["until"] == morning);
    f.wait_for("running");
    CHECK(f.post_to("/extend", {{"hours", 0.5}})["budget"]["until"] == morning + 1'800'000);
    // A level deeper is a level deeper: the moment ends it no more once it has passed.
    f.core.pass(2 * 3'600'000);
    f.wait_for("exhausted");
    const int settled = f.shown()["settled"];
    const json deeper = f.post_to("/extend", {{"levels", 1}});
    CHECK(deeper["budget"] == json::object());
    CHECK(deeper["strategy"]["refine"] == settled + 1);
    f.settle(f.id);
}

TEST_CASE("extend: refused where nothing more is to be found, and where it is not clear") {
    GoingOn f;
    f.refuse_to("/extend", json::object(), 400, "bad_request", "");
    f.refuse_to("/extend", {{"hours", 1}, {"levels", 1}}, 400, "bad_value", "levels");
    f.refuse_to("/extend", {{"hours", 0}}, 400, "bad_value", "hours");
    f.refuse_to("/extend", {{"levels", 200}}, 409, "conflict", "");
    f.id = f.post(ApiFixture::wanted({{"moves", "1. f3 e5 2. g4 Qh4"}})); // mated
    f.settle(f.id);
    f.refuse_to("/extend", {{"levels", 1}}, 409, "conflict", "");
}

TEST_CASE("extend: a paused analysis stays paused") {
    GoingOn f;
    f.change({{"hold", true}, {"budget", {{"positions", 7}}}});
    const json more = f.post_to("/extend", {{"positions", 3}});
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
        const std::string path = address_of(f.post(body));
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
    f.refuse_to("/renew", json::object(), 400, "bad_request", "engine");
    f.refuse_to("/renew", {{"engine", "none"}}, 400, "unknown_engine", "engine");
    f.refuse_to("/renew", {{"engine", "second"}, {"hours", 0}}, 400, "bad_value", "hours");
    f.refuse_to("/renew", {{"engine", "simulated"}}, 409, "conflict", "");
    const json begun = f.post_to("/renew", {{"engine", "second"}, {"hours", 2}});
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
    for (int rounds = 0; f.shown()["renewal"]["phase"] != "done"; ++rounds) {
        REQUIRE(rounds < 100'000);
        f.core.pass(0);
        second.step();
        f.core.settle_down();
    }
    const json done = f.shown()["renewal"];
    CHECK(f.get(f.path("/renew")) == done);
    INFO(done);
    CHECK(done["answers"][0]["state"] != "open");
    CHECK(done["searched"] > 0);
    CHECK(done["positions"] >= done["searched"]);
    // Each move says whose word it is.
    const json node = f.get(f.path("/node"));
    CHECK(std::ranges::any_of(node["moves"], [](const json& move) {
        return move["engine"].is_object() && move["engine"]["engine"] == "Second 1.0";
    }));
    f.refuse_to("/renew", {{"engine", "second"}}, 409, "conflict", "");
}
