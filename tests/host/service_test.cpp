#include "host/loop.hpp"
#include "host/service.hpp"
#include "host/worker_address.hpp"
#include "temporary_directory.hpp"
#include "test.hpp"

#include <boost/asio/post.hpp>

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

TEST_CASE("loop: a loop goes on after a task that throws") {
    Loop loop{"a loop"};
    std::promise<int> after;
    boost::asio::post(loop.context(), [] { throw std::runtime_error{"a task"}; });
    boost::asio::post(loop.context(), [] { throw 5; });
    boost::asio::post(loop.context(), [&] { after.set_value(7); });
    CHECK(after.get_future().get() == 7);
}

namespace {

Config listening(const std::string& address, const std::string& advertise = "") {
    Config config;
    config.listen_address = address;
    config.listen_port = 8462;
    config.hosts = {"club"};
    config.advertise = advertise;
    return config;
}

} // namespace

TEST_CASE("addresses: what others are told is what is advertised, or what is listened on") {
    CHECK(url_elsewhere(listening("127.0.0.1"), 1) == "");
    CHECK(url_elsewhere(listening("::1"), 1) == "");
    CHECK(url_elsewhere(listening("192.0.2.7"), 8462) == "http://192.0.2.7:8462");
    CHECK(url_elsewhere(listening("2001:db8::7"), 8462) == "http://[2001:db8::7]:8462");
    const std::string by_name = host_name().empty() ? "" : "http://" + host_name() + ":8462";
    CHECK(url_elsewhere(listening("0.0.0.0"), 8462) == by_name);
    CHECK(url_elsewhere(listening("::"), 8462) == by_name);
    // A proxy on the same machine leads there.
    CHECK(url_elsewhere(listening("127.0.0.1", "https://chess.example.org"), 1) ==
          "https://chess.example.org");
}

TEST_CASE("addresses: by what others are told they may come") {
    const auto takes = [](const Config& config, const std::string& host) {
        const auto hosts = hosts_of(config);
        return std::ranges::find(hosts, host) != hosts.end();
    };
    CHECK(hosts_of(listening("127.0.0.1")) == std::vector<std::string>{"club"});
    CHECK(takes(listening("0.0.0.0"), host_name()));
    CHECK(takes(listening("127.0.0.1", "http://mylaptop:1234"), "mylaptop:1234"));
    CHECK(takes(listening("0.0.0.0", "https://chess.example.org"), "chess.example.org"));
    CHECK(takes(listening("0.0.0.0", "https://chess.example.org"), "club"));
}
