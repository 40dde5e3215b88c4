#include "host/service.hpp"
#include "temporary_directory.hpp"
#include "test.hpp"

using namespace adjourn::server;

TEST_CASE("service: the address that is told can be opened, also where it listens on all") {
    for (const auto& [listen, all] : {std::pair{"127.0.0.1", false}, std::pair{"0.0.0.0", true}}) {
        TemporaryDirectory directory;
        Config config;
        config.listen_address = listen;
        config.listen_port = 0;
        config.token = "secret";
        const Service service{std::move(config), {directory.path(), true, ""}};
        CHECK(service.url() == "http://127.0.0.1:" + std::to_string(service.port()));
        CHECK(service.on_all_addresses() == all);
    }
}

TEST_CASE("service: when summaries were told is kept in a file, whatever is in it before") {
    TemporaryDirectory directory;
    const auto file = directory.path() / "summaries.json";
    const auto serve = [&] {
        Config config;
        config.listen_port = 0;
        WebhookSettings morning;
        morning.name = "morning";
        morning.url = "http://127.0.0.1:9/";
        morning.events = {};
        morning.summary = SummaryTime{7 * 60};
        config.webhooks = {morning};
        config.engines.resize(1);
        config.engines[0].name = "none";
        config.engines[0].command = {"/nowhere/engine"};
        Service service{std::move(config), {directory.path(), true, ""}};
        service.start();
        service.stop();
        std::ifstream in{file};
        return std::string{std::istreambuf_iterator<char>{in}, {}};
    };
    const std::string first = serve();
    CHECK(first.starts_with("{\"morning\":"));
    CHECK(serve() == first);
    std::ofstream{file} << R"({"morning":12345,"gone":1})";
    CHECK(serve() == R"({"morning":12345})");
    std::ofstream{file} << "{\"morn";
    CHECK(serve().starts_with("{\"morning\":"));
}
