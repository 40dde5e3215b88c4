// The calls that add engines, and those about webhooks.
#include "api_fixture.hpp"
#include "webhook_sink.hpp"

#include "core/engines/installed_engines.hpp"

namespace {

// An engine on the path, and no other one that is known.
struct Machine {
    TemporaryDirectory programs;
    std::string path = std::getenv("PATH");
    std::vector<KnownEngine> known{{"talker"}, {"absent-engine"}};

    Machine() {
        const auto program = programs.path() / "talker";
        std::ofstream{program} << "#!/bin/sh\nwhile read -r l; do case $l in uci) echo id name "
                                  "Talker; echo uciok;; isready) echo readyok;; quit) exit;; "
                                  "esac; done\n";
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        setenv("PATH", (programs.path().string() + ":" + path).c_str(), 1);
    }
    ~Machine() { setenv("PATH", path.c_str(), 1); }
    std::unique_ptr<InstalledEngines> engines() const {
        engine_bridge::Profile simulated;
        simulated.name = "simulated";
        simulated.command = {"none"};
        return std::make_unique<InstalledEngines>(programs.path() / "added_engines",
                                                  InstalledEngines::Profiles{simulated}, known);
    }
};

struct WithInstalled : Machine, ApiFixture {
    WithInstalled() : ApiFixture{engines()} {}
};

} // namespace

TEST_CASE("api: an engine that is installed is added, used and taken out") {
    WithInstalled f;
    const json list = f.get("/engines/installed");
    CHECK(list["installed"] == json::parse(R"([{"name":"talker","state":"free",
        "identity":"Talker","year":null,"advice":null,"problem":null,"processes":null}])"));
    CHECK(list["most_processes"].get<std::size_t>() >= 1);

    const json wish{{"installed", "talker"}, {"processes", 1}};
    CHECK(f.ask(http::Method::post, "/engines", wish, 201)["name"] == "talker");
    const json engines = f.get("/engines")["engines"];
    REQUIRE(engines.size() == 2);
    CHECK(engines[0]["default"] == true);
    CHECK(engines[1]["name"] == "talker");
    CHECK(engines[1]["default"] == false);
    f.refuse(http::Method::post, "/engines", {{"installed", "talker"}}, 409, "conflict",
             "installed");

    json wanted = ApiFixture::wanted({{"moves", "1. e4"}});
    wanted["engine"] = "talker";
    const std::int64_t id = f.post(wanted);
    f.settle(id);
    CHECK(f.get(address_of(id))["engine"] == "talker");

    CHECK(f.send(http::Method::del, "/engines/talker").status == 204);
    CHECK(f.get("/engines")["engines"].size() == 1);
    f.refuse(http::Method::del, "/engines/talker", {}, 404, "not_found", "path.name");
    f.refuse(http::Method::del, "/engines/" + engines[0]["name"].get<std::string>(), {}, 409,
             "conflict", "path.name");
}

TEST_CASE("api: of a request to add an engine only a name of the list counts") {
    WithInstalled f;
    for (const char* name : {"absent-engine", "sh", "/bin/sh", "../talker", "talker -x", ""}) {
        f.refuse(http::Method::post, "/engines", {{"installed", name}}, 400, "unknown_engine",
                 "installed");
    }
    f.refuse(http::Method::post, "/engines", json::object(), 400, "bad_request", "installed");
    f.refuse(http::Method::post, "/engines", {{"installed", "talker"}, {"processes", 0}}, 400,
             "bad_value", "processes");
    f.refuse(http::Method::post, "/engines", {{"installed", "talker"}, {"command", "sh"}}, 400,
             "unknown_field", "command");
    CHECK(f.get("/engines")["engines"].size() == 1);

    ApiFixture shows; // and starts nothing
    shows.refuse(http::Method::get, "/engines/installed", {}, 409, "conflict", "");
    shows.refuse(http::Method::post, "/engines", {{"installed", "talker"}}, 409, "conflict", "");
}

TEST_CASE("api: nobody waits while engines say who they are") {
    WithInstalled f;
    auto reply = f.api.begin(get_request("/engines/installed"));
    auto* wait = std::get_if<Api::Wait>(&reply);
    REQUIRE(wait);
    std::optional<http::Response> response;
    while (!response) { // the core's thread goes on
        f.core.settle_down();
        response = wait->look();
        std::this_thread::yield();
    }
    wait->leave();
    REQUIRE(response);
    CHECK(response->status == 200);
    CHECK(json::parse(response->body)["installed"][0]["identity"] == "Talker");
}

TEST_CASE("api: webhooks are shown by name and tested, and nothing else") {
    WebhookSink sink{{"HTTP/1.1 500 x"}};
    ApiFixture f;
    f.refuse(http::Method::get, "/webhooks", {}, 409, "conflict", "");

    WebhookSettings settings;
    settings.name = "chat";
    settings.url = sink.url("/a-secret");
    settings.secret = "another";
    settings.events = {"settled"};
    Webhooks webhooks{{settings}};
    const TestApi api{f.core, nullptr, &webhooks};
    const auto ask = [&](http::Method method, const std::string& path) {
        return api(http::Request{method, "/api/v1" + path, {}, {}, ""});
    };
    const json shown = json::parse(ask(http::Method::get, "/webhooks").body);
    CHECK(shown == json::parse(
                       R"({"webhooks":[{"name":"chat","events":["settled"],"signed":true,
        "sent":0,"lost":0,"waiting":0,"problem":null}]})"));

    const auto test = [&] {
        const auto response = ask(http::Method::post, "/webhooks/test");
        CHECK(response.status == 200);
        return json::parse(response.body)["webhooks"][0];
    };
    const json refused = test();
    CHECK(refused["name"] == "chat");
    CHECK(refused["status"] == 500);
    CHECK(refused["problem"] == "it answers 500");
    const json taken = test();
    CHECK(taken["status"] == 204);
    CHECK(taken["problem"].is_null());
    CHECK(taken["milliseconds"].is_number_unsigned());

    for (const auto method : {http::Method::post, http::Method::patch, http::Method::del}) {
        CHECK(ask(method, "/webhooks").status == 405);
    }
    webhooks.set({});
    CHECK(json::parse(ask(http::Method::get, "/webhooks").body)["webhooks"].empty());
    CHECK(ask(http::Method::post, "/webhooks/test").status == 409);
}
