// The API as functions Request → Response: what it shows, and what it says to nonsense.
#include "api/call.hpp"
#include "api_fixture.hpp"

TEST_CASE("api: create, grow, look, export, delete") {
    ApiFixture f;
    const auto id = f.post(ApiFixture::wanted({{"moves", "1. e4 e5 2. Nf3 Nc6 3. Bb5"}}));
    const std::string path = "/analyses/" + std::to_string(id);
    CHECK(f.get(path)["name"] == "Ruy Lopez");
    CHECK(f.get(path)["opening"]["eco"] == "C60");
    f.settle(id);
    const json analysis = f.get(path);
    CHECK(analysis["state"] == "settled");
    CHECK(analysis["settled"] == 2);
    CHECK(analysis["best"]["san"].is_string());
    CHECK(analysis["sparkline"].size() == 2);
    CHECK(analysis["evaluations"]["new"] == f.bench.asked.size());

    const json node = f.get(path + "/node?moves=");
    CHECK(node["turn"] == "black");
    CHECK(node["status"] == "expanded");
    CHECK(node["moves"][0]["san"] == analysis["best"]["san"]);
    CHECK(node["moves"][0]["engine"]["depth"] == 8);
    CHECK(node["moves"][0]["engine"]["engine"] == "Simulated 1.0");
    // Best alpha first for Black: White's scores ascend.
    int before = -100'000;
    for (const json& move : node["moves"]) {
        CHECK(move["alpha"]["cp"].get<int>() >= before);
        before = move["alpha"]["cp"];
    }
    const std::string best = node["moves"][0]["uci"];
    const json below = f.get(path + "/node?moves=" + best);
    CHECK(below["turn"] == "white");
    CHECK(below["alpha"] == node["moves"][0]["alpha"]);
    CHECK(below["parents"][0]["uci"] == best);
    CHECK(f.get(path + "/tree?plies=2")["root"]["children"].size() >= 1);
    CHECK(f.get(path + "/history")["snapshots"].size() == 2);
    const json facts = f.get(path + "/evaluations?moves=");
    CHECK(facts["evaluations"].size() == node["moves"].size());
    CHECK(facts["evaluations"][0]["engine"] == "Simulated 1.0");
    CHECK(facts["evaluations"][1]["excluded"].size() == 1);
    const json where = f.get("/positions?fen=r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/"
                             "RNBQK2R%20b%20KQkq%20-%200%201");
    CHECK(where["analyses"][0]["id"] == id);
    const http::Response pgn = f.send(http::Method::get, path + "/export?format=pgn");
    CHECK(pgn.status == 200);
    CHECK(pgn.body.find("[%eval ") != std::string::npos);
    CHECK(pgn.body.find("[FEN \"r1bqkbnr") != std::string::npos);
    CHECK(f.send(http::Method::del, path).status == 204);
    f.refuse(http::Method::get, path, {}, 404, "not_found", "id");
}

