#include "lichess/provider.hpp"
#include "test.hpp"

#include <nlohmann/json.hpp>

using namespace adjourn::server;
using namespace adjourn::server::lichess;
using nlohmann::json;

namespace {

// As in lichess' description.
json example() {
    return json::parse(R"({
        "id": "ygxzCoNU0wUXodLm",
        "work": {
            "sessionId": "1", "threads": 4, "hash": 2048, "movetime": 8000, "multiPv": 3,
            "variant": "chess",
            "initialFen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "moves": ["e2e4", "g8f6"]},
        "engine": {"id": "eei_dw2szwYp76C9", "name": "Stockfish 17.1", "maxThreads": 8}})");
}

std::string problem_of(const json& body) {
    const auto work = read_work(body.dump());
    return work ? "" : work.error();
}

} // namespace

TEST_CASE("lichess work: what is asked, as a value") {
    const auto work = read_work(example().dump());
    REQUIRE(work);
    CHECK(work->id == "ygxzCoNU0wUXodLm");
    CHECK(work->session == "1");
    CHECK(work->threads == 4);
    CHECK(work->lines == 3);
    CHECK(work->position == "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 "
                            "moves e2e4 g8f6");
    CHECK(work->game.moves.size() == 2);
    CHECK(work->movetime == std::chrono::milliseconds{8000});
    CHECK_FALSE(work->depth);
    CHECK_FALSE(work->nodes);
}

TEST_CASE("lichess work: a time, a depth, nodes, or no end") {
    json body = example();
    body["work"].erase("movetime");
    CHECK(problem_of(body) == "there is neither movetime nor depth nor nodes");
    body["work"]["infinite"] = true;
    REQUIRE(read_work(body.dump()));
    CHECK_FALSE(read_work(body.dump())->movetime);
    body["work"]["depth"] = 20;
    CHECK(read_work(body.dump())->depth == 20);
    body["work"].erase("depth");
    body["work"]["nodes"] = 1'000'000'000'000;
    CHECK(read_work(body.dump())->nodes == 1'000'000'000'000);
}

TEST_CASE("lichess work: castling is the king that takes its rook") {
    json body = example();
    body["work"]["initialFen"] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    body["work"]["moves"] = {"e1h1", "e8a8"};
    CHECK(problem_of(body).empty());
}

TEST_CASE("lichess work: nonsense is told and is none") {
    for (const char* text : {"", "{", "[]", "null", "{}", R"({"id":"a"})",
                             R"({"id":"a","work":[]})", "\xff", R"({"id":"a","id":"b"})"}) {
        INFO(text);
        const auto work = read_work(text);
        REQUIRE_FALSE(work);
        CHECK_FALSE(work.error().empty());
    }
    const auto with = [](const std::string& field, const json& value) {
        json body = example();
        (field == "id" ? body : body["work"])[field] = value;
        return problem_of(body);
    };
    CHECK(with("id", "../work") == "the id is none");
    CHECK(with("id", "") == "the id is none");
    CHECK(with("id", 7) == "id must be text");
    CHECK_FALSE(with("threads", 0).empty());
    CHECK_FALSE(with("multiPv", "one").empty());
    CHECK_FALSE(with("multiPv", 1'000).empty());
    CHECK_FALSE(with("movetime", -1).empty());
    CHECK(with("variant", "atomic") == "the variant is not chess");
    CHECK_FALSE(with("sessionId", nullptr).empty());
    CHECK_FALSE(with("moves", "e2e4").empty());
    CHECK_FALSE(with("moves", json::array({"e2e4", 5})).empty());
    CHECK_FALSE(with("moves", std::vector<std::string>(3'000, "g1f3")).empty());
    CHECK(with("moves", json::array({"e2e5"})).contains("is not legal"));
    CHECK_FALSE(with("initialFen", "8/8/8 w - - 0 1").empty());
    // Nothing becomes a command of its own.
    for (const json& moves : {json::array({"e2e4\nquit"}), json::array({"e2 e4"})}) {
        CHECK(with("moves", moves) == "position or moves are none");
    }
    CHECK(with("initialFen", "8/8/8/8/8/8/8/K1k5 w - - 0 1\ngo infinite") ==
          "position or moves are none");
    CHECK(with("initialFen", std::string(1'000, '1')) ==
          "work.initialFen must have at most 200 bytes");
}
