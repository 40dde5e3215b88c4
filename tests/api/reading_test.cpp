// Nobody waits for what is read: graphs and imported facts come from another thread, and views are
// read on threads of their own.
#include "api_fixture.hpp"
#include "http/requests/message.hpp"

namespace {

http::Response get(CoreFixture& fixture, const std::string& target) {
    return TestApi{fixture}(get_request(target));
}

} // namespace

TEST_CASE("core: while its graph is read an analysis waits and says why, and all else answers") {
    TemporaryDirectory directory;
    Bench bench;
    analysis::AnalysisId id{};
    std::uint64_t digest = 0;
    {
        CoreFixture fixture{directory.path(), bench};
        id = fixture.create("e4 e5", 2, 30);
        fixture.work_until([&] { return fixture.settled(id); });
        digest = fixture.run(id).slot->graph().digest();
        AnalysisPatch patch;
        patch.strategy = fixture.run(id).spec.strategy;
        patch.strategy->refine = 3; // so that there is work to do
        REQUIRE(fixture.core->change(id, patch).wait());
        fixture.settle_down();
    }
    bench = Bench{};
    CoreFixture fixture{directory.path(), bench, false, nullptr, true};
    bool read = false;
    fixture.core->when_read([&] { read = true; });
    REQUIRE_FALSE(fixture.reading.empty());
    CHECK(fixture.run(id).slot == nullptr);
    CHECK(fixture.run(id).record.state == storage::AnalysisState::queued);
    CHECK(fixture.run(id).record.state_reason == "reading its evaluations");
    CHECK(bench.asked.empty());
    CHECK_FALSE(read);
    const http::Response node = get(fixture, "/analyses/1/node");
    CHECK(node.status == 503);
    CHECK(json::parse(node.body)["error"]["code"] == "unavailable");
    CHECK(node.body.find("reading its evaluations") != std::string::npos);
    CHECK(get(fixture, "/analyses/1/tree").status == 503);
    for (const char* target : {"/health", "/analyses", "/engines", "/analyses/1/directives"}) {
        CHECK(get(fixture, target).status == 200);
    }

    fixture.read();
    CHECK(read);
    REQUIRE(fixture.run(id).slot != nullptr);
    CHECK(fixture.run(id).slot->graph().digest() == digest);
    CHECK(fixture.run(id).record.state_reason.empty());
    CHECK(get(fixture, "/analyses/1/node").status == 200);
    fixture.work_until([&] { return fixture.settled(id); });
    CHECK(fixture.run(id).plan.settled == 3);
    CHECK(Planner::expanded_positions(fixture.run(id)) ==
          fixture.run(id).slot->graph().count_below(fixture.run(id).root_node, 1'000'000));
}

namespace {

// An order by HTTP, which waits for the tree. `api` must outlive it.
Api::Wait direct(const TestApi& api, analysis::AnalysisId id, const std::string& order) {
    const auto path = "/api/v1" + address_of(static_cast<std::int64_t>(id), "/directives");
    auto reply = api.begin(http::Request{http::Method::post, path, {}, {}, order});
    REQUIRE(std::holds_alternative<Api::Wait>(reply));
    return std::get<Api::Wait>(std::move(reply));
}

} // namespace