TEST_CASE("api: strategies and their parameters") {
    ApiFixture f;
    json body = ApiFixture::wanted({{"moves", "1. e4 e5"}});
    for (const char* kind : {"halving", "dropout", "uniform"}) {
        body["strategy"] = {{"kind", kind}, {"move_distance", 10}, {"refine", 1}};
        const auto id = f.post(body);
        f.settle(id);
        const json analysis = f.get("/analyses/" + std::to_string(id));
        CHECK(analysis["strategy"]["kind"] == kind);
        CHECK(analysis["settled"] == 1);
        CHECK(analysis["strategy"].contains("per_cp") == (std::string_view{kind} == "dropout"));
    }
    body["strategy"] = {{"kind", "dropout"}, {"per_cp", 0.1}};
    body["hold"] = true;
    const std::string path = "/analyses/" + std::to_string(f.post(body));
    json strategy = f.get(path)["strategy"];
    CHECK(strategy["per_cp"] == 0.1);
    CHECK(strategy["per_ply"] == 1); // dropout's own
    // A change keeps what it does not name; another kind has no costs.
    REQUIRE(f.send(http::Method::patch, path, {{"strategy", {{"per_ply", 0.7}}}}).status == 200);
    CHECK(f.get(path)["strategy"]["per_cp"] == 0.1);
    REQUIRE(f.send(http::Method::patch, path,
                   {{"strategy", {{"kind", "halving"}, {"move_distance", 17}}}})
                .status == 200);
    strategy = f.get(path)["strategy"];
    CHECK_FALSE(strategy.contains("per_ply"));
    CHECK(strategy["move_distance"] == 17);
    const json plan{{{"window", 40}}, {{"window", 40}}, {{"window", 20}}};
    REQUIRE(f.send(http::Method::patch, path, {{"strategy", {{"kind", "uniform"}, {"plan", plan}}}})
                .status == 200);
    CHECK(f.get(path)["strategy"]["plan"] == plan);
    CHECK_FALSE(f.get(path)["strategy"].contains("per_cp"));
    REQUIRE(f.send(http::Method::patch, path, {{"stop", {{"lead", 2.5}}}}).status == 200);
    CHECK(f.get(path)["stop"] == json{{"proven", true}, {"lead", 2.5}, {"levels", 2}});
    f.refuse(http::Method::patch, path, {{"stop", {{"levels", 0}}}}, 400, "bad_value",
             "stop.levels");
    // What the store gets is what it gives back.
    const AnalysisSpec& spec = f.core.core->queue().runs().back()->spec;
    CHECK(parse_spec(to_text(spec)) == spec);

    const auto refuse = [&](const json& wrong, const std::string& code, const std::string& where) {
        f.refuse(http::Method::patch, path, {{"strategy", wrong}}, 400, code, where);
    };
    refuse({{"kind", "best"}}, "bad_value", "strategy.kind");
    refuse({{"per_cp", 0.1}}, "bad_value", "strategy.per_cp"); // uniform has none
    refuse({{"kind", "dropout"}, {"step", 1}}, "unknown_field", "strategy.step"); // there was one
    refuse({{"kind", "dropout"}, {"per_cp", "1"}}, "bad_value", "strategy.per_cp");
    refuse({{"kind", "dropout"}, {"plan", plan}}, "bad_value", "strategy.plan");
    for (const char* gone : {"interest", "consistency", "minmax"}) {
        refuse({{"kind", gone}}, "bad_value", "strategy.kind");
        json wanted = ApiFixture::wanted({{"moves", "1. e4 e5"}});
        wanted["strategy"] = {{"kind", gone}};
        const http::Response refused = f.send(http::Method::post, "/analyses", wanted);
        CHECK(refused.status == 400);
        CHECK(refused.body.find("there are: ") != std::string::npos);
        CHECK(refused.body.find("uniform") != std::string::npos);
    }
    refuse({{"plan", json::array({json::object()})}}, "bad_request", "strategy.plan[0].window");
    refuse({{"plan", {{"white", plan}, {"black", plan}}}}, "bad_value", "strategy.plan");
    refuse({{"plan", {{{"window", 40}, {"height", 1}}}}}, "unknown_field",
           "strategy.plan[0].height");
}

TEST_CASE("api: directives show at once") {
    ApiFixture f;
    const auto id = f.post(ApiFixture::wanted({{"moves", json::array()}}));
    f.settle(id);
    const std::string path = "/analyses/" + std::to_string(id);
    const json node = f.get(path + "/node?moves=");
    const std::string best = node["moves"][0]["uci"];
    REQUIRE(
        f.send(http::Method::post, path + "/directives", {{"moves", {best}}, {"action", "exclude"}})
            .status == 201);
    bool excluded = false;
    const json after = f.get(path + "/node?moves=");
    for (const json& move : after["moves"]) {
        excluded |= move["uci"] == best && move["status"] == "excluded";
    }
    CHECK(excluded);
    REQUIRE(f.send(http::Method::post, path + "/directives",
                   {{"moves", json::array()}, {"action", "note"}, {"text", "look here"}})
                .status == 201);
    CHECK(f.get(path + "/node?moves=")["notes"][0]["text"] == "look here");
    REQUIRE(
        f.send(http::Method::post, path + "/directives", {{"moves", "a2a3"}, {"action", "include"}})
            .status == 201);
    f.settle(id);
    bool scored = false;
    const json included = f.get(path + "/node?moves=");
    for (const json& move : included["moves"]) {
        scored |= move["uci"] == "a2a3" && move["engine"].is_object() && move["source"] == "person";
    }
    CHECK(scored);
}

