// The calls about what people look at, and of those who want a move in time.
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

namespace {

struct Seated : ApiFixture {
    Seated() { bench.takes = bench.processes; }
    static json look(std::int64_t number, json position = {{"moves", "1. d4"}}) {
        return {{"number", number},
                {"position", std::move(position)},
                {"limit", {{"depth", 8}}},
                {"strategy", {{"kind", "halving"}, {"refine", 2}}},
                {"lines", 2}};
    }
    void put(const json& body, const std::string& seat = "7") {
        ask(http::Method::put, "/seats/" + seat, body, 204);
        core.settle_down();
    }
    json find() { return get("/seats/7?after=0"); }
    bool gone() { return send(http::Method::get, "/seats/7").status == 404; }
};

bool of_seat(const engine_bridge::Job& job) {
    return job.priority == seat_priority;
}

} // namespace

TEST_CASE("api: a seat goes before whatever a person can give, and has a process of its own") {
    Seated f;
    json wanted = f.wanted({{"moves", "1. e4"}});
    wanted["priority"] = 100;
    f.post(wanted);
    f.core.settle_down();
    REQUIRE_FALSE(f.bench.queue.empty());
    f.put(f.look(3));
    REQUIRE(f.bench.looking.size() == 1);
    Bench& own = *f.bench.looking.front();
    REQUIRE(own.queue.size() == 1);
    const auto root =
        chess::Position::initial().after(*chess::parse_line(chess::Position::initial(), "1. d4"));
    CHECK(own.queue.front().position == root);
    CHECK(f.find()["looked"] == true);
    const auto asked = [&] { return std::ranges::count_if(f.bench.asked, of_seat); };
    // Its tree's questions are for the common processes, and come before the others.
    for (int i = 0; i < 40 && asked() == 0; ++i) {
        own.step();
        f.core.settle_down();
        f.bench.step();
        f.core.settle_down();
    }
    CHECK(asked() > 0);
    const json found = f.find();
    CHECK(found["number"] == 3);
    REQUIRE(found["lines"].size() > 0);
    CHECK(found["lines"][0]["bound"] == "exact");
    CHECK(f.get("/analyses")["analyses"].size() == 1); // nobody else is told
    const json known = f.get("/positions?fen=" + http::percent_encoded(root.fen()));
    CHECK(known["analyses"].empty());
    f.put({{"number", 4}}); // nothing is looked at
    CHECK(f.core.core->engines().dispatcher()->reserved(true) == 0);
    CHECK(f.find()["lines"].empty());
}

TEST_CASE("api: a seat that nobody asks ends, and leaves nothing behind") {
    Seated f;
    f.put(f.look(1));
    f.core.pass(Seats::patience - 1'000);
    CHECK(f.find()["number"] == 1); // that was asking
    f.core.pass(Seats::patience - 1'000);
    CHECK_FALSE(f.gone());
    f.core.pass(Seats::patience);
    CHECK(f.gone());
    CHECK(f.core.core->queue().runs().empty());
    CHECK(f.core.core->engines().dispatcher()->reserved(true) == 0);
    f.refuse(http::Method::del, "/seats/7", {}, 404, "not_found", "seat");
}

TEST_CASE("api: nonsense of a seat is refused, and there are so many of them") {
    Seated f;
    const auto put = http::Method::put;
    f.refuse(put, "/seats/x", f.look(1), 404, "not_found", "seat");
    f.refuse(put, "/seats/7", json::object(), 400, "bad_request", "number");
    f.refuse(put, "/seats/7", {{"number", 1}, {"engine", "none"}}, 400, "unknown_engine", "engine");
    f.refuse(put, "/seats/7", f.look(1, {{"moves", "Ke3"}}), 400, "illegal_move",
             "position.moves[0]");
    json wrong = f.look(1);
    wrong["searchmoves"] = {"e2e4"}; // White's
    f.refuse(put, "/seats/7", wrong, 400, "illegal_move", "searchmoves[0]");
    wrong = f.look(1);
    wrong.erase("limit");
    f.refuse(put, "/seats/7", wrong, 400, "bad_request", "limit");
    CHECK(f.gone());
    for (std::size_t i = 1; i <= Seats::most_at_once; ++i) {
        f.put({{"number", 1}}, std::to_string(i));
    }
    f.refuse(put, "/seats/99", {{"number", 1}}, 409, "conflict", "");
}
