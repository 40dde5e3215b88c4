// What changed in all analyses, where a person would want to look.
#include "api_fixture.hpp"

#include "chess/notation.hpp"

using http::Method;

namespace {

std::vector<json> radar_kind(const json& radar, const std::string& kind) {
    std::vector<json> found;
    for (const json& entry : radar["entries"]) {
        if (entry["kind"] == kind) {
            found.push_back(entry);
        }
    }
    return found;
}

// From the initial position, or after moves. What is known there is told one by one; no engine
// answers.
struct KnownTree : OneAnalysis {
    explicit KnownTree(const std::string& moves = "") : OneAnalysis{body(moves)} {}
    static json body(const std::string& moves) {
        json body = wanted(moves.empty() ? json::object() : json{{"moves", moves}});
        body["strategy"]["refine"] = 1;
        body["accept"] = json::array({"any"});
        return body;
    }
    // Scores are White's.
    void know(const std::string& line, const std::vector<std::pair<const char*, int>>& moves) {
        json pvs = json::array();
        for (const auto& [move, cp] : moves) {
            pvs.push_back({{"line", move}, {"cp", cp}});
        }
        const json evals = json::array({{{"pvs", pvs}, {"depth", 30}}});
        const json text{{"fen", after(line).fen()}, {"evals", evals}};
        const json taken =
            ask_text(Method::post, "/import?format=jsonl&name=evals.jsonl", text.dump());
        REQUIRE(taken["evaluations"]["added"] == moves.size());
        core.settle_down();
    }
    static chess::Position after(const std::string& line) {
        chess::Position position = chess::Position::initial();
        const auto moves = chess::parse_line(position, line);
        REQUIRE(moves);
        for (const chess::Move move : *moves) {
            position.play(move);
        }
        return position;
    }
    bool searched(const std::string& line) {
        const analysis::Graph& graph = run_of(id).slot->graph();
        const auto node = graph.find(after(line).packed());
        return node && graph.expanded(*node);
    }
    json radar(analysis::UnixMs since) { return get("/radar?since=" + std::to_string(since)); }
};

} // namespace

TEST_CASE("radar: a leaf one reply away from what is known, and its search joins it") {
    KnownTree f;
    f.know("", {{"e2e4", 40}, {"d2d4", 35}});
    f.know("1. e4", {{"e7e6", 38}}); // a leaf: 2. d4 leads to what 1. d4 e6 2. e4 is
    f.know("1. d4", {{"e7e6", 30}});
    f.know("1. d4 e6", {{"e2e4", 60}});
    CHECK(radar_kind(f.radar(0), "rejoin").empty());
    f.know("1. d4 e6 2. e4", {{"d7d5", 62}});
    const json radar = f.radar(0);
    CHECK(radar["since"] == 0);
    CHECK(radar["more"] == 0);
    const auto found = radar_kind(radar, "rejoin");
    REQUIRE(found.size() == 1);
    CHECK(found[0]["analysis"]["id"] == f.id);
    CHECK(found[0]["at"] == f.core.clock);
    CHECK(found[0]["fen"] == f.after("1. e4 e6").fen());
    CHECK(found[0]["text"] ==
          "After 1. e4 e6 the reply 2.d4 leads to a position that is searched: " +
              found[0]["after"].get<std::string>() + " there, where the engine alone said " +
              found[0]["before"].get<std::string>());
    CHECK(found[0]["before"] == "+0.38");
    CHECK(found[0]["after"] == "+0.62");
    const json search{{"action", "include"}, {"moves", {"e2e4", "e7e6", "d2d4"}}};
    CHECK(found[0]["search"] == search);
    // What was known before is not told again.
    CHECK(radar_kind(f.radar(radar["now"]), "rejoin").empty());
    f.say(search);
    f.core.work_until([&] { return f.searched("1. e4 e6"); });
    CHECK(f.searched("1. e4 e6"));
    for (const json& entry : radar_kind(f.radar(0), "rejoin")) {
        CHECK(entry["search"] != search);
    }
}

