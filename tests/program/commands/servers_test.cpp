// Several servers on one database: readers show what the one that writes does.
#include "postgres_cluster.hpp"
#include "program.hpp"
#include "settled_tree.hpp"
#include "shared_data.hpp"
#include "temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <fstream>
#include <thread>

using namespace adjourn;
using namespace adjourn::server;
using nlohmann::json;

namespace {

bool missing() {
    const std::string why = PostgresCluster::missing();
    if (!why.empty()) {
        skip(why);
    }
    return !why.empty();
}

// Empty while it changes its role, and does not answer.
json health_of(const RunningServer& server) {
    const auto answer = server.try_request("GET", "/health");
    return answer ? json::parse(answer->second) : json::object();
}

// Asks for its health until it will do.
void answering(const RunningServer& server, const std::function<bool(const json&)>& enough) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes{3};
    for (json health = json::object(); health.empty() || !enough(health);) {
        REQUIRE(std::chrono::steady_clock::now() < end);
        std::this_thread::sleep_for(std::chrono::milliseconds{20}); // between polls
        health = health_of(server);
    }
}

// What a server shows of the first analysis, without what tells of its own engines.
json shown(const RunningServer& server) {
    json analysis = server.get("/analyses/1");
    for (const char* key : {"eta_seconds", "eta_range"}) {
        analysis.erase(key);
    }
    json tree = server.get("/analyses/1/tree");
    tree.erase("version"); // of each server its own
    return {analysis, tree, server.get("/analyses/1/history")};
}

} // namespace

TEST_CASE("program: a server that reads shows what another one does, and changes nothing") {
    if (missing()) {
        return;
    }
    const TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 2, 2, EngineKind::plain);
    const auto theirs = directory.path() / "reader.toml"; // with no engine that can be started
    std::ofstream{theirs} << "[[engine]]\nname = \"none\"\ncommand = [\"/nowhere\"]\n";
    PostgresCluster cluster{PostgresCluster::Durable::yes};
    const std::string url = cluster.new_database();
    RunningServer writer{url, config};
    RunningServer reader{url, theirs, "/dev/null", {"--read-only"}};
    CHECK(writer.get("/health")["role"] == "writer");
    CHECK(reader.get("/health")["role"] == "reader");
    CHECK(reader.get("/health")["writer_there"] == true);
    CHECK(reader.get("/engines")["engines"].empty());
    CHECK(reader.get("/analyses")["analyses"].empty());

    // A new one, its answers, and its end.
    REQUIRE(writer.request("POST", "/analyses", wanted_tree).first == 201);
    until(reader, "/analyses", [](const json& list) { return list["analyses"].size() == 1; });
    until(reader, "/analyses/1", [](const json& analysis) {
        return analysis["evaluations"]["new"] > 0 && !analysis["best"].is_null();
    });
    until(writer, "/analyses/1", settled);
    until(reader, "/analyses/1", settled);
    const auto same = [&](const char* what) {
        INFO(what);
        json wanted = shown(writer);
        until(reader, "/health", [&](const json&) { return shown(reader) == wanted; });
    };
    same("settled");

    // What people say and set.
    REQUIRE(writer
                .request("POST", "/analyses/1/directives",
                         R"({"moves":["d5c4"],"action":"note","text":"the exchange"})")
                .first == 201);
    until(reader, "/analyses/1/node?moves=d5c4",
          [](const json& said) { return said.dump().find("the exchange") != std::string::npos; });
    REQUIRE(
        writer.request("POST", "/analyses/1/directives", R"({"moves":["d5c4"],"action":"exclude"})")
            .first == 201);
    REQUIRE(writer.request("PATCH", "/analyses/1", R"({"name":"renamed","hold":true})").first ==
            200);
    until(reader, "/analyses/1", [](const json& analysis) {
        return analysis["name"] == "renamed" && analysis["state"] == "paused";
    });
    same("excluded");

    // It changes nothing.
    for (const auto& [method, target] :
         {std::pair{"POST", "/analyses"}, {"PATCH", "/analyses/1"}, {"DELETE", "/analyses/1"}}) {
        const auto [status, body] =
            reader.request(method, target, *method == 'D' ? "" : wanted_tree);
        INFO(body);
        CHECK(status == 403);
        CHECK(json::parse(body)["error"]["code"] == "read_only");
    }
    CHECK(writer.get("/analyses").dump().find("renamed") != std::string::npos);

    // It says so while the database is away, and follows again.
    cluster.crash();
    until(reader, "/health", [](const json& h) { return h["status"] == "store_failed"; });
    CHECK(reader.get("/analyses/1")["name"] == "renamed");
    cluster.start();
    until(writer, "/health", [](const json& h) { return h["status"] == "ok"; });
    const auto [status, made] = writer.request("POST", "/analyses", wanted_tree);
    REQUIRE(status == 201);
    const auto id = json::parse(made)["id"].get<int>();
    until(reader, "/health", [](const json& h) { return h["status"] == "ok"; });
    until(reader, "/analyses/" + std::to_string(id),
          [&](const json& analysis) { return analysis.value("id", 0) == id; });

    REQUIRE(writer.request("DELETE", "/analyses/1").first == 204);
    until(reader, "/analyses", [](const json& list) { return list["analyses"].size() == 1; });
    writer.kill();
    until(reader, "/health", [](const json& h) { return h["writer_there"] == false; });
    CHECK(reader.interrupt() == 0);
    const Finished check = run_program({"check", "--store", url});
    INFO(check.output << check.errors);
    CHECK(check.code == 0);
}

