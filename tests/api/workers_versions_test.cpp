// Machines of other versions, and answers of the server that are lost on the way.
#include "fleet_fixture.hpp"

using http::Method;

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

TEST_CASE("workers: what an answer of the server held that was lost goes to others at once") {
    FleetFixture f;
    const std::string id = f.hello();
    f.core->create(ruy_lopez, 3);
    for (int i = 0; i < 10; ++i) { // until the tree has enough to ask
        f.core->settle_down();
        REQUIRE(f.bench.step());
    }
    f.core->settle_down();
    const std::size_t usual = std::exchange(f.bench.takes, 0); // the processes here wait
    const json kept = f.leases(id, 1);
    const json lost = f.leases(id, 2);
    const auto take = [&](const std::string& machine, const json& held, int most) {
        return f.ask(Method::post, "/workers/" + machine + "/take",
                     {{"profiles", {{{"name", "simulated"}, {"most", most}}}},
                      {"wait_seconds", 0},
                      {"held", held}})["leases"];
    };
    // The same questions again, by other leases; what it has it keeps.
    const json again = take(id, json::array({kept[0]["lease"]}), 2);
    REQUIRE(again.size() == 2);
    CHECK(again[0]["question"] == lost[0]["question"]);
    CHECK(again[1]["question"] == lost[1]["question"]);
    CHECK(again[0]["lease"] != lost[0]["lease"]);
    CHECK(f.machine(id)["profiles"][0]["leases"] == 3);
    CHECK(f.machine(id)["failed"] == 0); // nobody is to blame
    CHECK(f.tell(id, json::array({f.answer(kept[0])}))[0]["verdict"] == "taken");
    // Another machine gets them, though nothing has expired.
    const std::string other = f.hello("other");
    take(id, json::array(), 0);
    const json elsewhere = take(other, json::array(), 8);
    REQUIRE(elsewhere.size() >= 2);
    CHECK(elsewhere[0]["question"] == lost[0]["question"]);
    // Who does not say what it has is asked nothing.
    CHECK(f.take(other, 0)["leases"].empty());
    CHECK(f.machine(other)["profiles"][0]["leases"] == elsewhere.size());
    f.bench.takes = usual;
}
