// Links by HTTP: made, listed, revoked; what they show, and what is left out there.
#include "api/event_writer.hpp"
#include "api_fixture.hpp"
#include "described_calls.hpp"

using http::Method;

TEST_CASE("links: made with a name, listed, and revoked once") {
    OneAnalysis f{ApiFixture::wanted({{"moves", "1. e4"}})};
    const std::string path = f.path("/links");
    CHECK(f.get(path) == json{{"links", json::array()}});
    const json link = f.ask(Method::post, path, {{"name", " for Ann "}}, 201);
    const std::string secret = link["secret"];
    CHECK(secret.starts_with("link-"));
    CHECK(secret.size() == 5 + 32);
    CHECK(link["name"] == "for Ann");
    CHECK(link["file"].is_null());
    CHECK(link["path"] == "/#/shared/" + secret + "/analysis/" + std::to_string(f.id));
    const json other = f.ask(Method::post, path, json::object(), 201);
    CHECK(other["name"] == "");
    CHECK(other["secret"] != secret);
    CHECK(f.get(path) == json{{"links", {link, other}}});

    const json before = f.get(f.path());
    const std::string one = path + "/" + link["id"].dump();
    CHECK(f.send(Method::del, one).status == 204);
    CHECK(f.get(path) == json{{"links", {other}}});
    CHECK(f.get(f.path()) == before); // also when it last changed
    f.refuse(Method::del, one, {}, 404, "not_found", "link");
    f.refuse(Method::post, path, {{"name", "a\nb"}}, 400, "bad_value", "name");
    CHECK(f.get(f.path("/notes"))["notes"].empty());
}

TEST_CASE("links: one to a file, which must be there") {
    ApiFixture f;
    f.post(ApiFixture::wanted({{"moves", "1. e4"}}));
    f.post(ApiFixture::wanted({{"moves", "1. d4"}}));
    const std::int64_t file =
        f.ask(Method::post, "/analyses/1/files", {{"pgn", "1. e4 e5 *"}}, 201)["id"];
    const json link = f.ask(Method::post, "/analyses/1/links", {{"file", file}}, 201);
    CHECK(link["file"] == file);
    const std::string secret = link["secret"];
    CHECK(link["path"] == "/#/shared/" + secret + "/review/1/file/" + std::to_string(file));
    CHECK(f.get("/analyses/1/links") == json{{"links", {link}}});
    f.refuse(Method::post, "/analyses/1/links", {{"file", file + 1}}, 404, "not_found", "file");
    f.refuse(Method::post, "/analyses/2/links", {{"file", file}}, 404, "not_found", "file");
    f.refuse(Method::post, "/analyses/1/links", {{"file", 0}}, 400, "bad_value", "file");
}

// Whoever adds a call decides here whether links show it: nothing of other analyses may be in it.
TEST_CASE("links: show these calls and no others") {
    const std::set<std::string> shown{"",
                                      "/node",
                                      "/tree",
                                      "/verdict",
                                      "/disagreements",
                                      "/history",
                                      "/changes",
                                      "/export",
                                      "/notes",
                                      "/review",
                                      "/files",
                                      "/files/7",
                                      "/files/7/review",
                                      "/files/7/games/7/review"};
    std::size_t found = 0;
    for (const auto& [method, pattern] : all_calls()) {
        const std::string path = filled(std::string{pattern}, "3", "7");
        CAPTURE(http::name_of(method), path);
        constexpr std::string_view analysis = "/api/v1/analyses/3";
        const bool is_shown = method == Method::get && path.starts_with(analysis) &&
                              shown.contains(path.substr(analysis.size()));
        found += is_shown ? 1 : 0;
        const http::Readers readers = readers_of(method, path);
        const bool of_file = path.starts_with("/api/v1/analyses/3/files/7");
        CHECK(readers.links ==
              (is_shown ? std::optional{http::Shown{3, of_file ? 7 : 0}} : std::nullopt));
        const bool owners = path == "/api/v1/analyses/3/links" ||
                            path == "/api/v1/engines/installed" || path == "/api/v1/seats/7";
        CHECK(readers.token == (!owners || method != Method::get));
    }
    CHECK(found == shown.size());
    CHECK(readers_of(Method::head, "/api/v1/analyses/3/tree").links == http::Shown{3, 0});
    CHECK_FALSE(readers_of(Method::get, "/api/v1/analyses/x").links);
    CHECK_FALSE(readers_of(Method::get, "/api/v1/analyses/3/nothing").links);
}

TEST_CASE("links: what would tell of others is left out, in answers and events") {
    ApiFixture f;
    for (const char* moves : {"1. d4", "1. c4", "1. e4"}) {
        f.post(ApiFixture::wanted({{"moves", moves}}));
    }
    const std::int64_t id = 3;
    f.settle(id);
    f.ask(Method::patch, "/analyses/3", {{"priority", 4}});
    const auto ask = [&](const char* target) {
        http::Request request = get_request(target);
        request.by_link = true;
        const http::Response response = f.api(request);
        REQUIRE(response.status == 200);
        return json::parse(response.body);
    };
    json whole = f.get("/analyses/3");
    CHECK(whole["rank"] == 3.0);
    const json shown = ask("/analyses/3");
    whole["rank"] = 0.0;
    whole["priority"] = 0;
    whole["reason"] = nullptr;
    CHECK(shown == whole);
    CHECK(f.get("/analyses/3/node?moves=")["version"] > 0);
    CHECK(ask("/analyses/3/node?moves=")["version"] == 0);

    std::vector<http::Event> events;
    EventWriter writer{[&](http::Event event) { events.push_back(std::move(event)); }};
    const AnalysisRun& run = f.core.run(analysis::AnalysisId{id});
    writer.analysis_changed(*f.core.core, run);
    f.ask(Method::patch, "/analyses/3", {{"priority", 2}});
    writer.analysis_changed(*f.core.core, run);
    f.ask(Method::patch, "/analyses/3", {{"name", "renamed"}});
    writer.analysis_changed(*f.core.core, run);
    writer.engine_changed(*f.core.core, *f.core.core->engines().all().front());
    writer.nodes_changed(run, {run.root_node});
    writer.analysis_removed(run.record.id);
    REQUIRE(events.size() == 6);
    CHECK(json::parse(events[0].data_by_link) == shown);
    CHECK(events[1].data_by_link.empty()); // its place in the queue is not theirs
    CHECK(json::parse(events[2].data_by_link)["name"] == "renamed");
    CHECK(json::parse(events[2].data_by_link) == ask("/analyses/3"));
    for (std::size_t i = 3; i < 6; ++i) {
        CHECK(events[i].data_by_link.empty());
    }
}