TEST_CASE("api: a change is answered when the tree is there that it changes") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench, false, nullptr, true};
    const TestApi api{fixture};
    const auto id = fixture.create("", 1, 20);
    const auto other = fixture.create("e4", 1, 20);
    fixture.read();
    fixture.work_until([&] { return fixture.settled(id) && fixture.settled(other); });
    const auto node = [&] {
        const auto response = get(fixture, address_of(static_cast<std::int64_t>(id), "/node"));
        REQUIRE(response.status == 200);
        return json::parse(response.body);
    };
    AnalysisPatch more; // so that there is work to do
    more.strategy = fixture.run(id).spec.strategy;
    more.strategy->refine = 2;
    REQUIRE(fixture.core->change(id, more).wait());
    const Api::Wait excludes = direct(api, id, R"({"moves":["e2e4"],"action":"exclude"})");
    fixture.settle_down(); // durable; its graph is of other moves now
    REQUIRE(fixture.run(id).awaited);
    CHECK_FALSE(excludes.look());
    int woken = 0;
    // Who looks meanwhile sees the tree as it was, and nothing is asked in it.
    const std::size_t asked = bench.asked.size();
    while (bench.step()) { // what is out comes back
        fixture.settle_down();
    }
    const json before = node();
    CHECK(move_of(before, "e2e4")["status"] != "excluded");
    CHECK(before["moves"].size() > 1);
    CHECK(fixture.run(id).record.state == storage::AnalysisState::queued);
    CHECK(fixture.run(id).record.state_reason == reading_evaluations);
    REQUIRE(excludes.wake_me([&] { ++woken; }));

    // Who changes another one does not wait for that.
    const Api::Wait notes = direct(api, other, R"({"moves":[],"action":"note","text":"good"})");
    fixture.settle_down();
    const auto noted = notes.look();
    REQUIRE(noted);
    CHECK(noted->status == 201);
    notes.leave();

    woken = 0;
    CHECK_FALSE(excludes.look());
    CHECK(bench.asked.size() == asked);
    fixture.read();
    CHECK(woken > 0);
    const auto excluded = excludes.look();
    REQUIRE(excluded);
    CHECK(excluded->status == 201);
    excludes.leave();
    const json after = node();
    CHECK(move_of(after, "e2e4")["status"] == "excluded");
    CHECK(after["version"] > before["version"]);
}

TEST_CASE("core: whatever its state, an analysis whose counts are still read says so") {
    for (const bool paused : {true, false}) { // else it has settled
        CAPTURE(paused);
        TemporaryDirectory directory;
        Bench bench;
        const auto shown = [&](CoreFixture& fixture) {
            return json::parse(get(fixture, "/analyses/1").body);
        };
        json before;
        {
            CoreFixture fixture{directory.path(), bench};
            const auto id = fixture.create("e4 e5", 2, 30);
            fixture.work_until([&] { return fixture.settled(id); });
            AnalysisPatch hold;
            hold.hold = true;
            REQUIRE((!paused || fixture.core->change(id, hold).wait()));
            fixture.settle_down();
            before = shown(fixture);
            REQUIRE(before["positions"] > 5);
        }
        bench = Bench{};
        CoreFixture fixture{directory.path(), bench, false, nullptr, true};
        fixture.settle_down();
        const json reading = shown(fixture);
        CHECK(reading["state"] == (paused ? "paused" : "settled"));
        CHECK(reading["reason"] == reading_evaluations);
        fixture.told->forget();
        fixture.read();
        fixture.pass(200);
        CHECK_FALSE(fixture.told->analyses.empty());
        const json after = shown(fixture);
        for (const char* key : {"state", "reason", "positions", "evaluations", "nodes", "settled",
                                "refine", "best"}) {
            CAPTURE(key);
            CHECK(after[key] == before[key]);
        }
    }
}

TEST_CASE("core: seeds that are imported while a graph is read are not forgotten") {
    TemporaryDirectory directory;
    Bench bench;
    analysis::AnalysisId id{};
    {
        CoreFixture fixture{directory.path(), bench};
        id = fixture.create("", 1, 20);
        fixture.work_until([&] { return fixture.settled(id); });
    }
    CoreFixture fixture{directory.path(), bench, false, nullptr, true};
    REQUIRE(fixture.run(id).slot == nullptr);
    const chess::Position start = chess::Position::initial();
    fixture.store->append(
        storage::SeedRecord{id, start.packed(), start.legal_moves()[0], "test", 1}, {});
    fixture.store->flush();
    fixture.core->when_imported()({id, {fixture.run(id).record.engine}});
    fixture.settle_down();
    fixture.read();
    REQUIRE(fixture.run(id).slot != nullptr);
    CHECK(fixture.run(id).seeds->size() == 1);
}

