// The game before the root is history only where a position occurred twice.
#include "api_fixture.hpp"

namespace {

// What the root of an analysis of that game says of 2… Ng8, once it is scored.
json knight_back(ApiFixture& f, const std::string& game) {
    const auto id = f.post(ApiFixture::wanted({{"moves", game}}));
    const std::string path = "/analyses/" + std::to_string(id);
    REQUIRE(
        f.send(http::Method::post, path + "/directives", {{"moves", "Ng8"}, {"action", "include"}})
            .status == 201);
    f.settle(id);
    const json node = f.get(path + "/node?moves=");
    for (const json& move : node["moves"]) {
        if (move["uci"] == "f6g8") {
            return move;
        }
    }
    return nullptr;
}

} // namespace

TEST_CASE("before the root: what occurred once is no draw, what occurred twice is") {
    ApiFixture f;
    const json once = knight_back(f, "1. Nf3 Nf6 2. Ng1");
    CHECK(once["status"] != "repetition");
    CHECK(once["alpha"] != json{{"cp", 0}});
    const json twice = knight_back(f, "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1");
    CHECK(twice["status"] == "repetition");
    CHECK(twice["alpha"] == json{{"cp", 0}});
    CHECK(twice["idea"] != json{{"cp", 0}}); // ignores history
    // An irreversible move between, and nothing can recur.
    const json gone = knight_back(f, "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 e6 5. Nf3");
    CHECK(gone["status"] != "repetition");
}

TEST_CASE("before the root: nobody asks what follows a move that ends the game by repetition") {
    for (const bool twice : {false, true}) {
        ApiFixture f;
        knight_back(f, twice ? "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1" : "1. Nf3 Nf6 2. Ng1");
        const auto asked = f.core.store->evaluations(chess::Position::initial().packed());
        CHECK(asked.empty() == twice);
    }
}
