// A whole server and a cloud: off by default, asked when somebody looks, and what it said stays.
#include "fake_clouds.hpp"
#include "host/service.hpp"
#include "temporary_directory.hpp"
#include "test.hpp"

using namespace adjourn::server;
using nlohmann::json;

namespace {

struct CloudHouse {
    // `clouds` as in the configuration. The engine cannot start: nothing is searched.
    void begin(std::vector<std::string> clouds) {
        service.reset();
        Config config;
        config.listen_port = 0;
        config.clouds = std::move(clouds);
        engine_bridge::Profile none;
        none.name = "none";
        none.command = {"/nowhere/engine"};
        config.engines = {none};
        service = std::make_unique<Service>(std::move(config),
                                            ServiceOptions{directory.path(), true, ""});
        service->start();
        service->wait_until_read();
    }
    json ask(http::Method method, const std::string& target, const std::string& body = "") const {
        const auto parsed = http::parse_target("/api/v1" + target);
        const http::Response response =
            service->answer({method, parsed->path, parsed->query, {}, body});
        INFO(target << ": " << response.body);
        REQUIRE(response.status < 300);
        return json::parse(response.body);
    }
    json node(const char* query = "") const {
        return ask(http::Method::get, std::string{"/analyses/1/node"} + query);
    }

    TemporaryDirectory directory;
    std::unique_ptr<Service> service;
};

} // namespace

TEST_CASE(
    "service: no cloud is asked unless it is configured and somebody looks; its answer stays") {
    FakeClouds fake;
    CloudHouse house;
    house.begin({});
    house.ask(http::Method::post, "/analyses",
              R"({"position":{"moves":"1. e4"},"limit":{"depth":8}})");
    CHECK_FALSE(house.node("?cloud=true").contains("clouds"));

    house.begin({fake.address("lichess")});
    CHECK(house.node()["clouds"] == json::array({"lichess"}));
    CHECK(fake.requests() == 0);
    house.node("?cloud=true");
    json node = house.node();
    while (!node.contains("cloud_moves")) {
        std::this_thread::sleep_for(std::chrono::milliseconds{2}); // between polls
        node = house.node();
    }
    CHECK(node["cloud_moves"].size() == 5);
    CHECK_FALSE(node.contains("clouds"));

    house.begin({fake.address("lichess")});
    CHECK(house.node("?cloud=true")["cloud_moves"] == node["cloud_moves"]);
    house.begin({});
    CHECK_FALSE(house.node("?cloud=true").contains("cloud_moves"));
    CHECK(fake.requests() == 1);
}