namespace {

const std::vector<std::string> large_looks{"/tree?plies=12&margin=100&limit=2000",
                                           "/gaps?within=100",
                                           "/disagreements?gap=1",
                                           "/export?format=pgn&margin=100",
                                           "/export?format=epd&margin=100",
                                           "/export?format=polyglot&margin=100",
                                           "/export?format=json&margin=100",
                                           "/export?format=json&max_moves=60"};

// What is left of a call, on another thread.
http::Response elsewhere(const Api::Reply& reply) {
    const auto* later = std::get_if<Api::Later>(&reply);
    REQUIRE(later);
    http::Response response;
    std::thread{[&] { response = (*later)(); }}.join();
    return response;
}

} // namespace

TEST_CASE("views: on another thread they see what is seen at once") {
    GrownTree f;
    for (const std::string& what : large_looks) {
        CAPTURE(what);
        const http::Response whole = f.api(get_request(f.path(what)));
        REQUIRE(whole.status == 200);
        const http::Response response = elsewhere(f.api.begin(get_request(f.path(what))));
        CHECK(response.status == 200);
        CHECK(response.body == whole.body);
        CHECK(response.headers == whole.headers);
        CHECK(response.content_type == whole.content_type);
    }
}

TEST_CASE("views: a tree grows while it is read, and loses nothing") {
    GrownTree f;
    const auto evaluations = [&] { return f.get(f.path())["evaluations"]["new"].get<int>(); };
    const int before = evaluations();
    f.change({{"strategy", {{"refine", 200}}}, {"hold", false}});
    for (const std::string& what : large_looks) {
        CAPTURE(what);
        const auto reply = f.api.begin(get_request(f.path(what)));
        const auto* later = std::get_if<Api::Later>(&reply);
        REQUIRE(later);
        std::atomic<bool> done = false;
        int status = 0;
        std::thread reader{[&] {
            status = (*later)().status;
            done = true;
        }};
        f.core.work_until([&] { return done.load(); }, 20);
        reader.join();
        CHECK(status == 200);
    }
    f.core.work_until([&] { return evaluations() > before; }, 1'000);
    CHECK(f.get(f.path("/node"))["moves"].size() > 0);
}

TEST_CASE("views: what is wrong with a call is said before the first look") {
    GrownTree f;
    const auto refused = [&](const std::string& target) {
        const auto reply = f.api.begin(get_request(target));
        const auto* response = std::get_if<http::Response>(&reply);
        REQUIRE(response);
        return json::parse(response->body)["error"]["where"].get<std::string>();
    };
    CHECK(refused("/analyses/77/tree") == "id");
    CHECK(refused(f.path("/tree?plies=0")) == "query.plies");
    CHECK(refused(f.path("/export?format=doc")) == "query.format");
    CHECK(refused(f.path("/export?moves=e2e9")) == "query.moves[0]");
}

TEST_CASE("calls: what they take, by address") {
    const auto most = [](http::Method method, const std::string& path) {
        return rules_for(method, "/api/v1" + path).most_bytes;
    };
    CHECK(most(http::Method::post, "/import") == 8u << 20);
    for (const auto* path : {"/analyses", "/analyses/1", "/analyses/1/directives", "/nowhere"}) {
        CAPTURE(path);
        CHECK(most(http::Method::post, path) == 256u << 10);
        CHECK(most(http::Method::patch, path) == 256u << 10);
    }
    const auto body = [](http::Method method, const std::string& path) {
        return rules_for(method, "/api/v1" + path).body;
    };
    CHECK(body(http::Method::post, "/analyses") == CallRules::Body::json);
    CHECK(body(http::Method::patch, "/analyses/12") == CallRules::Body::json);
    CHECK(body(http::Method::post, "/import") != CallRules::Body::json);
}

TEST_CASE("calls: a body that was parsed before the core's thread had it is not parsed again") {
    ApiFixture f;
    http::Request request{http::Method::post, "/api/v1/analyses", {}, {}, ""};
    request.json = http::parse_call(ApiFixture::wanted({{"moves", "1. e4"}}).dump());
    CHECK(f.api(request).status == 201);
    request.json = http::parse_call("{");
    const http::Response refused = f.api(request);
    CHECK(refused.status == 400);
    CHECK(json::parse(refused.body)["error"]["code"] == "bad_json");
}
