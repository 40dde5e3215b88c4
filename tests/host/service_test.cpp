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
