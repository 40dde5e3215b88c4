// The calls about webhooks.
#include "api_fixture.hpp"
#include "webhook_sink.hpp"

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
