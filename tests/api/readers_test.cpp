// Views of graphs, read on threads of their own.
#include "api_fixture.hpp"
#include "http/requests/message.hpp"

namespace {

const std::vector<std::string> large_looks{"/tree?plies=12&margin=100&limit=2000",
                                           "/gaps?within=100",
                                           "/disagreements?gap=1",
                                           "/export?format=pgn&margin=100",
                                           "/export?format=epd&margin=100",
                                           "/export?format=polyglot&margin=100",
                                           "/export?format=json&margin=100",
                                           "/export?format=json&max_moves=60"};

// What is left of a call, on another thread.
http::Response elsewhere(const Api::Reply& reply) {
    const auto* later = std::get_if<Api::Later>(&reply);
    REQUIRE(later);
    http::Response response;
    std::thread{[&] { response = (*later)(); }}.join();
    return response;
}

} // namespace

TEST_CASE("views: on another thread they see what is seen at once") {
    GrownTree f;
    for (const std::string& what : large_looks) {
        CAPTURE(what);
        const http::Response whole = f.api(get_request(f.path(what)));
        REQUIRE(whole.status == 200);
        const http::Response response = elsewhere(f.api.begin(get_request(f.path(what))));
        CHECK(response.status == 200);
        CHECK(response.body == whole.body);
        CHECK(response.headers == whole.headers);
        CHECK(response.content_type == whole.content_type);
    }
}

TEST_CASE("views: a tree grows while it is read, and loses nothing") {
    GrownTree f;
    const auto evaluations = [&] { return f.get(f.path())["evaluations"]["new"].get<int>(); };
    const int before = evaluations();
    f.change({{"strategy", {{"refine", 200}}}, {"hold", false}});
    for (const std::string& what : large_looks) {
        CAPTURE(what);
        const auto reply = f.api.begin(get_request(f.path(what)));
        const auto* later = std::get_if<Api::Later>(&reply);
        REQUIRE(later);
        std::atomic<bool> done = false;
        int status = 0;
        std::thread reader{[&] {
            status = (*later)().status;
            done = true;
        }};
        f.core.work_until([&] { return done.load(); }, 20);
        reader.join();
        CHECK(status == 200);
    }
    f.core.work_until([&] { return evaluations() > before; }, 1'000);
    CHECK(f.get(f.path("/node"))["moves"].size() > 0);
}

TEST_CASE("views: an analysis that is deleted meanwhile is seen as it was") {
    GrownTree f;
    for (const std::string& what : large_looks) {
        CAPTURE(what);
        // The same tree, so nothing is asked.
        const std::int64_t other = f.post(GrownTree::body());
        f.settle(other);
        const std::string path = address_of(other);
        const auto reply = f.api.begin(get_request(path + what));
        CHECK(f.send(http::Method::del, path).status == 204);
        CHECK(elsewhere(reply).status == 200);
    }
}

TEST_CASE("views: what is wrong with a call is said before the first look") {
    GrownTree f;
    const auto refused = [&](const std::string& target) {
        const auto reply = f.api.begin(get_request(target));
        const auto* response = std::get_if<http::Response>(&reply);
        REQUIRE(response);
        return json::parse(response->body)["error"]["where"].get<std::string>();
    };
    CHECK(refused("/analyses/77/tree") == "id");
    CHECK(refused(f.path("/tree?plies=0")) == "query.plies");
    CHECK(refused(f.path("/export?format=doc")) == "query.format");
    CHECK(refused(f.path("/export?moves=e2e9")) == "query.moves[0]");
}

TEST_CASE("calls: what they take, by address") {
    const auto most = [](http::Method method, const std::string& path) {
        return rules_for(method, "/api/v1" + path).most_bytes;
    };
    CHECK(most(http::Method::post, "/import") == 8u << 20);
    for (const auto* path : {"/analyses", "/analyses/1", "/analyses/1/directives", "/nowhere"}) {
        CAPTURE(path);
        CHECK(most(http::Method::post, path) == 256u << 10);
        CHECK(most(http::Method::patch, path) == 256u << 10);
    }
    const auto body = [](http::Method method, const std::string& path) {
        return rules_for(method, "/api/v1" + path).body;
    };
    CHECK(body(http::Method::post, "/analyses") == CallRules::Body::json);
    CHECK(body(http::Method::patch, "/analyses/12") == CallRules::Body::json);
    CHECK(body(http::Method::post, "/import") != CallRules::Body::json);
}

TEST_CASE("calls: a body that was parsed before the core's thread had it is not parsed again") {
    ApiFixture f;
    http::Request request{http::Method::post, "/api/v1/analyses", {}, {}, ""};
    request.json = http::parse_call(ApiFixture::wanted({{"moves", "1. e4"}}).dump());
    CHECK(f.api(request).status == 201);
    request.json = http::parse_call("{");
    const http::Response refused = f.api(request);
    CHECK(refused.status == 400);
    CHECK(json::parse(refused.body)["error"]["code"] == "bad_json");
}
