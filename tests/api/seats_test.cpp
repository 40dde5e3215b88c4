// The calls of those who want a move in time.
#include "api_fixture.hpp"

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
    f.refuse(put, "/seats/7", {{"number", 1}, {"priority", 3}}, 400, "unknown_field", "priority");
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
