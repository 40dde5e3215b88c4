// Where a person would want to look, in all analyses.
#include "api_fixture.hpp"

#include "analysis/radar.hpp"
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

std::string way_text(const json& moves) {
    std::string text;
    for (const json& move : moves) {
        text += (text.empty() ? "" : ",") + move.get<std::string>();
    }
    return text;
}

// As if the analysis had been looked at before, and had answered that.
struct LookedBefore {
    GrownTree f;
    std::shared_ptr<AnswerLog> answers = std::make_shared<AnswerLog>();
    Api api{*f.core.core, nullptr, nullptr, nullptr, answers};

    const AnalysisRun& run() { return f.core.run(analysis::AnalysisId{f.id}); }
    void answered(const std::string& best, char letter, analysis::UnixMs until) {
        answers->see(run().record.id, {run().root.fen(), best, letter, 95, 0, until, 0});
    }
    json radar(analysis::UnixMs since) {
        const http::Response response = api(get_request("/radar?since=" + std::to_string(since)));
        REQUIRE(response.status == 200);
        return json::parse(response.body);
    }
};

} // namespace

TEST_CASE("radar: leaves one reply away from what is known, and their search joins them") {
    GrownTree f;
    const AnalysisRun& run = f.core.run(analysis::AnalysisId{f.id});
    // What another analysis of the engine has searched behind a leaf is known to this one.
    std::vector<std::string> lines;
    const analysis::Graph& graph = run.slot->graph();
    for (const analysis::GraphMove& move : graph.moves(run.root_node)) {
        const chess::Position leaf = run.root.after(move.move);
        for (const chess::Move reply : leaf.legal_moves()) {
            if (!graph.expanded(move.target) && lines.size() < 40) {
                lines.push_back("1. e4 e5 " + chess::to_san(run.root, move.move) + " " +
                                chess::to_san(leaf, reply));
            }
        }
    }
    std::vector<json> found;
    json radar;
    for (std::size_t i = 0; i < lines.size() && found.empty(); ++i) {
        json body = f.wanted({{"moves", lines[i]}});
        body["strategy"]["refine"] = 1;
        f.settle(f.post(body));
        radar = f.get("/radar?since=0");
        found = radar_kind(radar, "rejoin");
        std::erase_if(found, [&](const json& one) { return one["analysis"]["id"] != f.id; });
    }
    REQUIRE_FALSE(found.empty());
    CHECK(radar["since"] == 0);
    CHECK(radar["more"] == 0);
    for (const json& entry : found) {
        INFO(entry);
        CHECK(entry["at"].get<std::int64_t>() > 0);
        CHECK(entry["search"]["action"] == "include");
        json way = entry["search"]["moves"];
        // The reply leads to a position with scores, and is not searched itself.
        CHECK(f.get(f.path("/node?moves=" + way_text(way)))["status"] == "expanded");
        way.erase(way.size() - 1);
        const json leaf = f.get(f.path("/node?moves=" + way_text(way)));
        CHECK(leaf["fen"] == entry["fen"]);
        CHECK(leaf["status"] != "expanded");
        CHECK(entry["text"].get<std::string>().find(entry["before"].get<std::string>()) !=
              std::string::npos);
    }
    // What was known before is not told again.
    CHECK(radar_kind(f.get("/radar?since=" + radar["now"].dump()), "rejoin").empty());
    const json search = found[0]["search"];
    const http::Response asked = f.send(Method::post, f.path("/directives"), search);
    INFO(asked.body);
    REQUIRE(asked.status == 201);
    f.settle(f.id);
    json way = search["moves"];
    way.erase(way.size() - 1);
    CHECK(f.get(f.path("/node?moves=" + way_text(way)))["status"] == "expanded");
    for (const json& entry : radar_kind(f.get("/radar?since=0"), "rejoin")) {
        CHECK(entry["search"] != search);
    }
}

TEST_CASE("radar: a verdict that fell below its letter") {
    LookedBefore b;
    const std::string best = b.f.get(b.f.path("/verdict"))["best"]["uci"];
    const std::string letter = b.f.get(b.f.path("/verdict"))["stands"]["letter"];
    REQUIRE(letter != "A");
    b.answered(best, 'A', 5);
    const auto fallen = radar_kind(b.radar(6), "letter");
    REQUIRE(fallen.size() == 1);
    CHECK(fallen[0]["before"] == "A");
    CHECK(fallen[0]["after"] == letter);
    CHECK(fallen[0]["search"] == json{{"action", "verify"}, {"moves", json::array()}});
    CHECK(fallen[0]["line"][0]["uci"] == best);
    const json again = b.radar(6);
    CHECK(radar_kind(again, "letter") == fallen); // when it fell stays
    CHECK(radar_kind(b.radar(again["now"]), "letter").empty());
    // Of another root nothing is known.
    b.answers->see(b.run().record.id, {"another", best, 'A', 95, 0, 7, 0});
    CHECK(radar_kind(b.radar(8), "letter").empty());
}

TEST_CASE("radar: an answer that took the place of another one by what lies below") {
    GrownTree f;
    const AnalysisRun& run = f.core.run(analysis::AnalysisId{f.id});
    const std::string best = f.get(f.path("/verdict"))["best"]["uci"];
    const auto now = *chess::parse_uci(run.root, best);
    constexpr analysis::UnixMs late = 50'000'000'000'000;
    for (const analysis::GraphMove& move : run.slot->graph().moves(run.root_node)) {
        const std::string former = chess::to_uci(run.root, move.move);
        INFO(former);
        const auto told = [&](analysis::UnixMs until) {
            const auto answers = std::make_shared<AnswerLog>();
            answers->see(run.record.id, {run.root.fen(), former, 'F', 50, 0, 5, 0});
            answers->see(run.record.id, {run.root.fen(), former, 'F', 50, 0, until, 0});
            const Api api{*f.core.core, nullptr, nullptr, nullptr, answers};
            return radar_kind(json::parse(api(get_request("/radar?since=6")).body), "refutation");
        };
        CHECK(told(5).empty()); // both were searched by themselves after that
        const auto is =
            analysis::refutation(run.slot->graph(), run.root_node, move.move, now, late);
        CHECK(told(late).size() == (is ? 1U : 0U));
    }
}

TEST_CASE("radar: a game that leaves the files before it") {
    GrownTree f; // after 1. e4 e5
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
    CHECK(left[0]["text"] == "A – B leaves your files with 3. Bc4; they have 3. d4");
    CHECK(left[0]["before"] == "3. d4");
    CHECK(left[0]["search"] == json{{"action", "deepen"}, {"moves", {"g1f3", "d7d6", "f1c4"}}});
    CHECK(radar_kind(f.get("/radar?since=" + radar["now"].dump()), "left").empty());
}

TEST_CASE("radar: in pieces it is the same, and bad requests name the place") {
    GrownTree f;
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
    CHECK(pieces > 6);
    json in_pieces = json::parse(walk->finish().body), at_once = json::parse(whole.body);
    CHECK(in_pieces["entries"] == at_once["entries"]);
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
