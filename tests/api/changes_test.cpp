// The API's calls that compare: two moments of a tree, the tree and the engine.
#include "api_fixture.hpp"

TEST_CASE("api: changes since a moment") {
    ApiFixture f;
    const auto id = f.post(ApiFixture::wanted({{"moves", "e2e4"}}));
    f.settle(id);
    const auto changes = [&](analysis::UnixMs since) {
        return f.get(address_of(id, "/changes?since=" + std::to_string(since)));
    };
    const auto then = f.core.clock;
    f.core.clock += 1'000;
    CHECK(changes(then)["evaluations"] == 0);
    f.ask(http::Method::patch, address_of(id), {{"strategy", {{"refine", 4}}}});
    f.settle(id);
    const json found = changes(then);
    CHECK(found["evaluations"].get<std::size_t>() > 0);
    CHECK(found["best"]["after"] == f.get(address_of(id))["best"]["san"]);
    CHECK(found["alpha"]["after"] == f.get(address_of(id, "/node"))["alpha"]);
    CHECK(found["new_lines"].size() > 0);
    CHECK(found["new_best"].size() > 0);
    CHECK(changes(0)["alpha"]["before"].is_null());
}

TEST_CASE("api: changes tell what comes until they are read, and of an analysis that is gone") {
    GrownTree f;
    const auto then = f.core.clock;
    f.core.clock += 10'000;
    f.change({{"strategy", {{"refine", 200}}}, {"hold", false}});
    f.core.work_until([] { return false; }, 12);
    const std::string target = f.path("/changes?since=" + std::to_string(then));
    const json whole = f.get(target);
    CHECK(whole["evaluations"].get<std::size_t>() > 0);
    const auto reply = f.api.begin(get_request(target));
    const auto* later = std::get_if<Api::Later>(&reply);
    REQUIRE(later);
    const std::uint64_t before = f.core.store->evaluation_count();
    f.core.clock += 1;
    f.core.work_until([] { return false; }, 6); // answers come meanwhile
    CHECK(f.core.store->evaluation_count() > before + 3);
    const json told = json::parse((*later)().body);
    CHECK(told["evaluations"] > whole["evaluations"]);
    // What was asked for is told, whatever becomes of the analysis meanwhile.
    CHECK(f.send(http::Method::del, f.path()).status == 204);
    CHECK(json::parse((*later)().body) == told);
}

TEST_CASE("api: disagreements are all moves whose alpha left the engine's score") {
    ApiFixture f;
    json body = ApiFixture::wanted({{"moves", "1. e4 e5 2. Nf3"}});
    body["strategy"]["refine"] = 3;
    const auto id = f.post(body);
    f.settle(id);
    const std::string path = address_of(id);
    constexpr int gap = 4;
    // Every position below, each once, by the call that people look through.
    std::map<std::string, int> expected; // position and move → alpha − engine, cp
    std::set<std::string> met;
    std::deque<std::string> open{""};
    for (; !open.empty(); open.pop_front()) {
        const json node = f.get(path + "/node?moves=" + open.front());
        if (!met.insert(node["fen"]).second) {
            continue;
        }
        for (const json& move : node["moves"]) {
            const int difference =
                move["alpha"]["cp"].get<int>() - move["engine"]["score"]["cp"].get<int>();
            if (std::abs(difference) >= gap) {
                expected[node["fen"].get<std::string>() + move["uci"].get<std::string>()] =
                    difference;
            }
            if (move["status"] == "expanded") {
                open.push_back(open.front() + (open.front().empty() ? "" : ",") +
                               move["uci"].get<std::string>());
            }
        }
    }
    REQUIRE(expected.size() > 3);
    const json found = f.get(path + "/disagreements?gap=4&margin=100000&limit=200");
    CHECK(found["truncated"] == false);
    CHECK(found["positions"] == f.get(path)["positions"]);
    int before = 1'000'000;
    for (const json& one : found["disagreements"]) {
        std::string line;
        for (std::size_t i = 0; i + 1 < one["line"].size(); ++i) {
            line += (i == 0 ? "" : ",") + one["line"][i]["uci"].get<std::string>();
        }
        const std::string key = f.get(path + "/node?moves=" + line)["fen"].get<std::string>() +
                                one["line"].back()["uci"].get<std::string>();
        INFO(one);
        REQUIRE(expected.contains(key));
        CHECK(one["gap"] == expected[key]);
        CHECK(one["alpha"]["cp"].get<int>() - one["engine"]["cp"].get<int>() == one["gap"]);
        CHECK(std::abs(one["gap"].get<int>()) <= before);
        before = std::abs(one["gap"].get<int>());
        expected.erase(key);
    }
    CHECK(expected.empty());
    CHECK(f.get(path + "/disagreements?limit=1&gap=4")["disagreements"].size() == 1);
    CHECK(f.get(path + "/disagreements?moves=a6,a3,h6,h3")["disagreements"].empty());
    f.refuse(http::Method::get, path + "/disagreements?gap=0", {}, 400, "bad_value", "query.gap");
    f.refuse(http::Method::get, path + "/disagreements?since=0", {}, 400, "unknown_field",
             "query.since");
    f.refuse(http::Method::get, "/analyses/99/disagreements", {}, 404, "not_found", "id");
}