TEST_CASE("api: a note is corrected by a new one and taken back by its moment") {
    ApiFixture f;
    using http::Method;
    const auto id = f.post(ApiFixture::wanted({{"moves", json::array()}}));
    const std::string path = "/analyses/" + std::to_string(id);
    const auto say = [&](const json& body) {
        const auto response = f.send(Method::post, path + "/directives", body);
        INFO(response.body);
        CHECK(response.status == 201);
    };
    const auto notes = [&] { return f.get(path + "/node?moves=e2e4")["notes"]; };
    say({{"moves", "e2e4"}, {"action", "note"}, {"text", "e5 losses"}});
    const json at = notes().at(0)["at"];
    say({{"moves", "e2e4"}, {"action", "note"}, {"text", "e5 loses"}});
    f.refuse(Method::post, path + "/directives",
             {{"moves", "d2d4"}, {"action", "retract"}, {"at", at}}, 409, "conflict", "at");
    say({{"moves", "e2e4"}, {"action", "retract"}, {"at", at}});
    REQUIRE(notes().size() == 1);
    CHECK(notes()[0]["text"] == "e5 loses");
    f.refuse(Method::post, path + "/directives",
             {{"moves", "e2e4"}, {"action", "retract"}, {"at", at}}, 409, "conflict", "at");
    f.refuse(Method::post, path + "/directives", {{"moves", "e2e4"}, {"action", "retract"}}, 400,
             "bad_request", "at");
    const auto pgn = f.send(Method::get, path + "/export?format=pgn", {});
    CHECK(pgn.body.find("losses") == std::string::npos);
}

TEST_CASE("api: an order is taken back by its moment, as if nobody had given it") {
    ApiFixture f;
    using http::Method;
    const auto id = f.post(ApiFixture::wanted({{"moves", json::array()}}));
    const std::string path = "/analyses/" + std::to_string(id);
    const auto say = [&](const json& body) {
        const auto response = f.send(Method::post, path + "/directives", body);
        INFO(response.body);
        REQUIRE(response.status == 201);
        return json::parse(response.body)["at"];
    };
    const auto status = [&](const std::string& uci) -> std::string {
        const json node = f.get(path + "/node");
        for (const json& move : node["moves"]) {
            if (move["uci"] == uci) {
                return move["status"];
            }
        }
        return "";
    };
    const json excluded = say({{"moves", "d2d4"}, {"action", "exclude"}});
    const json included = say({{"moves", "d2d4"}, {"action", "include"}});
    CHECK(status("d2d4") != "excluded");
    say({{"moves", json::array()}, {"action", "retract"}, {"at", included}});
    CHECK(status("d2d4") == "excluded"); // what was said before stands
    f.refuse(Method::post, path + "/directives",
             {{"moves", "d2d4"}, {"action", "retract"}, {"at", excluded}}, 409, "conflict", "at");
    const json cleared = say({{"moves", "d2d4"}, {"action", "clear"}});
    CHECK(status("d2d4") != "excluded");
    say({{"moves", json::array()}, {"action", "retract"}, {"at", cleared}});
    CHECK(status("d2d4") == "excluded");
    say({{"moves", json::array()}, {"action", "retract"}, {"at", excluded}});
    CHECK(status("d2d4") != "excluded");
    f.refuse(Method::post, path + "/directives",
             {{"moves", json::array()}, {"action", "retract"}, {"at", excluded}}, 409, "conflict",
             "at");
}

