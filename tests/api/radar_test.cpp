// Where a person would want to look, in all analyses.
#include "api_fixture.hpp"

#include "chess/notation.hpp"

using namespace adjourn;
using namespace adjourn::server;
using http::Method;
using nlohmann::json;

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
struct KnownTree : ApiFixture {
    std::int64_t id = 0;
    std::shared_ptr<AnswerLog> answers = std::make_shared<AnswerLog>();

    explicit KnownTree(const std::string& moves = "") {
        json body = wanted(moves.empty() ? json::object() : json{{"moves", moves}});
        body["strategy"]["refine"] = 1;
        body["accept"] = json::array({"any"});
        id = post(body);
    }
    std::string path(const std::string& rest) const {
        return "/analyses/" + std::to_string(id) + rest;
    }
    const AnalysisRun& run() { return core.run(analysis::AnalysisId{id}); }
    // Scores are White's.
    void know(const std::string& line, const std::vector<std::pair<const char*, int>>& moves) {
        json pvs = json::array();
        for (const auto& [move, cp] : moves) {
            pvs.push_back({{"line", move}, {"cp", cp}});
        }
        const json evals = json::array({{{"pvs", pvs}, {"depth", 30}}});
        const json text{{"fen", after(line).fen()}, {"evals", evals}};
        const http::Response taken =
            send_text(Method::post, "/import?format=jsonl&name=evals.jsonl", text.dump());
        INFO(taken.body);
        REQUIRE(taken.status == 200);
        REQUIRE(json::parse(taken.body)["evaluations"]["added"] == moves.size());
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
        const analysis::Graph& graph = run().slot->graph();
        const auto node = graph.find(after(line).packed());
        return node && graph.expanded(*node);
    }
    // As if the analysis had been looked at before, and had answered that.
    void answered(const std::string& best, char letter, analysis::UnixMs until) {
        answers->see(run().record.id, {run().root.fen(), best, letter, 95, 0, until, 0});
    }
    json radar(analysis::UnixMs since) {
        const Api looking{*core.core, nullptr, nullptr, nullptr, answers};
        const http::Response response =
            looking(get_request("/radar?since=" + std::to_string(since)));
        INFO(response.body);
        REQUIRE(response.status == 200);
        return json::parse(response.body);
    }
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
    const http::Response asked = f.send(Method::post, f.path("/directives"), search);
    INFO(asked.body);
    REQUIRE(asked.status == 201);
    f.core.work_until([&] { return f.searched("1. e4 e6"); });
    CHECK(f.searched("1. e4 e6"));
    for (const json& entry : radar_kind(f.radar(0), "rejoin")) {
        CHECK(entry["search"] != search);
    }
}

TEST_CASE("radar: a verdict that fell below its letter") {
    KnownTree f;
    f.know("", {{"e2e4", 40}, {"d2d4", 38}});
    f.know("1. e4", {{"e7e5", 38}});
    f.know("1. d4", {{"d7d5", 37}});
    const json verdict = f.get(f.path("/verdict"));
    CHECK(verdict["best"]["uci"] == "e2e4");
    const std::string letter = verdict["stands"]["letter"];
    REQUIRE(letter != "A");
    f.answered("e2e4", 'A', 5);
    const auto fallen = radar_kind(f.radar(6), "letter");
    REQUIRE(fallen.size() == 1);
    CHECK(fallen[0]["before"] == "A");
    CHECK(fallen[0]["after"] == letter);
    CHECK(fallen[0]["search"] == json{{"action", "verify"}, {"moves", json::array()}});
    CHECK(fallen[0]["line"][0]["uci"] == "e2e4");
    const json again = f.radar(6);
    CHECK(radar_kind(again, "letter") == fallen); // when it fell stays
    CHECK(radar_kind(f.radar(again["now"]), "letter").empty());
    // Of another root nothing is known.
    f.answers->see(f.run().record.id, {"another", "e2e4", 'A', 95, 0, 7, 0});
    CHECK(radar_kind(f.radar(8), "letter").empty());
}

