// Machines that answer questions, by the calls that they use.
#include "fleet_fixture.hpp"

using namespace std::chrono_literals;
using http::Method;

namespace {

const analysis::AnalysisId first{1};

} // namespace

TEST_CASE("workers: questions go out two ahead, their answers count, and the machine is shown") {
    FleetFixture f;
    const std::string id = f.hello();
    CHECK(f.machine(id)["state"] == "idle");
    f.core->create(ruy_lopez, 3);
    const json leases = f.leases(id, 4);
    CHECK(f.take(id, 0)["leases"].empty());
    CHECK(f.machine(id)["state"] == "working");
    CHECK(f.machine(id)["profiles"][0]["leases"] == leases.size());
    const auto before = f.core->run(first).usage.evaluations_new;
    const json results = f.tell(id, json::array({f.answer(leases[0])}));
    CHECK(results[0]["verdict"] == "taken");
    f.core->settle_down();
    CHECK(f.core->run(first).usage.evaluations_new == before + 1);
    CHECK(f.tell(id, json::array({f.answer(leases[0])}))[0]["verdict"] == "late");
    CHECK(f.core->run(first).usage.evaluations_new == before + 1);
    CHECK(f.machine(id)["answered"] == 1);
    CHECK(f.machine(id)["late"] == 1);
    const json beat =
        f.ask(Method::post, "/workers/" + id + "/beat",
              {{"held", {leases[0]["lease"]}},
               {"profiles", {{{"name", "simulated"}, {"busy", 0.5}, {"nps", 1000}}}}});
    CHECK(beat["withdrawn"] == json{leases[0]["lease"]});
    CHECK(f.machine(id)["profiles"][0]["busy"] == 0.5);
    CHECK(f.machine(id)["profiles"][0]["nps"] == 1000);

    ApiFixture none; // without room for machines
    none.refuse(Method::get, "/workers", {}, 409, "conflict", "");
}

TEST_CASE("workers: what is wrong in a call is refused, and named") {
    FleetFixture f;
    const std::string id = f.hello();
    const auto refused = [&](const std::string& target, const json& body) {
        const json told = f.ask(Method::post, target, body, 400);
        return told["error"]["where"].get<std::string>();
    };
    json body = FleetFixture::greeting();
    body["colour"] = "red";
    CHECK(refused("/workers", body) == "colour");
    CHECK(refused("/workers", FleetFixture::greeting("x", 0)) == "profiles[0].processes");
    body = FleetFixture::greeting();
    body["profiles"].push_back(body["profiles"][0]);
    CHECK(refused("/workers", body) == "profiles[1]");
    const std::string at = "/workers/" + id;
    CHECK(refused(at + "/beat", {{"held", {-1}}, {"profiles", json::array()}}) == "held[0]");
    json answer{{"lease", 1},      {"profile", "simulated"},
                {"question", "0"}, {"move", "e2e4"},
                {"depth", 8},      {"seldepth", 8},
                {"nodes", 5},      {"time_ms", 5},
                {"pv", {"e2e4"}},  {"score", {{"cp", 1}, {"mate", 1}}}};
    CHECK(refused(at + "/answers", {{"answers", {answer}}}) == "answers[0].score");
    answer["score"] = {{"cp", 1'000'000}};
    CHECK(refused(at + "/answers", {{"answers", {answer}}}) == "answers[0].score.cp");
    answer["score"] = {{"cp", 1}};
    CHECK(f.tell(id, json::array({answer}))[0]["verdict"] == "late");
    const json good{{"profiles", json::array()}, {"wait_seconds", 0}};
    CHECK(f.send(Method::post, "/workers/nobody/take", good).status == 404);
    CHECK(f.send(Method::post, "/workers/nobody/answers", {{"answers", json::array()}}).status ==
          404);
    CHECK(f.send(Method::del, "/workers/nobody").status == 404);
    FleetFixture exact{0, true};
    CHECK(exact.send(Method::post, "/workers", FleetFixture::greeting())
              .body.find("one process of the server answers") != std::string::npos);
    CHECK(f.send(Method::patch, "/workers/nobody", {{"drain", true}}).status == 404);
}

