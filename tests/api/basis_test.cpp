// What an analysis rests on: evaluations of its own limit or larger, of moves that are not
// excluded.
#include "api_fixture.hpp"

namespace {

json wanted(int depth, bool hold = false) {
    json body = ApiFixture::wanted({{"moves", "1. e4 e5"}});
    body["limit"] = {{"depth", depth}};
    body["hold"] = hold;
    return body;
}

// All that an outsider sees of the values: no counts of what was asked.
json seen(ApiFixture& f, std::int64_t id) {
    const json node = f.get(address_of(id, "/node"));
    json moves = json::array();
    for (const json& move : node["moves"]) {
        if (!move.contains("provisional")) {
            moves.push_back({move["uci"], move["alpha"], move["idea"], move["engine"]["score"],
                             move["status"], move["positions"]});
        }
    }
    return {{"alpha", node["alpha"]},
            {"idea", node["idea"]},
            {"pv", node["pv"]},
            {"moves", moves},
            {"best", f.get(address_of(id))["best"]},
            {"tree", f.get(address_of(id) + "/tree?plies=4")["root"]}};
}

// No line of the picture begins with these moves.
bool pictured(const json& node, const std::vector<std::string>& line, std::size_t at = 0) {
    for (const json& child : node["children"]) {
        if (child["uci"] == line[at]) {
            return at + 1 == line.size() || pictured(child, line, at + 1);
        }
    }
    return false;
}

// Every number shown of the root says the same, and nothing mentions the move at the end of `line`.
void require_without(ApiFixture& f, std::int64_t id, const std::vector<std::string>& line) {
    const json node = f.get(address_of(id, "/node"));
    const json best = f.get(address_of(id))["best"];
    const json tree = f.get(address_of(id) + "/tree?plies=6&margin=1000")["root"];
    CHECK(best["uci"] == node["moves"][0]["uci"]);
    CHECK(best["alpha"] == node["alpha"]);
    CHECK(node["moves"][0]["alpha"] == node["alpha"]);
    CHECK(tree["alpha"] == node["alpha"]);
    CHECK(node["pv"]["alpha"][0]["uci"] == best["uci"]);
    CHECK_FALSE(pictured(tree, line));
    const auto& snapshot = f.run_of(id).snapshots.back();
    const json last = f.get(address_of(id) + "/history")["snapshots"].back();
    CHECK(last["alpha"] == node["alpha"]);
    CHECK(last["pv"][0] == best["san"]);
    CHECK(snapshot.refine == f.run_of(id).plan.settled);
    std::string up_to;
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        up_to += (i == 0 ? "" : ",") + line[i];
    }
    const json at = f.get(address_of(id, "/node?moves=") + up_to);
    const json row = move_of(at, line.back());
    CHECK(row["status"] == "excluded");
    CHECK(row["engine"]["score"].is_object()); // what was said of it stays in view
    CHECK(row["alpha"].is_null());
    CHECK(at["pv"]["alpha"][0]["uci"] != line.back());
    std::string pgn =
        f.send(http::Method::get, address_of(id) + "/export?format=pgn&margin=0").body;
    std::ranges::replace(pgn, '\n', ' ');
    const std::string san = best["san"];
    CHECK(pgn.find("2. " + san + " ") != std::string::npos);
}

} // namespace

TEST_CASE("basis: what smaller limits left behind changes nothing, and is shown as provisional") {
    ApiFixture clean;
    const auto alone = clean.post(wanted(14));
    clean.settle(alone);

    ApiFixture used;
    const auto quick = used.post(wanted(6));
    used.settle(quick);
    // Else it would ask for larger searches, too, where it meets those of the other.
    used.ask(http::Method::patch, address_of(quick), {{"hold", true}});
    const auto later = used.post(wanted(14, true));
    const json before = used.get(address_of(later, "/node"));
    CHECK(before["provisional"] == true);
    CHECK(before["status"] == "leaf");
    CHECK(before["alpha"].is_object());
    REQUIRE_FALSE(before["moves"].empty());
    for (const json& move : before["moves"]) {
        CHECK(move["provisional"] == true);
        CHECK(move["engine"]["limit"] == json{{"depth", 6}});
    }
    CHECK(used.get(address_of(later))["best"].is_null());
    used.ask(http::Method::patch, address_of(later), {{"hold", false}});
    used.settle(later);

    CHECK(seen(used, later) == seen(clean, alone));
    CHECK(used.run_of(later).slot->graph().digest() == clean.run_of(alone).slot->graph().digest());
    // Nor the other way round: the larger limit is part of the smaller one's graph.
    CHECK(used.run_of(quick).slot != used.run_of(later).slot);
    const json both = used.get(address_of(quick, "/node"));
    CHECK(both["moves"][0]["engine"]["limit"] == json{{"depth", 14}});
}

TEST_CASE("basis: an excluded move is no part of the game, at the root and below, until cleared") {
    ApiFixture f;
    const auto id = f.post(wanted(8));
    const auto other = f.post(wanted(8));
    f.settle(id);
    f.settle(other);
    const json whole = seen(f, other);
    REQUIRE(seen(f, id) == whole);
    const analysis::UnixMs since = f.core.clock - 1'000;
    const auto say = [&](const std::vector<std::string>& moves, const char* action) {
        f.ask(http::Method::post, address_of(id, "/directives"),
              {{"moves", moves}, {"action", action}}, 201);
    };

    const std::string best = f.get(address_of(id))["best"]["uci"];
    const json second = f.get(address_of(id, "/node"))["moves"][1]["alpha"];
    say({best}, "exclude");
    // At once, and for the parents' values.
    CHECK(f.get(address_of(id))["best"]["uci"] != best);
    CHECK(f.get(address_of(id, "/node"))["alpha"] == second);
    f.settle(id);
    require_without(f, id, {best});
    CHECK(f.get(address_of(other))["best"] == whole["best"]); // it shares what was asked, no more
    CHECK(move_of(f.get(address_of(other, "/node")), best)["status"] != "excluded");
    const json changes = f.get(address_of(id) + "/changes?since=" + std::to_string(since));
    CHECK(changes["alpha"]["after"] == f.get(address_of(id, "/node"))["alpha"]);
    CHECK(changes["best"]["after"] == f.get(address_of(id))["best"]["san"]);

    say({best}, "clear");
    f.settle(id);
    const json node = f.get(address_of(id, "/node"));
    CHECK(move_of(node, best)["alpha"].is_object());
    CHECK(node["moves"][0]["uci"] == whole["best"]["uci"]);

    // Below the root: the best answer to the best move, and the best move after both.
    const json pv = node["pv"]["alpha"];
    REQUIRE(pv.size() >= 2);
    const std::vector<std::string> line{pv[0]["uci"], pv[1]["uci"]};
    say(line, "exclude");
    CHECK(move_of(f.get(address_of(id, "/node")), line[0])["alpha"] !=
          move_of(node, line[0])["alpha"]);
    f.settle(id);
    require_without(f, id, line);
    say(line, "clear");
    f.settle(id);
    CHECK(move_of(f.get(address_of(id, "/node")), line[0])["alpha"].is_object());
    CHECK(f.run_of(id).slot == f.run_of(other).slot); // shared again
}

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