TEST_CASE("radar: an answer that took the place of another one by what lies below") {
    KnownTree f;
    f.know("", {{"e2e4", 40}, {"d2d4", 30}});
    f.know("1. e4", {{"e7e5", 38}});
    f.know("1. e4 e5", {{"g1f3", 37}});
    f.know("1. e4 e5 2. Nf3", {{"b8c6", 36}});
    f.know("1. e4 e5 2. Nf3 Nc6", {{"f1b5", 35}});
    f.know("1. e4 e5 2. Nf3 Nc6 3. Bb5", {{"a7a6", -60}});
    f.know("1. d4", {{"d7d5", 28}});
    REQUIRE(f.get(f.path("/verdict"))["best"]["uci"] == "d2d4");
    f.answered("e2e4", 'F', 5);
    CHECK(radar_kind(f.radar(6), "refutation").empty()); // both were searched after that
    // As if that had still been the answer when all of this was known.
    f.answers = std::make_shared<AnswerLog>();
    f.answered("e2e4", 'F', 5);
    f.answered("e2e4", 'F', f.core.clock);
    const auto found = radar_kind(f.radar(6), "refutation");
    REQUIRE(found.size() == 1);
    CHECK(found[0]["at"] == f.core.clock);
    CHECK(found[0]["before"] == "1.e4");
    CHECK(found[0]["after"] == "1.d4");
    CHECK(found[0]["line"][0]["uci"] == "d2d4");
    CHECK(found[0]["text"] == "1.d4 took the place of 1.e4 by what was found below, and has 1 "
                              "position behind it, where 1.e4 has 5");
    CHECK(found[0]["search"] == json{{"action", "deepen"}, {"moves", {"d2d4"}}});
    CHECK(radar_kind(f.radar(f.core.clock), "refutation").empty());
    f.know("1. d4 d5", {{"c2c4", 27}});
    CHECK(radar_kind(f.radar(6), "refutation").empty()); // it has enough behind it
}

