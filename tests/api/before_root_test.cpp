// The game before the root is history only where a position occurred twice.
#include "api_fixture.hpp"

namespace {

// What the root of an analysis of that game says of 2… Ng8, once it is scored.
json knight_back(ApiFixture& f, const std::string& game) {
    const auto id = f.post(ApiFixture::wanted({{"moves", game}}));
    f.ask(http::Method::post, address_of(id, "/directives"),
          {{"moves", "Ng8"}, {"action", "include"}}, 201);
    f.settle(id);
    return move_of(f.get(address_of(id, "/node")), "f6g8");
}

} // namespace

TEST_CASE("before the root: what occurred once is no draw, what occurred twice is, and nobody asks "
          "what follows it") {
    const auto asked = [](const ApiFixture& f) {
        return !f.core.store->evaluations(chess::Position::initial().packed()).empty();
    };
    ApiFixture of_twice;
    const json twice = knight_back(of_twice, "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1");
    CHECK(twice["status"] == "repetition");
    CHECK(twice["alpha"] == json{{"cp", 0}});
    CHECK(twice["idea"] != json{{"cp", 0}}); // ignores history
    CHECK_FALSE(asked(of_twice));
    ApiFixture f;
    const json once = knight_back(f, "1. Nf3 Nf6 2. Ng1");
    CHECK(once["status"] != "repetition");
    CHECK(once["alpha"] != json{{"cp", 0}});
    CHECK(asked(f));
    // An irreversible move between, and nothing can recur.
    const json gone = knight_back(f, "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 e6 5. Nf3");
    CHECK(gone["status"] != "repetition");
}
