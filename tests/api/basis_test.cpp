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

std::string path_of(std::int64_t id) {
    return "/analyses/" + std::to_string(id);
}

const AnalysisRun& run_of(ApiFixture& f, std::int64_t id) {
    return f.core.run(analysis::AnalysisId{id});
}

// All that an outsider sees of the values: no counts of what was asked.
json seen(ApiFixture& f, std::int64_t id) {
    const json node = f.get(path_of(id) + "/node?moves=");
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
            {"best", f.get(path_of(id))["best"]},
            {"tree", f.get(path_of(id) + "/tree?plies=4")["root"]}};
}

json row_of(const json& node, const std::string& uci) {
    for (const json& move : node["moves"]) {
        if (move["uci"] == uci) {
            return move;
        }
    }
    return nullptr;
}

void say(ApiFixture& f, std::int64_t id, const json& moves, const std::string& action) {
    REQUIRE(f.send(http::Method::post, path_of(id) + "/directives",
                   {{"moves", moves}, {"action", action}})
                .status == 201);
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
    const json node = f.get(path_of(id) + "/node?moves=");
    const json best = f.get(path_of(id))["best"];
    const json tree = f.get(path_of(id) + "/tree?plies=6&margin=1000")["root"];
    CHECK(best["uci"] == node["moves"][0]["uci"]);
    CHECK(best["alpha"] == node["alpha"]);
    CHECK(node["moves"][0]["alpha"] == node["alpha"]);
    CHECK(tree["alpha"] == node["alpha"]);
    CHECK(node["pv"]["alpha"][0]["uci"] == best["uci"]);
    CHECK_FALSE(pictured(tree, line));
    const auto& snapshot = run_of(f, id).snapshots.back();
    const json last = f.get(path_of(id) + "/history")["snapshots"].back();
    CHECK(last["alpha"] == node["alpha"]);
    CHECK(last["pv"][0] == best["san"]);
    CHECK(snapshot.refine == run_of(f, id).plan.settled);
    std::string up_to;
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        up_to += (i == 0 ? "" : ",") + line[i];
    }
    const json at = f.get(path_of(id) + "/node?moves=" + up_to);
    const json row = row_of(at, line.back());
    CHECK(row["status"] == "excluded");
    CHECK(row["engine"]["score"].is_object()); // what was said of it stays in view
    CHECK(row["alpha"].is_null());
    CHECK(at["pv"]["alpha"][0]["uci"] != line.back());
    std::string pgn = f.send(http::Method::get, path_of(id) + "/export?format=pgn&margin=0").body;
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
    REQUIRE(used.send(http::Method::patch, path_of(quick), {{"hold", true}}).status == 200);
    const auto later = used.post(wanted(14, true));
    const json before = used.get(path_of(later) + "/node?moves=");
    CHECK(before["provisional"] == true);
    CHECK(before["status"] == "leaf");
    CHECK(before["alpha"].is_object());
    REQUIRE_FALSE(before["moves"].empty());
    for (const json& move : before["moves"]) {
        CHECK(move["provisional"] == true);
        CHECK(move["engine"]["limit"] == json{{"depth", 6}});
    }
    CHECK(used.get(path_of(later))["best"].is_null());
    REQUIRE(used.send(http::Method::patch, path_of(later), {{"hold", false}}).status == 200);
    used.settle(later);

    CHECK(seen(used, later) == seen(clean, alone));
    CHECK(run_of(used, later).slot->graph().digest() ==
          run_of(clean, alone).slot->graph().digest());
    // Nor the other way round: the larger limit is part of the smaller one's graph.
    CHECK(run_of(used, quick).slot != run_of(used, later).slot);
    const json both = used.get(path_of(quick) + "/node?moves=");
    CHECK(both["moves"][0]["engine"]["limit"] == json{{"depth", 14}});

    SECTION("another limit is another graph, and the same limit again the same values") {
        const json settled = seen(used, later);
        REQUIRE(
            used.send(http::Method::patch, path_of(later),
                      {{"limit", {{"depth", 18}}}, {"hold", true}}) // larger ones would count, too
                .status == 200);
        CHECK(used.get(path_of(later) + "/node?moves=")["provisional"] == true);
        REQUIRE(used.send(http::Method::patch, path_of(later),
                          {{"limit", {{"depth", 14}}}, {"hold", false}})
                    .status == 200);
        used.settle(later);
        CHECK(seen(used, later) == settled);
    }
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

    const std::string best = f.get(path_of(id))["best"]["uci"];
    const json second = f.get(path_of(id) + "/node?moves=")["moves"][1]["alpha"];
    say(f, id, {best}, "exclude");
    // At once, and for the parents' values.
    CHECK(f.get(path_of(id))["best"]["uci"] != best);
    CHECK(f.get(path_of(id) + "/node?moves=")["alpha"] == second);
    f.settle(id);
    require_without(f, id, {best});
    CHECK(f.get(path_of(other))["best"] == whole["best"]); // it shares what was asked, no more
    CHECK(row_of(f.get(path_of(other) + "/node?moves="), best)["status"] != "excluded");
    const json changes = f.get(path_of(id) + "/changes?since=" + std::to_string(since));
    CHECK(changes["alpha"]["after"] == f.get(path_of(id) + "/node?moves=")["alpha"]);
    CHECK(changes["best"]["after"] == f.get(path_of(id))["best"]["san"]);

    say(f, id, {best}, "clear");
    f.settle(id);
    const json node = f.get(path_of(id) + "/node?moves=");
    CHECK(row_of(node, best)["alpha"].is_object());
    CHECK(node["moves"][0]["uci"] == whole["best"]["uci"]);

    // Below the root: the best answer to the best move, and the best move after both.
    const json pv = node["pv"]["alpha"];
    REQUIRE(pv.size() >= 2);
    const std::vector<std::string> line{pv[0]["uci"], pv[1]["uci"]};
    say(f, id, line, "exclude");
    CHECK(row_of(f.get(path_of(id) + "/node?moves="), line[0])["alpha"] !=
          row_of(node, line[0])["alpha"]);
    f.settle(id);
    require_without(f, id, line);
    say(f, id, line, "clear");
    f.settle(id);
    CHECK(row_of(f.get(path_of(id) + "/node?moves="), line[0])["alpha"].is_object());
    CHECK(run_of(f, id).slot == run_of(f, other).slot); // shared again
}

