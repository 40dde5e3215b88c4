// The calls about what people look at.
#include "api/event_writer.hpp"
#include "api_fixture.hpp"

namespace {

struct Looking : OneAnalysis {
    Looking() : OneAnalysis{wanted({{"moves", "1. e4"}})} {}
    std::string looks() const { return path("/looks"); }
    std::string path_of(const json& look) const { return looks() + "/" + look["id"].dump(); }
    json begin(const json& body = json::object()) {
        const http::Response response = send(http::Method::post, looks(), body);
        INFO(response.body);
        REQUIRE(response.status == 201);
        const json look = json::parse(response.body);
        CHECK(response.headers.at("Location") == "/api/v1" + path_of(look));
        core.settle_down();
        return look;
    }
    void answer(int times) {
        for (int i = 0; i < times; ++i) {
            REQUIRE(bench.looking.at(0)->step());
            core.settle_down();
        }
    }
};

} // namespace

TEST_CASE("api: a look tells its lines, from White's side, and what it searches") {
    Looking f;
    const json begun = f.begin({{"moves", "e5"}, {"lines", 2}, {"from_queue", 0}});
    CHECK(begun["analysis"] == f.id);
    CHECK(begun["engine"] == "simulated");
    CHECK(begun["line"] == json{{{"uci", "e7e5"}, {"san", "e5"}}});
    CHECK(begun["lines"] == 2);
    CHECK(begun["from_queue"] == 0);
    CHECK(begun["state"] == "searching");
    CHECK(begun["reason"].is_null());
    CHECK(begun["depth"] == 0);
    CHECK(begun["found"] == json::array());
    CHECK(begun["search"]["number"] == 1);
    CHECK(begun["search"]["depth"] == LongSearches::first_depth);
    f.answer(3);
    const json now = f.get(f.path_of(begun));
    CHECK(now["depth"] == LongSearches::first_depth);
    CHECK(now["search"]["number"] == 2);
    CHECK(now["search"]["depth"] == LongSearches::first_depth + 1);
    REQUIRE(now["found"].size() == 2);
    CHECK(now["found"][0]["depth"] == LongSearches::first_depth + 1);
    CHECK(now["found"][0]["live"] == false);
    CHECK(now["found"][0]["pv"][0] == now["found"][0]["san"]);
    CHECK(f.get(f.looks())["looks"] == json{now});
    // What it found is what the store has of the position.
    const json facts = f.get(f.path("/evaluations?moves=e7e5"))["evaluations"];
    const auto stored = std::ranges::find_if(facts, [&](const json& fact) {
        return fact["limit"]["depth"] == LongSearches::first_depth + 1;
    });
    REQUIRE(stored != facts.end());
    CHECK((*stored)["score"] == now["found"][0]["score"]);
    CHECK((*stored)["move"]["uci"] == now["found"][0]["uci"]);
}

TEST_CASE("api: what a search of a look has told so far is shown as such") {
    Looking f;
    const json look = f.begin({{"moves", ""}}); // Black to move
    Bench& bench = *f.bench.looking.at(0);
    const engine_bridge::Job job = bench.queue.front();
    bench.told.emplace(job.id, engine_bridge::BestLine{chess::Score::cp(31),
                                                       chess::Bound::exact,
                                                       5,
                                                       9,
                                                       {*chess::parse_san(job.position, "c5")}});
    f.core.clock += 1'000;
    bench.callbacks.changed(0);
    REQUIRE_FALSE(f.core.told->boards.empty());
    const json now = f.get(f.path_of(look));
    REQUIRE(now["found"].size() == 1);
    CHECK(now["found"][0]["live"] == true);
    CHECK(now["found"][0]["depth"] == 5);
    CHECK(now["found"][0]["san"] == "c5");
    CHECK(now["found"][0]["score"] == json{{"cp", -31}});
    CHECK(now["search"]["reached"] == 5);
    CHECK(now["depth"] == 0);
}

TEST_CASE("api: a look is renewed, goes elsewhere, and is ended") {
    Looking f;
    const json look = f.begin();
    const std::string path = f.path_of(look);
    CHECK(f.ask(http::Method::patch, path, json::object())["line"] == json::array());
    const json moved =
        f.ask(http::Method::patch, path, {{"moves", {"c5"}}, {"until_stopped", true}});
    CHECK(moved["line"][0]["san"] == "c5");
    CHECK(moved["until_stopped"] == true);
    CHECK(f.send(http::Method::del, path).status == 204);
    f.refuse(http::Method::get, path, {}, 404, "not_found", "look");
    CHECK(f.get(f.looks())["looks"] == json::array());
}

TEST_CASE("api: what cannot be looked at is refused with the reason") {
    Looking f;
    f.refuse(http::Method::post, f.looks(), {{"moves", "Ke3"}}, 400, "illegal_move", "moves[0]");
    f.refuse(http::Method::post, f.looks(), {{"lines", 9}}, 400, "bad_value", "lines");
    f.refuse(http::Method::post, f.looks(), {{"from_queue", -1}}, 400, "bad_value", "from_queue");
    f.id = f.post(ApiFixture::wanted({{"moves", "1. f3 e5 2. g4"}}));
    f.refuse(http::Method::post, f.looks(), {{"moves", "Qh4"}}, 409, "conflict", "moves");
    for (int i = 0; i < 4; ++i) {
        f.begin();
    }
    f.refuse(http::Method::post, f.looks(), json::object(), 409, "conflict", "");
}

TEST_CASE("api: a look is told as an event, later with what changed only; its end, too") {
    Looking f;
    const json begun = f.begin();
    std::vector<http::Event> events;
    EventWriter writer{[&](http::Event event) { events.push_back(std::move(event)); }};
    const auto tell = [&] {
        const auto& looks = f.core.core->long_searches();
        writer.board_search_changed(*f.core.core, *looks.of(analysis::AnalysisId{f.id}).front());
    };
    tell();
    f.answer(1);
    tell();
    REQUIRE(events.size() == 2);
    CHECK(events[0].kind == "look");
    CHECK(events[0].analysis == f.id);
    CHECK(events[0].subject == begun["id"].dump());
    CHECK(json::parse(events[1].data) == f.get(f.path_of(begun)));
    CHECK(events[1].changed.contains("found"));
    CHECK_FALSE(events[1].changed.contains("fen"));
    f.core.pass(LongSearches::patience);
    tell();
    CHECK(json::parse(events.back().data)["reason"] == "nobody looked any more");
}