TEST_CASE("program: a server that reads or stands by needs a database with a store") {
    const TemporaryDirectory directory;
    const std::string data = directory.path() / "none";
    for (const char* role : {"--read-only", "--stand-by"}) {
        const Finished refused =
            run_program({"serve", role, "--data", data, "--listen", "127.0.0.1:0"});
        INFO(role << ": " << refused.output);
        CHECK(refused.code == 1);
        CHECK(refused.errors.find("only where it is a database: " + data + " is a directory") !=
              std::string::npos);
        CHECK_FALSE(std::filesystem::exists(data));
    }
    CHECK(run_program({"serve", "--read-only", "--demonstration"}).code == 2);
    if (!missing()) {
        const Finished empty =
            run_program({"serve", "--read-only", "--store", shared_cluster().new_database()});
        CHECK(empty.code == 1);
        CHECK(empty.errors.find("there is no store in") != std::string::npos);
    }
}

TEST_CASE("program: a server that stands by takes over when the one that works is killed",
          "[reliability]") {
    if (missing()) {
        return;
    }
    const TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 1, 10, EngineKind::reproducible);
    const std::string data = (directory.path() / "alone").string();
    {
        RunningServer server{data, config};
        REQUIRE(server.request("POST", "/analyses", wanted_tree).first == 201);
        until(server, "/analyses/1", settled);
        CHECK(server.interrupt() == 0);
    }
    const json alone = settled_tree("--data", data, config.string());

    PostgresCluster cluster{PostgresCluster::Durable::yes};
    const std::string url = cluster.new_database();
    const std::vector<std::string> stand_by{"--stand-by"};
    auto first = std::make_unique<RunningServer>(url, config, "/dev/null", stand_by);
    CHECK(first->get("/health")["role"] == "writer"); // nobody else works
    const auto log = directory.path() / "second.log";
    RunningServer second{url, config, log, stand_by};
    CHECK(second.get("/health")["role"] == "stand_by");
    CHECK(second.request("POST", "/analyses", wanted_tree).first == 403);
    REQUIRE(first->request("POST", "/analyses", wanted_tree).first == 201);
    const auto some = [](std::size_t least) {
        return [least](const json& analysis) {
            return analysis.contains("evaluations") && analysis["evaluations"]["new"] >= least;
        };
    };
    const std::size_t seen = until(second, "/analyses/1", some(15))["evaluations"]["new"];

    first->kill();
    answering(second, [](const json& health) { return health["role"] == "writer"; });
    CHECK(second.get("/analyses/1")["evaluations"]["new"] >= seen);
    CHECK(
        until(second, "/engines", [](const json& e) { return !e["engines"].empty(); }).is_object());
    until(second, "/analyses/1", some(seen + 15));

    // And the other way round.
    first = std::make_unique<RunningServer>(url, config, "/dev/null", stand_by);
    CHECK(first->get("/health")["role"] == "stand_by");
    second.kill();
    answering(*first, [](const json& health) { return health["role"] == "writer"; });
    until(*first, "/analyses/1", settled);
    CHECK(first->interrupt() == 0);

    const json tree = settled_tree("--store", url, config.string());
    CHECK(answer_of(tree) == answer_of(alone));
    CHECK(cluster
              .sql(url, "SELECT count(*) FROM (SELECT 1 FROM evaluations GROUP BY id >> 16, "
                        "engine, limit_kind, limit_amount, excluded HAVING count(*) > 1) twice")
              .starts_with("0"));
    const Finished check = run_program({"check", "--store", url});
    INFO(check.output << check.errors);
    CHECK(check.code == 0);
}

TEST_CASE("program: of two servers one works when the database was away", "[reliability]") {
    if (missing()) {
        return;
    }
    const TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 1, 2, EngineKind::reproducible);
    PostgresCluster cluster{PostgresCluster::Durable::yes};
    const std::string url = cluster.new_database();
    const std::vector<std::string> stand_by{"--stand-by"};
    const RunningServer one{url, config, "/dev/null", stand_by};
    const RunningServer two{url, config, "/dev/null", stand_by};
    cluster.crash();
    until(one, "/health", [](const json& h) { return h["status"] == "store_failed"; });
    cluster.start();
    // The writer tries again after ever longer pauses, so that the other one may be first.
    std::string roles;
    answering(one, [&](const json& health) {
        roles.clear();
        for (const json& each : {health, health_of(two)}) {
            roles += each.value("status", "") + " " + each.value("role", "") + "; ";
        }
        return roles == "ok writer; ok stand_by; " || roles == "ok stand_by; ok writer; ";
    });
    CHECK(roles.find("writer") != std::string::npos);
}
