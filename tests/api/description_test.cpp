// The description of the API (docs/openapi.yaml) says what the calls take.
#include "api_fixture.hpp"
#include "described_server.hpp"

TEST_CASE("description: every call that it names is there, and takes no other query than it says") {
    GrownTree f;
    std::size_t calls = 0;
    for (const DescribedCall& call : described_calls(f.get("/openapi.json"))) {
        if (!call.pattern.starts_with("/api/v1")) {
            continue;
        }
        CAPTURE(call.name);
        ++calls;
        const auto response = f.send(call.method, filled(call.pattern.substr(7)) + "?nonsense=1");
        INFO(response.body);
        CHECK(response.status == 400); // 404 or 405 if it were not there
        const json where = json::parse(response.body)["error"]["where"];
        CHECK(where.get<std::string>().starts_with("query."));
    }
    CHECK(calls >= 17);
}

TEST_CASE("description: numbers of a query are refused beyond the ranges that it says") {
    GrownTree f;
    const json paths = f.get("/openapi.json")["paths"];
    std::size_t tried = 0;
    for (const auto& [path, item] : paths.items()) {
        for (const json& parameter :
             item.value("get", json::object()).value("parameters", json::array())) {
            const json schema = parameter.value("schema", json::object());
            if (!schema.contains("minimum") || !schema.contains("maximum")) {
                continue;
            }
            const std::string name = parameter["name"];
            CAPTURE(path, name);
            const auto status = [&](std::int64_t value) {
                const auto response = f.send(http::Method::get, filled(path) + "?" + name + "=" +
                                                                    std::to_string(value));
                INFO(response.body);
                CHECK((response.status == 200 ||
                       json::parse(response.body)["error"]["where"] == "query." + name));
                return response.status;
            };
            ++tried;
            const std::int64_t least = schema["minimum"];
            const std::int64_t most = schema["maximum"];
            CHECK(status(least) == 200);
            CHECK(status(most) == 200);
            CHECK(status(least - 1) == 400);
            CHECK(status(most + 1) == 400);
        }
    }
    CHECK(tried >= 10);
}

// Right and wrong ones (fuzz_routes searches further).
TEST_CASE("described requests: whatever is asked, the answer is one that the description names") {
    DescribedServer server;
    std::map<int, std::size_t> answers;
    std::mt19937 random{20'261'123};
    for (int i = 0; i < 150; ++i) {
        std::vector<std::uint8_t> bytes(400);
        std::ranges::generate(bytes, [&] { return static_cast<std::uint8_t>(random()); });
        const std::string wrong = server.run(bytes, answers);
        INFO("input " << i);
        REQUIRE(wrong == "");
    }
    // It reaches what it is to test.
    for (const int status : {200, 201, 204, 400, 404}) {
        CAPTURE(status);
        CHECK(answers[status] >= 10);
    }
}
