// What an answer rests on, and work that is spent on that.
#include "api_fixture.hpp"

using http::Method;

namespace {

std::string joined(const json& moves) {
    std::string text;
    for (const json& move : moves) {
        text += (text.empty() ? "" : ",") + move.get<std::string>();
    }
    return text;
}

} // namespace

TEST_CASE("api: a verdict names the evaluations that the answer rests on") {
    GrownTree f;
    const json root = f.get(f.path("/node"));
    const json verdict = f.get(f.path("/verdict"));
    CHECK(verdict["fen"] == root["fen"]);
    CHECK(verdict["best"]["uci"] == f.get(f.path())["best"]["uci"]);
    REQUIRE(verdict["stands"].is_object());
    CHECK(verdict["stands"]["percent"] >= 0);
    CHECK(verdict["stands"]["percent"] <= 99);
    CHECK(verdict["stands"]["tested"] == false); // that was another engine
    CHECK(verdict["stands"]["like_this"] ==
          json{{"answers", 0},
               {"said", nullptr},
               {"stood", nullptr},
               {"low", nullptr},
               {"high", nullptr},
               {"text", "no answer like this of your Simulated 1.0 has had four times the work "
                        "yet"}});
    CHECK(verdict["verifying"].is_null());
    REQUIRE_FALSE(verdict["carries"].empty());
    double before = 0, sum = 0;
    for (const json& carrier : verdict["carries"]) {
        INFO(carrier);
        const std::string way = joined(carrier["moves"]);
        const json node = f.get(f.path("/node?moves=" + way));
        CHECK(carrier["fen"] == node["fen"]);
        CHECK(carrier["cost"].get<double>() >= before);
        before = carrier["cost"];
        sum += before;
        CHECK(carrier["cost"].get<double>() > 0);
        if (!carrier["move"].is_null()) {
            CHECK(move_of(node, carrier["move"]["uci"])["engine"]["score"] == carrier["score"]);
            const json facts = f.get(f.path("/evaluations?moves=" + way))["evaluations"];
            CHECK(std::ranges::any_of(
                facts, [&](const json& fact) { return fact["id"] == carrier["evaluation"]; }));
        }
    }
    CHECK(verdict["cost"].get<double>() == Approx(sum).margin(0.02));
    CHECK(verdict["text"].get<std::string>().starts_with("stands: "));
    CHECK(verdict["text"].get<std::string>().find("; it rests on ") != std::string::npos);
    // Elsewhere the answer is the best alpha.
    const std::string reply = root["moves"][0]["uci"];
    const json below = f.get(f.path("/node?moves=" + reply));
    const json there = f.get(f.path("/verdict?moves=" + reply));
    REQUIRE(there["best"].is_object());
    CHECK(move_of(below, there["best"]["uci"])["alpha"] == below["moves"][0]["alpha"]);
    // Nothing is said of what nobody has searched.
    const json nothing = f.get(f.path("/verdict?moves=a3,a6,h3,h6"));
    CHECK(nothing["best"].is_null());
    CHECK(nothing["stands"].is_null());
    CHECK(nothing["carries"].empty());
    CHECK_FALSE(nothing.contains("cost"));
}