TEST_CASE("workers: a machine that is drained gets nothing more; its leases end well") {
    FleetFixture f;
    const std::string id = f.hello();
    f.core->create(ruy_lopez, 2);
    const json leases = f.leases(id, 2);
    CHECK(f.ask(Method::patch, "/workers/" + id, {{"drain", true}})["state"] == "draining");
    const json more = f.take(id, 8);
    CHECK(more["leases"].empty());
    CHECK(more["drain"] == true);
    f.tell(id, json::array({f.answer(leases[0]), f.answer(leases[1])}));
    CHECK(f.machine(id)["state"] == "drained");
    f.core->work_until([&] { return f.settled(); });
    CHECK(f.settled()); // by those who are here
    CHECK(f.ask(Method::patch, "/workers/" + id, {{"drain", false}})["state"] == "idle");
}

TEST_CASE("workers: an answer that survives a restart of the server saves the search") {
    FleetFixture f;
    std::string id = f.hello();
    f.core->create(ruy_lopez, 3);
    json answers = json::array();
    for (const json& lease : f.leases(id, 4)) {
        answers.push_back(f.answer(lease));
    }
    f.end();
    f.now += 5s;
    f.bench.asked.clear();
    f.bench.queue.clear();
    f.bench.missing = "not yet"; // the machine is quicker than the server's own engine
    f.begin();
    CHECK(f.send(Method::post, "/workers/" + id + "/answers", {{"answers", answers}}).status ==
          404);
    CHECK(f.send(Method::post, "/workers", FleetFixture::greeting()).status == 503);
    f.bench.identify();
    f.core->settle_down();
    id = f.hello();
    const json results = f.tell(id, answers);
    std::size_t taken = 0; // of those whose questions are not asked here already
    for (const json& result : results) {
        taken += result["verdict"] == "taken" ? 1 : 0;
    }
    CHECK(taken >= 1);
    CHECK(f.machine(id)["answered"] == taken);
    f.ask(Method::del, "/workers/" + id, {}, 204);
    f.core->work_until([&] { return f.settled(); });
    CHECK(f.settled());
}

TEST_CASE("workers: answers are asked again here; who finds something else is shown") {
    FleetFixture f{2};
    const std::string id = f.hello();
    f.core->create(ruy_lopez, 5);
    const auto work = [&](bool lies, const std::function<bool(const json&)>& enough) {
        json compared;
        for (int i = 0; i < 2'000 && !enough(compared = f.machine(id)["compared"]); ++i) {
            json answers = json::array();
            const json taken = f.take(id, 4);
            for (const json& lease : taken["leases"]) {
                json answer = f.answer(lease);
                if (lies && answer["score"].contains("cp")) {
                    answer["score"]["cp"] = answer["score"]["cp"].get<int>() / 2 + 90;
                }
                answers.push_back(std::move(answer));
            }
            f.tell(id, answers);
            f.bench.step();
            f.core->settle_down();
        }
        return compared;
    };
    const json honest = work(false, [](const json& seen) { return seen["answers"] >= 3; });
    CHECK(honest["answers"] >= 3);
    CHECK(honest["different"] == 0);
    CHECK(honest["mean_cp"] == 0);
    const json lying = work(true, [](const json& seen) { return seen["different"] >= 3; });
    CHECK(lying["different"] >= 3);
    CHECK(lying["mean_cp"] > 5);
}

TEST_CASE(
    "workers: those that vanished make room, the longest away first; those that work do not") {
    FleetFixture f;
    engine_bridge::Identity identity;
    identity.name = "Simulated 1.0";
    const auto hello = [&](const std::string& name) {
        f.now += 1ms;
        return f.fleet->hello({engine_bridge::machine_version, name, {{"simulated", 1, identity}}});
    };
    const auto known = [&](const std::string& name) {
        const auto all = f.fleet->machines();
        return std::ranges::find(all, name, &engine_bridge::MachineView::name) != all.end();
    };
    std::string first;
    for (std::size_t i = 0; i < Fleet::most_machines; ++i) {
        const auto welcome = hello("m" + std::to_string(i));
        REQUIRE(welcome);
        first = i == 0 ? welcome->id : first;
    }
    CHECK(hello("one more").error().kind ==
          engine_bridge::FleetError::Kind::not_ready); // all of them may work
    f.now += 5s;
    REQUIRE(f.fleet->beat(first, {}, {}));
    f.pass(6s); // all but the first are away
    REQUIRE(hello("new"));
    CHECK(known("new"));
    CHECK(known("m0"));
    CHECK_FALSE(known("m1"));
    CHECK(known("m2"));
    REQUIRE(hello("newer"));
    CHECK_FALSE(known("m2"));
    REQUIRE(hello("m3")); // in its own place
    CHECK(known("m4"));
    CHECK(f.fleet->machines().size() == Fleet::most_machines);
}