TEST_CASE("radar: an answer that took the place of another one, by what lies below or not") {
    KnownTree f;
    f.know("", {{"e2e4", 40}, {"d2d4", 30}});
    f.know("1. e4", {{"e7e5", 38}});
    f.know("1. e4 e5", {{"g1f3", 37}});
    f.know("1. e4 e5 2. Nf3", {{"b8c6", 36}});
    f.know("1. e4 e5 2. Nf3 Nc6", {{"f1b5", 35}});
    f.know("1. d4", {{"d7d5", 28}});
    REQUIRE(f.get(f.path("/verdict"))["best"]["uci"] == "e2e4");
    const analysis::UnixMs since = f.core.clock;
    CHECK(f.radar(since)["entries"].empty());
    f.core.clock += 1'000;
    f.know("1. e4 e5 2. Nf3 Nc6 3. Bb5", {{"a7a6", -60}});
    REQUIRE(f.get(f.path("/verdict"))["best"]["uci"] == "d2d4");
    const json radar = f.radar(since);
    const auto found = radar_kind(radar, "refutation");
    REQUIRE(found.size() == 1);
    CHECK(found[0]["at"] == f.core.clock);
    CHECK(found[0]["before"] == "1.e4");
    CHECK(found[0]["after"] == "1.d4");
    CHECK(found[0]["line"][0]["uci"] == "d2d4");
    CHECK(found[0]["text"] == "1.d4 took the place of 1.e4 by what was found below, and has 1 "
                              "position behind it, where 1.e4 has 5");
    CHECK(found[0]["search"] == json{{"action", "deepen"}, {"moves", {"d2d4"}}});
    CHECK(radar_kind(radar, "best").empty()); // it is told once
    CHECK(radar_kind(f.radar(f.core.clock), "refutation").empty());
    // All on the way to the new evaluation fell alike: the three nearest to the root are told.
    const auto swings = radar_kind(radar, "swing");
    REQUIRE(swings.size() == 3);
    CHECK(swings[0]["line"].size() == 1);
    CHECK(swings[0]["after"] == "-0.60");
    CHECK(swings[0]["text"] == "After 1. e4 the value went from " +
                                   swings[0]["before"].get<std::string>() + " to -0.60");
    CHECK(swings[0]["search"] == json{{"action", "deepen"}, {"moves", {"e2e4"}}});
    CHECK(f.get(f.path("/changes?since=" + std::to_string(since)))["swings"].size() > 3);

    f.know("1. d4 d5", {{"c2c4", 27}});
    const json enough = f.radar(since);
    CHECK(radar_kind(enough, "refutation").empty()); // it has enough behind it
    const auto best = radar_kind(enough, "best");
    REQUIRE(best.size() == 1);
    CHECK(best[0]["before"] == "1.e4");
    CHECK(best[0]["after"] == "1.d4");
    CHECK(best[0]["text"] == "New best move 1.d4 +0.27, before 1.e4 +0.35");
    CHECK(best[0]["search"] == json{{"action", "verify"}, {"moves", json::array()}});
}

TEST_CASE("radar: an analysis that has ended, if that was since then") {
    GrownTree f;
    const json radar = f.get("/radar?since=0");
    const auto ended = radar_kind(radar, "ended");
    REQUIRE(ended.size() == 1);
    CHECK(ended[0]["analysis"]["id"] == f.id);
    CHECK(ended[0]["text"] == "Settled to depth 3");
    CHECK(ended[0]["search"].is_null());
    CHECK(f.get("/radar?since=" + radar["now"].dump())["entries"].empty());
}

TEST_CASE("radar: a game that leaves the files before it") {
    KnownTree f{"1. e4 e5"};
    const auto bring = [&](const std::string& pgn) {
        f.ask(Method::post, f.path("/files"), {{"name", "mine.pgn"}, {"pgn", pgn}}, 201);
        f.core.settle_down();
    };
    bring("1. e4 e5 2. Nf3 Nc6 (2... d6 3. d4) 3. Bb5 *");
    CHECK(radar_kind(f.get("/radar?since=0"), "left").empty());
    bring("[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 d6 3. Bc4 Be7 *\n\n"
          "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n1. d4 d5 *\n");
    const json radar = f.get("/radar?since=0");
    const auto left = radar_kind(radar, "left");
    REQUIRE(left.size() == 1);
    CHECK(left[0]["text"] == "A – B leaves your files with 3.Bc4; they have 3.d4");
    CHECK(left[0]["before"] == "3.d4");
    CHECK(left[0]["search"] == json{{"action", "deepen"}, {"moves", {"g1f3", "d7d6", "f1c4"}}});
    CHECK(radar_kind(f.get("/radar?since=" + radar["now"].dump()), "left").empty());
}

TEST_CASE("radar: an analysis that is deleted meanwhile is told of; bad requests name the place") {
    GrownTree f;
    f.refuse(Method::get, "/radar", {}, 400, "bad_request", "query.since");
    f.refuse(Method::get, "/radar?since=-1", {}, 400, "bad_value", "query.since");
    const json wanted = f.get("/radar?since=0")["entries"];
    CHECK(wanted.size() > 0);
    const auto reply = f.api.begin(get_request("/radar?since=0"));
    const auto* later = std::get_if<Api::Later>(&reply);
    REQUIRE(later);
    f.ask(Method::del, f.path(), {}, 204);
    CHECK(json::parse((*later)().body)["entries"] == wanted);
}

TEST_CASE("radar: one call looks at all analyses, each by its share") {
    GrownTree f;
    constexpr std::size_t analyses = 40;
    while (f.core.core->queue().runs().size() < analyses) {
        f.settle(f.post(GrownTree::body()));
    }
    CHECK(radar_kind(f.get("/radar?since=0"), "ended").size() == analyses);
}