TEST_CASE("api: verifying searches what carries the answer, before all else, as far as it goes") {
    GrownTree f;
    const auto urgent = [&] {
        return std::ranges::count_if(f.bench.asked, &engine_bridge::Job::urgent);
    };
    const auto before = urgent();
    const json carried = f.get(f.path("/verdict"))["carries"][0];
    CHECK(f.ask(Method::post, f.path("/verify"), {{"evaluations", 3}}) ==
          json{{"evaluations", 3}, {"nodes", nullptr}});
    CHECK(f.get(f.path("/verdict"))["verifying"]["evaluations"] == 3);
    // A verdict is made in slices, of which each has its time: on a slow machine there are more.
    for (int rounds = 0; !f.get(f.path("/verdict"))["verifying"].is_null(); ++rounds) {
        REQUIRE(rounds < 100'000);
        f.core.core->look_after();
        f.core.work_until([] { return false; }, 1);
    }
    CHECK(urgent() > before);
    CHECK(urgent() <= before + 3);
    // What carried it was searched, or asked for its next move.
    const std::string way = joined(carried["moves"]);
    const json node = f.get(f.path("/node?moves=" + way));
    if (carried["move"].is_null()) {
        CHECK(node["moves"].size() > 1);
    } else {
        const std::string to =
            way + (way.empty() ? "" : ",") + carried["move"]["uci"].get<std::string>();
        CHECK(f.get(f.path("/node?moves=" + to))["status"] == "expanded");
    }
}

TEST_CASE("api: verifying is refused where it could do nothing, and bad requests name the place") {
    GrownTree f;
    const auto refuse = [&](const json& body, int status, const char* code, const char* where) {
        f.refuse(Method::post, f.path("/verify"), body, status, code, where);
    };
    refuse({{"evaluations", 0}}, 400, "bad_value", "evaluations");
    refuse({{"nodes", 5}, {"evaluations", 5}}, 400, "bad_value", "nodes");
    refuse({{"moves", {"e2e5"}}}, 400, "illegal_move", "moves[0]");
    refuse({{"moves", {"a2a3", "a7a6", "h2h3", "h7h6"}}}, 409, "conflict", "");
    f.change({{"hold", true}});
    refuse(json::object(), 409, "conflict", "");
}

TEST_CASE("api: an export says at its start how sure the answer is") {
    GrownTree f;
    const std::string text = f.get(f.path("/verdict"))["text"];
    const http::Response pgn = f.send(Method::get, f.path("/export?format=pgn"));
    REQUIRE(pgn.status == 200);
    std::string flat = pgn.body;
    std::ranges::replace(flat, '\n', ' ');
    CHECK(flat.find(text) != std::string::npos);
    const http::Response quiet = f.send(Method::get, f.path("/export?format=pgn&comments=none"));
    CHECK(quiet.body.find("stands:") == std::string::npos);
    CHECK(f.get(f.path("/export?format=json"))["sure"] == text);
}

TEST_CASE("api: a second engine is named, asked, and told of where it disagrees") {
    Bench second; // outlives the core
    second.name = "Second 1.0";
    second.leans = 200;
    GrownTree f;
    f.core.others.emplace("second", &second);
    engine_bridge::Profile other;
    other.name = "second";
    other.command = {"second"};
    f.core.core->set_engines({f.core.core->engines().all().front()->profile, other});
    f.core.settle_down();
    json unknown = GrownTree::body();
    unknown["second_engine"] = "third";
    f.refuse(Method::post, "/analyses", unknown, 400, "unknown_engine", "second_engine");
    f.refuse(Method::patch, f.path(), {{"second_engine", "third"}}, 400, "unknown_engine",
             "second_engine");
    CHECK(f.get(f.path("/verdict"))["second"].is_null());
    CHECK(f.get(f.path("/changes?since=0"))["second_opinions"].empty());

    const json node = f.get(f.path("/node"));
    f.change({{"second_engine", "second"}});
    const auto told = [&] { return f.get(f.path("/verdict")); };
    CHECK(told()["second"]["answered"] == 0);
    CHECK(told()["second_opinions"].empty());
    for (int rounds = 0; told()["second"]["answered"] != told()["second"]["questions"]; ++rounds) {
        REQUIRE(rounds < 100'000);
        f.core.pass(0);
        f.bench.step();
        second.step();
        f.core.settle_down();
    }
    const json verdict = told();
    CHECK(verdict["second"]["engine"] == "Second 1.0");
    CHECK(verdict["second"]["questions"] >= 2);
    REQUIRE_FALSE(verdict["second_opinions"].empty());
    for (const json& apart : verdict["second_opinions"]) {
        INFO(apart);
        CHECK(apart["fen"] == f.get(f.path("/node?moves=" + joined(apart["moves"])))["fen"]);
        CHECK(apart["second"]["cp"] > apart["score"]["cp"]);
        CHECK(apart["chances"] > 0);
    }
    CHECK(verdict["second_opinions"][0]["moves"] == json::array({verdict["best"]["uci"]}));
    CHECK(verdict["second_opinions"][0]["score"] ==
          move_of(node, verdict["best"]["uci"])["engine"]["score"]);
    // No value is another one.
    CHECK(f.get(f.path("/node"))["moves"] == node["moves"]);
    CHECK(f.get(f.path("/changes?since=0"))["second_opinions"] == verdict["second_opinions"]);
    const std::string now = std::to_string(f.core.core->now() + 1'000'000);
    CHECK(f.get(f.path("/changes?since=" + now))["second_opinions"].empty());
}