TEST_CASE("workers: machines of a version before or after work, others are told who is older") {
    FleetFixture f;
    const auto version = [&](const json& number) {
        json body = FleetFixture::greeting("m");
        body["version"] = number;
        return f.send(Method::post, "/workers", body);
    };
    const int ours = engine_bridge::machine_version;
    // As before it was told.
    const json welcome = f.ask(Method::post, "/workers", FleetFixture::greeting("old"), 201);
    CHECK(welcome["version"] == ours);
    CHECK(version(ours).status == 201);
    // The next one says more, everywhere.
    json next = FleetFixture::greeting("new");
    next["version"] = ours + 1;
    next["colour"] = "red";
    next["profiles"][0]["colour"] = "red";
    next["profiles"][0]["identity"]["colour"] = {1, 2};
    CHECK(f.send(Method::post, "/workers", next).status == 201);
    next["profiles"][0]["processes"] = 0; // wrong is wrong
    CHECK(f.send(Method::post, "/workers", next).status == 400);
    next = FleetFixture::greeting("same");
    next["version"] = ours;
    next["colour"] = "red";
    CHECK(f.send(Method::post, "/workers", next).status == 400);
    // Further apart.
    const json far{{"version", ours + 2}, {"name", "far"}, {"engines", "another way"}};
    const auto refused = f.send(Method::post, "/workers", far);
    CHECK(refused.status == 409);
    const json error = json::parse(refused.body)["error"];
    CHECK(error["where"] == "version");
    CHECK(error["message"].get<std::string>().starts_with(
        "the server is older than the machine: update Adjourn on the server"));
    CHECK(f.ask(Method::get, "/workers")["refusals"][0]["reason"] == error["message"]);
    CHECK(engine_bridge::difference(3, 1).starts_with(
        "the machine is older than the server: update Adjourn on the machine"));
    for (const json& wrong : {json(-1), json("2"), json(1.5), json(1'000'001)}) {
        CHECK(version(wrong).status == 400);
    }
}

TEST_CASE("workers: the chances that a machine tells, and its name, stay with the evaluation") {
    FleetFixture f;
    const std::size_t usual = std::exchange(f.bench.takes, 0); // the processes here wait
    const std::string id = f.hello("kitchen");
    f.core->create(ruy_lopez, 1);
    json answer = f.answer(f.leases(id, 1)[0]);
    for (const json& none : {json{312, 640}, json{312, 640, 148}, json{312, 640, "48"}, json{312},
                             json{-1, 1'000, 1}, json(5)}) {
        CAPTURE(none);
        answer["wdl"] = none;
        const json refusal = f.ask(Method::post, "/workers/" + id + "/answers",
                                   {{"answers", json::array({answer})}}, 400);
        CHECK(refusal["error"]["where"].get<std::string>().starts_with("answers[0].wdl"));
    }
    answer["wdl"] = {312, 640, 48};
    CHECK(f.tell(id, json::array({answer}))[0]["verdict"] == "taken");
    f.core->settle_down();
    const json facts = f.ask(Method::get, "/analyses/1/evaluations")["evaluations"];
    REQUIRE(facts.size() == 1);
    CHECK(facts[0]["wdl"] == json{312, 640, 48});
    CHECK(facts[0]["machine"] == "kitchen");
    const json node = f.ask(Method::get, "/analyses/1/node");
    CHECK(node["moves"][0]["engine"]["wdl"] == json{312, 640, 48});
    CHECK(node["moves"][0]["engine"]["machine"] == "kitchen");
    CHECK(node["wdl"] == json{312, 640, 48});
    // Other answers tell no chances, and are of the machine that has no name here.
    f.bench.takes = usual;
    f.bench.look();
    f.core->work_until([&] { return f.settled(); });
    const json all = f.ask(Method::get, "/analyses/1/evaluations")["evaluations"];
    REQUIRE(all.size() > 1);
    CHECK_FALSE(all[1].contains("wdl"));
    CHECK_FALSE(all[1].contains("machine"));
}
