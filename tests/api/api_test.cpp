// The API as functions Request → Response: what it shows, and what it says to nonsense.
#include "analysis/estimate.hpp"
#include "api/call.hpp"
#include "api_fixture.hpp"

TEST_CASE("api: create, grow, look, export, delete") {
    ApiFixture f;
    const auto id = f.post(ApiFixture::wanted({{"moves", "1. e4 e5 2. Nf3 Nc6 3. Bb5"}}));
    const std::string path = address_of(id);
    f.settle(id);
    const json analysis = f.get(path);
    CHECK(analysis["name"] == "Ruy Lopez");
    CHECK(analysis["opening"]["eco"] == "C60");
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
        const json analysis = f.get(address_of(id));
        CHECK(analysis["strategy"]["kind"] == kind);
        CHECK(analysis["settled"] == 1);
        CHECK(analysis["strategy"].contains("per_cp") == (std::string_view{kind} == "dropout"));
    }
    body["strategy"] = {{"kind", "dropout"}, {"per_cp", 0.1}};
    body["hold"] = true;
    const std::string path = address_of(f.post(body));
    const auto change = [&](const json& patch) { return f.ask(http::Method::patch, path, patch); };
    CHECK(f.get(path)["strategy"]["per_ply"] == 1); // dropout's own
    // A change keeps what it does not name; another kind has no costs.
    CHECK(change({{"strategy", {{"per_ply", 0.7}}}})["strategy"]["per_cp"] == 0.1);
    CHECK_FALSE(change({{"strategy", {{"kind", "halving"}}}})["strategy"].contains("per_ply"));
    const json plan{{{"window", 40}}, {{"window", 40}}, {{"window", 20}}};
    CHECK(change({{"strategy", {{"kind", "uniform"}, {"plan", plan}}}})["strategy"]["plan"] ==
          plan);
    CHECK(change({{"stop", {{"lead", 2.5}}}})["stop"] ==
          json{{"proven", true}, {"lead", 2.5}, {"levels", 2}});
    // What the store gets is what it gives back.
    const AnalysisSpec& spec = f.core.core->queue().runs().back()->spec;
    CHECK(parse_spec(to_text(spec)) == spec);

    const auto refuse = [&](const json& wrong, const std::string& code, const std::string& where) {
        f.refuse(http::Method::patch, path, {{"strategy", wrong}}, 400, code, where);
    };
    refuse({{"per_cp", 0.1}}, "bad_value", "strategy.per_cp"); // uniform has none
    refuse({{"kind", "dropout"}, {"step", 1}}, "unknown_field", "strategy.step"); // there was one
    refuse({{"kind", "dropout"}, {"plan", plan}}, "bad_value", "strategy.plan");
    refuse({{"plan", json::array({json::object()})}}, "bad_request", "strategy.plan[0].window");
    refuse({{"plan", {{"white", plan}, {"black", plan}}}}, "bad_value", "strategy.plan");
    refuse({{"plan", {{{"window", 40}, {"height", 1}}}}}, "unknown_field",
           "strategy.plan[0].height");
    for (const char* gone : {"best", "interest", "consistency", "minmax"}) {
        refuse({{"kind", gone}}, "bad_value", "strategy.kind");
        body["strategy"] = {{"kind", gone}};
        const std::string refused = f.send(http::Method::post, "/analyses", body).body;
        CHECK_THAT(refused, Catch::Contains("there are: ") && Catch::Contains("uniform"));
    }
}