TEST_CASE("api: a position is read as people type it") {
    ApiFixture f;
    using http::Method;
    const auto read = [&](const std::string& text) {
        const auto response = f.send(Method::post, "/positions", {{"text", text}});
        INFO(text << ": " << response.body);
        REQUIRE(response.status == 200);
        return json::parse(response.body);
    };
    const json ruy = read("1. e4 e5 2. Nf3 Nc6 3. Bb5");
    CHECK(ruy["moves"].size() == 5);
    CHECK(ruy["opening"]["name"] == "Ruy Lopez");
    for (const char* text :
         {"Spanisch", "ruy lopez", "Apertura Española", "1.e4 e5 2.Sf3 Sc6 3.Lb5",
          "e2e4 e7e5 g1f3 b8c6 f1b5", "\"1. e4 e5 2. ♘f3 ♞c6 3. ♗b5\"",
          "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5",
          "1. e4 {[%clk 0:03:00]} e5 (1... c5) 2. Nf3 $1 Nc6 3. Bb5 *",
          "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *"}) {
        CHECK(read(text) == ruy);
    }
    const json epd = read("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"x\";");
    CHECK(epd["fen"] == "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    CHECK(epd["opening"] == nullptr);
    f.refuse(Method::post, "/positions", {{"text", "1. e4 e5 2. Ke3"}}, 400, "bad_value", "text");
    CHECK(f.send(Method::post, "/positions", {{"text", "1. e4 e5 2. Ke3"}})
              .body.find("move 2. 'Ke3' is illegal") != std::string::npos);
    CHECK(f.send(Method::post, "/positions", {{"text", "grunf"}}).body.find("Grünfeld") !=
          std::string::npos);
    f.refuse(Method::post, "/positions", {{"text", 7}}, 400, "bad_value", "text");
    f.refuse(Method::post, "/positions", {{"texts", ""}}, 400, "bad_request", "text");

    const auto id = f.post(ApiFixture::wanted({{"text", "Najdorf"}}));
    const json made = f.get("/analyses/" + std::to_string(id));
    CHECK(made["name"] == "Sicilian Defense: Najdorf Variation");
    CHECK(made["moves"].size() == 10);
    f.refuse(Method::post, "/analyses", ApiFixture::wanted({{"text", "e4"}, {"moves", "e4"}}), 400,
             "bad_value", "position");
    f.refuse(Method::post, "/analyses", ApiFixture::wanted({{"text", "xyzzy"}}), 400, "bad_value",
             "position.text");
}

TEST_CASE("api: nonsense gets an error that names the place") {
    ApiFixture f;
    using http::Method;
    const auto post = [&](const json& body, int status, const char* code, const char* where) {
        f.refuse(Method::post, "/analyses", body, status, code, where);
    };
    const auto fen = [&](const char* text) {
        post(ApiFixture::wanted({{"fen", text}}), 400, "illegal_position", "position.fen");
    };
    fen("8/8/8/8/8/8/8/8 w - - 0 1");
    fen("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1");
    fen("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1");
    fen("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1");
    fen("foo bar baz");
    fen("");
    post(ApiFixture::wanted({{"moves", {"e2e4", "e7e5", "g1g5"}}}), 400, "illegal_move",
         "position.moves[2]");
    post(ApiFixture::wanted({{"moves", "1. e4 e5 2. Ke3"}}), 400, "illegal_move",
         "position.moves[2]");
    post(ApiFixture::wanted({{"moves", 7}}), 400, "bad_value", "position.moves");
    post(ApiFixture::wanted({{"colour", "white"}}), 400, "unknown_field", "position.colour");
    json body = ApiFixture::wanted(json::object());
    body["engine"] = "deep thought";
    post(body, 400, "unknown_engine", "engine");
    body = ApiFixture::wanted(json::object());
    body["limit"] = {{"depth", -3}};
    post(body, 400, "bad_value", "limit.depth");
    body["limit"] = {{"depth", 0}};
    post(body, 400, "bad_value", "limit.depth");
    body["limit"] = {{"nodes", 1.5}};
    post(body, 400, "bad_value", "limit.nodes");
    body["limit"] = {{"depth", 10}, {"nodes", 10}};
    post(body, 400, "bad_value", "limit");
    body["limit"] = json::object();
    post(body, 400, "bad_value", "limit");
    body["limit"] = {{"dpeth", 10}};
    post(body, 400, "unknown_field", "limit.dpeth");
    body.erase("limit");
    post(body, 400, "bad_request", "limit");
    body = ApiFixture::wanted(json::object());
    body["colour"] = "red";
    post(body, 400, "unknown_field", "colour");
    body = ApiFixture::wanted(json::object());
    body["strategy"]["kind"] = "guess";
    post(body, 400, "bad_value", "strategy.kind");
    body = ApiFixture::wanted(json::object());
    body["window"] = "25:00-07:00";
    post(body, 400, "bad_value", "window");
    post({{"limit", {{"depth", 3}}}}, 400, "bad_request", "position");
    f.refuse_text(Method::post, "/analyses", "{\"position\":", 400, "bad_json", "body");
    f.refuse_text(Method::post, "/analyses", "[]", 400, "bad_value", "body");

    const auto id = f.post(ApiFixture::wanted(json::object()));
    const std::string path = "/analyses/" + std::to_string(id);
    f.refuse(Method::get, path + "/node?moves=e2e4,e2e4", {}, 400, "illegal_move",
             "query.moves[1]");
    f.refuse(Method::get, path + "/node?moves=&depth=3", {}, 400, "unknown_field", "query.depth");
    f.refuse(Method::get, path + "/tree?plies=1000", {}, 400, "bad_value", "query.plies");
    f.refuse(Method::get, path + "/changes?since=yesterday", {}, 400, "bad_value", "query.since");
    f.refuse(Method::get, path + "/export?format=docx", {}, 400, "bad_value", "query.format");
    f.refuse(Method::get, "/positions?fen=x", {}, 400, "illegal_position", "query.fen");
    f.refuse(Method::get, "/positions", {}, 400, "bad_request", "query.fen");
    f.refuse(Method::get, "/analyses/99/node?moves=", {}, 404, "not_found", "id");
    f.refuse(Method::get, "/analyses/x", {}, 404, "not_found", "id");
    f.refuse(Method::get, "/nothing", {}, 404, "not_found", "path");
    f.refuse(Method::post, "/health", json::object(), 405, "method_not_allowed", "method");
    f.refuse(Method::patch, path, {{"limit", {{"depth", 999}}}}, 400, "bad_value", "limit.depth");
    f.refuse(Method::patch, path, {{"state", "running"}}, 400, "unknown_field", "state");
    f.refuse(Method::post, path + "/directives", {{"moves", "e2e5"}, {"action", "include"}}, 400,
             "illegal_move", "moves[0]");
    f.refuse(Method::post, path + "/directives", {{"moves", ""}, {"action", "include"}}, 400,
             "bad_value", "moves");
    f.refuse(Method::post, path + "/directives", {{"moves", "e2e4"}, {"action", "win"}}, 400,
             "bad_value", "action");
    f.refuse(Method::post, path + "/directives", {{"moves", "e2e4"}, {"action", "note"}}, 400,
             "bad_request", "text");
}

TEST_CASE("api: what the core refuses has a code and names the place") {
    using Kind = WorkError::Kind;
    const std::vector<std::tuple<Kind, int, std::string>> all{
        {Kind::no_analysis, 404, "id"},    {Kind::no_engine, 400, "engine"},
        {Kind::needs_move, 400, "moves"},  {Kind::futile_line, 409, "moves"},
        {Kind::futile_now, 409, "action"}, {Kind::no_note, 409, "at"},
        {Kind::store_failed, 503, ""}};
    for (const auto& [kind, status, where] : all) {
        const http::Error error = to_http({kind, "why"});
        CHECK(http::status_of(error.code) == status);
        CHECK(error == http::Error{error.code, "why", where});
    }
}

TEST_CASE("api: health, engines, metrics, openings") {
    ApiFixture f;
    CHECK(f.get("/health")["status"] == "ok");
    CHECK(f.get("/openapi.json")["paths"].contains("/analyses/{id}/node"));
    const json engines = f.get("/engines")["engines"];
    REQUIRE(engines.size() == 1);
    CHECK(engines[0]["default"] == true);
    CHECK(engines[0]["identity"]["name"] == "Simulated 1.0");
    CHECK(engines[0]["processes"].size() == 2);
    const http::Response metrics = f.api(http::Request{http::Method::get, "/metrics", {}, {}, ""});
    CHECK(metrics.status == 200);
    CHECK(metrics.body.find("adjourn_evaluations_stored 0\n") != std::string::npos);
    const json najdorf = f.get("/openings?q=najdorf&limit=3")["openings"];
    REQUIRE(najdorf.size() == 3);
    CHECK(najdorf[0]["name"].get<std::string>().find("Najdorf") != std::string::npos);
    CHECK(f.get("/openings?q=B90")["openings"][0]["eco"] == "B90");
}