TEST_CASE("basis: exclusions hold after a restart, and graphs that nobody needs are let go") {
    TemporaryDirectory directory;
    Bench bench;
    analysis::AnalysisId id{};
    std::uint64_t digest = 0;
    chess::Move best = chess::Move::from_raw(0);
    const auto at_root = [&](const CoreFixture& fixture) {
        std::vector<chess::Move> moves;
        for (const auto& move : fixture.run(id).slot->graph().moves(fixture.run(id).root_node)) {
            moves.push_back(move.move);
        }
        return moves;
    };
    {
        CoreFixture fixture{directory.path(), bench};
        id = fixture.create("1. e4 e5", 2);
        fixture.work_until([&] { return fixture.settled(id); });
        best = analysis::root_answer(fixture.run(id).slot->graph(), fixture.run(id).root_node, {})
                   ->move;
        REQUIRE(fixture.core->direct(id, {best}, "exclude", "").wait());
        fixture.work_until([&] { return fixture.settled(id); });
        CHECK(std::ranges::count(at_root(fixture), best) == 0);
        CHECK(fixture.run(id).slot->graph().verify().empty());
        digest = fixture.run(id).slot->graph().digest();
    }
    CoreFixture fixture{directory.path(), bench};
    CHECK(fixture.run(id).slot->graph().digest() == digest);
    CHECK(std::ranges::count(at_root(fixture), best) == 0);
    // To and fro: the graph left last is there when its analysis comes back.
    const GraphSlot* without = fixture.run(id).slot;
    REQUIRE(fixture.core->direct(id, {best}, "clear", "").wait());
    CHECK(std::ranges::count(at_root(fixture), best) == 1);
    REQUIRE(fixture.core->direct(id, {best}, "exclude", "").wait());
    CHECK(fixture.run(id).slot == without);
}
