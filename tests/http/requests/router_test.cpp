#include "http/requests/target.hpp"
#include "test.hpp"

#include <nlohmann/json.hpp>

using namespace adjourn::http;

namespace {

Response say(std::string text) {
    Response response;
    response.body = std::move(text);
    return response;
}

struct Row {
    Method method;
    const char* pattern;
    std::string (*handler)(const PathParameters& path);
};

const std::vector<Row> example{
    {Method::get, "/api/v1/analyses", [](const auto&) { return std::string{"list"}; }},
    {Method::post, "/api/v1/analyses", [](const auto&) { return std::string{"create"}; }},
    {Method::get, "/api/v1/analyses/newest", [](const auto&) { return std::string{"newest"}; }},
    {Method::get, "/api/v1/analyses/{id}",
     [](const auto& path) { return "one " + path.text("id"); }},
    {Method::del, "/api/v1/analyses/{id}",
     [](const auto& path) { return "delete " + path.text("id"); }},
    {Method::get, "/api/v1/analyses/{id}/games/{game}",
     [](const auto& path) { return path.text("id") + path.text("game"); }},
};

Response call(Method method, const std::string& path) {
    Routes routes;
    for (const Row& row : example) {
        routes.add(row.method, row.pattern);
    }
    const auto match = routes.match(method, path);
    return match ? say(example[match->index].handler(match->parameters))
                 : to_response(match.error(), method);
}

} // namespace

TEST_CASE("router: method and path choose the function") {
    CHECK(call(Method::get, "/api/v1/analyses").body == "list");
    CHECK(call(Method::post, "/api/v1/analyses").body == "create");
    CHECK(call(Method::get, "/api/v1/analyses/7").body == "one 7");
    CHECK(call(Method::del, "/api/v1/analyses/7").body == "delete 7");
    CHECK(call(Method::get, "/api/v1/analyses/7/games/b").body == "7b");
    CHECK(call(Method::head, "/api/v1/analyses/7").body == "one 7");
    CHECK(call(Method::get, "/api/v1/analyses/newest").body == "newest");
    CHECK(call(Method::del, "/api/v1/analyses/newest").body == "delete newest");
}

TEST_CASE("router: unknown paths are 404") {
    for (const auto* path : {"", "/", "/api/v1", "/api/v1/analyses/", "/api/v1/analyses/7/",
                             "/api/v1/analyses/7/games", "/API/v1/analyses", "api/v1/analyses",
                             "/api/v1/analyses/7/games/b/c"}) {
        CAPTURE(path);
        const auto response = call(Method::get, path);
        CHECK(response.status == 404);
        CHECK(nlohmann::json::parse(response.body)["error"]["code"] == "not_found");
    }
}

TEST_CASE("router: other methods on a known path are 405 with Allow, OPTIONS names them") {
    const auto response = call(Method::patch, "/api/v1/analyses/7");
    CHECK(response.status == 405);
    CHECK(response.headers.at("Allow") == "GET, HEAD, DELETE");
    CHECK(nlohmann::json::parse(response.body)["error"]["code"] == "method_not_allowed");
    const auto options = call(Method::options, "/api/v1/analyses");
    CHECK(options.status == 204);
    CHECK(options.body.empty());
    CHECK(options.headers.at("Allow") == "GET, HEAD, POST");
    CHECK(call(Method::options, "/nowhere").status == 404);
}

TEST_CASE("router: path parameters as integers") {
    const PathParameters path({{"a", "12"}, {"b", "12x"}, {"c", "-3"}});
    CHECK(path.integer("a") == 12);
    CHECK(path.integer("b") == std::nullopt);
    CHECK(path.integer("c") == -3);
    CHECK(path.integer("nowhere") == std::nullopt); // not in the pattern
}

TEST_CASE("error form: bytes that are not UTF-8 still give JSON") {
    const auto response = to_response({ErrorCode::bad_value, "a\xff\"b", "x[3]"});
    const auto json = nlohmann::json::parse(response.body);
    CHECK(response.status == 400);
    CHECK(json["error"]["message"] == "a\xef\xbf\xbd\"b");
    CHECK(json["error"]["where"] == "x[3]");
}