TEST_CASE("radar: a game that leaves the files before it") {
    KnownTree f{"1. e4 e5"};
    const auto bring = [&](const std::string& pgn) {
        REQUIRE(
            f.send(Method::post, f.path("/files"), {{"name", "mine.pgn"}, {"pgn", pgn}}).status ==
            201);
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

TEST_CASE("radar: in pieces it is the same, and bad requests name the place") {
    KnownTree f{"1. e4 e5"};
    for (const char* pgn : {"1. e4 e5 2. Nf3 *", "1. e4 e5 2. Nc3 *"}) {
        REQUIRE(f.send(Method::post, f.path("/files"), {{"pgn", pgn}}).status == 201);
    }
    f.core.settle_down();
    const http::Response whole = f.api(get_request("/radar?since=0"));
    REQUIRE(json::parse(whole.body)["entries"].size() == 1);
    const auto reply = f.api.begin(get_request("/radar?since=0"));
    const auto* walk = std::get_if<Api::Walk>(&reply);
    REQUIRE(walk);
    std::size_t pieces = 1;
    for (bool done = false; !done; ++pieces) {
        done = walk->look([] { return true; }).value();
        if (const auto task = done ? nullptr : walk->elsewhere()) {
            task();
        }
    }
    CHECK(pieces > 4);
    json in_pieces = json::parse(walk->finish().body), at_once = json::parse(whole.body);
    CHECK(in_pieces["entries"] == at_once["entries"]);
    // Of what is still to come no files are read.
    const auto coming = f.api.begin(get_request("/radar?since=50000000000000"));
    const auto* short_walk = std::get_if<Api::Walk>(&coming);
    REQUIRE(short_walk);
    for (bool done = false; !done;) {
        done = short_walk->look([] { return true; }).value();
        CHECK_FALSE(short_walk->elsewhere());
    }
    CHECK(json::parse(short_walk->finish().body)["entries"].empty());
    f.refuse(Method::get, "/radar", {}, 400, "bad_request", "query.since");
    f.refuse(Method::get, "/radar?since=-1", {}, 400, "bad_value", "query.since");
    f.refuse(Method::get, "/radar?since=0&kind=left", {}, 400, "unknown_field", "query.kind");
    // An analysis that is deleted meanwhile is left out.
    const auto other = f.api.begin(get_request("/radar?since=0"));
    const auto* begun = std::get_if<Api::Walk>(&other);
    REQUIRE(begun);
    CHECK_FALSE(begun->look([] { return true; }).value());
    CHECK(f.send(Method::del, f.path("")).status == 204);
    while (!begun->look([] { return false; }).value()) {
        if (const auto task = begun->elsewhere()) {
            task();
        }
    }
    CHECK(json::parse(begun->finish().body)["entries"].empty());
}

TEST_CASE("radar: one call looks at so many analyses, and the next one at the others") {
    KnownTree f;
    REQUIRE(f.send(Method::del, f.path("")).status == 204);
    constexpr int analyses = 40;
    std::vector<std::int64_t> ids;
    for (int i = 0; i < analyses; ++i) {
        ids.push_back(f.post(GrownTree::body()));
        f.settle(ids.back());
    }
    const auto answered = [&] {
        return std::ranges::count_if(ids, [&](std::int64_t id) {
            const AnalysisRun& run = f.core.run(analysis::AnalysisId{id});
            return f.answers->latest(run.record.id, run.root.fen()) != nullptr;
        });
    };
    std::size_t unseen = f.radar(0)["unseen"];
    CHECK(unseen > 0);
    CHECK(answered() == analyses - static_cast<std::ptrdiff_t>(unseen));
    for (int calls = 1; calls < analyses && answered() < analyses; ++calls) {
        const auto before = answered();
        f.radar(0);
        CHECK(answered() > before);
    }
    CHECK(answered() == analyses);
}

TEST_CASE("radar: former answers, as they were seen") {
    AnswerLog log;
    const analysis::AnalysisId id{3};
    CHECK(log.latest(id, "root") == nullptr);
    log.see(id, {"root", "e2e4", 'B', 85, 0, 10, 4});
    log.see(id, {"root", "e2e4", 'B', 84, 0, 20, 5}); // the same still
    log.see(id, {"root", "e2e4", 'C', 75, 0, 30, 6});
    log.see(id, {"root", "d2d4", 'C', 74, 0, 40, 7});
    log.see(id, {"root", "d2d4", 'D', 60, 0, 50, 8});
    REQUIRE(log.latest(id, "root") != nullptr);
    CHECK(log.latest(id, "root")->version == 8);
    CHECK(log.latest(id, "elsewhere") == nullptr);
    CHECK(log.at(id, "root", 25)->letter == 'B');
    CHECK(log.at(id, "root", 25)->until == 20);
    CHECK(log.at(id, "root", 5)->letter == 'B'); // the first that is known
    CHECK(log.at(id, "root", 45)->best == "d2d4");
    CHECK(log.at(id, "root", 99)->letter == 'D');
    CHECK(log.letter_since(id) == 50);
    CHECK(log.best_since(id) == 40);
    CHECK(log.other_until(id) == 30);
    const AnswerLog read{log.text()};
    CHECK(read.text() == log.text());
    CHECK(read.letter_since(id) == 50);
    CHECK(read.latest(id, "root")->version == 0);
    for (const char* odd : {"", "[]", "{\"x\":[]}", "{\"3\":7}", "{\"3\":[{\"root\":1}]}", "{"}) {
        CHECK(AnswerLog{odd}.text() == "{}");
    }
    for (int i = 0; i < 200; ++i) {
        log.see(id, {"root", "e2e4", i % 2 == 0 ? 'A' : 'B', 85, 0, 100 + i, 1});
    }
    CHECK(log.at(id, "root", 0)->from == 250); // the oldest are dropped
    log.see(id, {"next", "e2e4", 'A', 85, 0, 400, 1});
    CHECK(log.at(id, "next", 0)->from == 400);
    log.keep_only({analysis::AnalysisId{4}});
    CHECK(log.text() == "{}");
}
