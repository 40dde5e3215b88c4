#include "program/client/remote.hpp"
#include "temporary_directory.hpp"
#include "test.hpp"

using namespace adjourn::server;

TEST_CASE("remote: an address that is none, and a server that is not there, are told") {
    HttpRemote wrong{"ftp://somewhere"};
    const auto refused = wrong.text("/api/v1/analyses");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.starts_with("'ftp://somewhere' is not the address of a server"));
    CHECK_FALSE(refused.error().request);
    HttpRemote absent{"http://127.0.0.1:1"}; // nobody listens on it
    const auto silent = absent.get("/api/v1/analyses");
    REQUIRE_FALSE(silent);
    CHECK(silent.error().message.find("http://127.0.0.1:1 does not answer") != std::string::npos);
}

TEST_CASE("remote: what a service of this process refuses is told by the option's name") {
    TemporaryDirectory directory;
    Service service{default_config(), {directory.path(), false, ""}};
    service.start();
    LocalRemote remote{service};
    const auto all = remote.get("/api/v1/analyses");
    REQUIRE(all);
    CHECK((*all)["analyses"].empty());

    const auto absent = remote.text("/api/v1/analyses/1");
    REQUIRE_FALSE(absent);
    CHECK_FALSE(absent.error().request);
    const auto refused = remote.post("/api/v1/analyses", {{"position", "no position"}});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.starts_with("POSITION"));
    const auto imported = remote.post_text("/api/v1/import?format=epd&name=x.epd",
                                           "4k3/8/8/8/8/8/4P3/4K3 w - - ce 31; acd 12; pv Kd2;\n");
    REQUIRE(imported);
    CHECK((*imported)["evaluations"]["added"] == 1);
    service.stop();
}
