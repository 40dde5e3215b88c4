// Webhooks of a running server: from the configuration to an address that is told.
#include "program.hpp"
#include "temporary_directory.hpp"
#include "webhook_sink.hpp"

TEST_CASE("program: webhooks are told that an analysis is settled, and are changed by SIGHUP") {
    const TemporaryDirectory directory;
    WebhookSink first;
    WebhookSink second;
    const auto config = write_config(directory.path(), 2, 0, EngineKind::plain);
    std::ostringstream engines;
    engines << std::ifstream{config}.rdbuf();
    const auto use = [&](const WebhookSink& sink) {
        std::ofstream{config} << engines.str() << "\n[[webhook]]\nname = \"club\"\nurl = \""
                              << sink.url("/hidden") << "\"\nevents = [\"settled\"]\n";
    };
    use(first);
    const auto log = directory.path() / "log";
    RunningServer server{directory.path() / "data", config, log};
    const auto tested = [&] {
        const auto [status, body] = server.request("POST", "/webhooks/test");
        REQUIRE(status == 200);
        return json::parse(body)["webhooks"][0];
    };
    CHECK(server.get("/webhooks")["webhooks"][0]["name"] == "club");
    CHECK(tested()["status"] == 204);
    CHECK(json::parse(first.wait_for(1).at(0).body)["event"] == "test");

    const auto made =
        server.request("POST", "/analyses",
                       R"({"name":"Short","position":{"moves":"1. e4"},"limit":{"depth":4},)"
                       R"("strategy":{"kind":"halving","move_distance":10,"refine":1}})");
    REQUIRE(made.first == 201);
    const auto letter = first.wait_for(2).at(1);
    const json told = json::parse(letter.body);
    CHECK(told["event"] == "settled");
    CHECK(told["analysis"]["id"] == json::parse(made.second)["id"]);
    CHECK(told["text"].get<std::string>().starts_with("Short is settled: "));

    use(second);
    server.hang_up();
    while (second.letters().empty()) { // until the reload is done, tests go to the first
        tested();
    }
    CHECK(server.interrupt() == 0);
    std::ostringstream text;
    text << std::ifstream{log}.rdbuf();
    CHECK(text.str().find("hidden") == std::string::npos);
}