TEST_CASE("api: a position is read as people type it") {
    ApiFixture f;
    using http::Method;
    const auto read = [&](const std::string& text) {
        INFO(text);
        return f.ask(Method::post, "/positions", {{"text", text}});
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
    for (const auto& [text, told] : {std::pair{"1. e4 e5 2. Ke3", "move 2. 'Ke3' is illegal"},
                                     std::pair{"grunf", "Grünfeld"}}) {
        f.refuse(Method::post, "/positions", {{"text", text}}, 400, "bad_value", "text");
        CHECK_THAT(f.send(Method::post, "/positions", {{"text", text}}).body,
                   Catch::Contains(told));
    }
    f.refuse(Method::post, "/positions", {{"text", 7}}, 400, "bad_value", "text");
    f.refuse(Method::post, "/positions", {{"texts", ""}}, 400, "bad_request", "text");

    const json made = f.get(address_of(f.post(ApiFixture::wanted({{"text", "Najdorf"}}))));
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
    const auto post = [&](const json& body, const char* code, const char* where) {
        f.refuse(Method::post, "/analyses", body, 400, code, where);
    };
    for (const char* fen :
         {"8/8/8/8/8/8/8/8 w - - 0 1", "4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1",
          "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", "foo bar baz", ""}) {
        post(ApiFixture::wanted({{"fen", fen}}), "illegal_position", "position.fen");
    }
    for (const json& moves : {json{"e2e4", "e7e5", "g1g5"}, json("1. e4 e5 2. Ke3")}) {
        post(ApiFixture::wanted({{"moves", moves}}), "illegal_move", "position.moves[2]");
    }
    post(ApiFixture::wanted({{"moves", 7}}), "bad_value", "position.moves");
    post(ApiFixture::wanted({{"colour", "white"}}), "unknown_field", "position.colour");
    const auto with = [](const char* field, const json& value) {
        json body = ApiFixture::wanted(json::object());
        body[field] = value;
        return body;
    };
    post(with("engine", "deep thought"), "unknown_engine", "engine");
    post(with("limit", {{"depth", 0}}), "bad_value", "limit.depth");
    post(with("limit", {{"nodes", 1.5}}), "bad_value", "limit.nodes");
    post(with("limit", {{"depth", 10}, {"nodes", 10}}), "bad_value", "limit");
    post(with("limit", json::object()), "bad_value", "limit");
    post(with("limit", {{"dpeth", 10}}), "unknown_field", "limit.dpeth");
    post(with("colour", "red"), "unknown_field", "colour");
    post(with("window", "25:00-07:00"), "bad_value", "window");
    post({{"position", json::object()}}, "bad_request", "limit");
    post({{"limit", {{"depth", 3}}}}, "bad_request", "position");
    f.refuse_text(Method::post, "/analyses", "{\"position\":", 400, "bad_json", "body");
    f.refuse_text(Method::post, "/analyses", "[]", 400, "bad_value", "body");

    const std::string path = address_of(f.post(ApiFixture::wanted(json::object())));
    const auto get = [&](const std::string& target, int status, const char* code,
                         const char* where) {
        f.refuse(Method::get, target, {}, status, code, where);
    };
    get(path + "/node?moves=e2e4,e2e4", 400, "illegal_move", "query.moves[1]");
    get(path + "/changes?since=yesterday", 400, "bad_value", "query.since");
    get(path + "/export?format=docx", 400, "bad_value", "query.format");
    get("/analyses/99/node?moves=", 404, "not_found", "id");
    get("/analyses/x", 404, "not_found", "id");
    get("/nothing", 404, "not_found", "path");
    f.refuse(Method::post, "/health", json::object(), 405, "method_not_allowed", "method");
    f.refuse(Method::patch, path, {{"limit", {{"depth", 999}}}}, 400, "bad_value", "limit.depth");
    f.refuse(Method::patch, path, {{"state", "running"}}, 400, "unknown_field", "state");
    const auto direct = [&](const char* moves, const char* action, const char* code,
                            const char* where) {
        f.refuse(Method::post, path + "/directives", {{"moves", moves}, {"action", action}}, 400,
                 code, where);
    };
    direct("e2e5", "include", "illegal_move", "moves[0]");
    direct("", "include", "bad_value", "moves");
    direct("e2e4", "win", "bad_value", "action");
    direct("e2e4", "note", "bad_request", "text");
    direct("e2e4", "retract", "bad_request", "at");
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

TEST_CASE("api: health, engines, openings") {
    ApiFixture f;
    CHECK(f.get("/health")["status"] == "ok");
    const json engines = f.get("/engines")["engines"];
    REQUIRE(engines.size() == 1);
    CHECK(engines[0]["default"] == true);
    CHECK(engines[0]["identity"]["name"] == "Simulated 1.0");
    CHECK(engines[0]["processes"].size() == 2);
    const json najdorf = f.get("/openings?q=najdorf&limit=3")["openings"];
    REQUIRE(najdorf.size() == 3);
    CHECK_THAT(najdorf[0]["name"].get<std::string>(), Catch::Contains("Najdorf"));
}

namespace {

void require_same(const json& shown, const std::optional<analysis::Estimate>& made, bool white) {
    REQUIRE(shown.is_object() == made.has_value());
    if (!made) {
        return;
    }
    const int sign = white ? 1 : -1;
    CHECK(shown["cp"] == std::lround(sign * made->cp));
    CHECK(shown["low"] == std::lround(sign * (white ? made->low : made->high)));
    CHECK(shown["high"] == std::lround(sign * (white ? made->high : made->low)));
    CHECK(shown["low"] < shown["cp"]);
    CHECK(shown["cp"] < shown["high"]);
    CHECK(shown["searches"] == made->searches);
}

} // namespace

TEST_CASE("estimate: shown for the position and each move, from White's side") {
    ApiFixture f;
    for (const bool white : {true, false}) {
        const auto id = f.post(ApiFixture::wanted({{"moves", white ? "1. e4 e5" : "1. e4"}}));
        f.settle(id);
        const json node = f.get(address_of(id, "/node"));
        const AnalysisRun& run = f.core.run(analysis::AnalysisId{id});
        const analysis::Graph& graph = run.slot->graph();
        const analysis::Estimates made =
            analysis::estimates(graph, run.root_node, analysis::error_model(run.slot->noise()));
        require_same(node["estimate"], made.position, white);
        std::size_t more_than_a_word = 0;
        for (const json& move : node["moves"]) {
            const auto moves = graph.moves(run.root_node);
            for (std::size_t i = 0; i < moves.size(); ++i) {
                if (chess::to_uci(run.root, moves[i].move) == move["uci"]) {
                    require_same(move["estimate"], made.moves[i], white);
                    more_than_a_word += made.moves[i] && made.moves[i]->searches > 1 ? 1 : 0;
                }
            }
        }
        CHECK(more_than_a_word >= 2);
    }
    // Nothing is known of a position that nobody searched.
    const json beyond = f.get("/analyses/1/node?moves=a2a3,a7a6,a3a4,a6a5,h2h3");
    CHECK(beyond["estimate"].is_null());
}
