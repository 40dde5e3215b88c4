// What machines tell beside the score: the chances, and who they are.
#include "fleet_fixture.hpp"

using http::Method;

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
