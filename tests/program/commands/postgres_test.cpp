// The program on PostgreSQL: the same tree as on a directory, whatever dies on the way.
#include "bench/postgres/postgres_cluster.hpp"
#include "core_fixture.hpp"
#include "program.hpp"
#include "settled_tree.hpp"
#include "shared_data.hpp"

TEST_CASE("program: on PostgreSQL, killed and with the database restarted, the answer is the same",
          "[reliability]") {
    if (const std::string missing = PostgresCluster::missing(); !missing.empty()) {
        skip(missing);
        return;
    }
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 1, 2, EngineKind::reproducible);
    const std::string data = (directory.path() / "data").string();
    {
        RunningServer server{data, config};
        REQUIRE(server.request("POST", "/analyses", wanted_tree).first == 201);
        until(server, "/analyses/1", settled);
        CHECK(server.interrupt() == 0);
    }
    const json wanted = settled_tree("--data", data, config.string());

    PostgresCluster cluster{PostgresCluster::Durable::yes};
    const std::string url = cluster.new_database();
    const auto done = [](std::size_t least) {
        return [least](const json& analysis) {
            return analysis.contains("evaluations") && analysis["evaluations"]["new"] >= least;
        };
    };
    std::size_t acknowledged = 0;
    {
        RunningServer server{url, config};
        REQUIRE(server.request("POST", "/analyses", wanted_tree).first == 201);
        acknowledged = until(server, "/analyses/1", done(15))["evaluations"]["new"];
        const Finished second = run_program({"serve", "--store", url, "--listen", "127.0.0.1:0"});
        CHECK(second.code == 1);
        CHECK(second.errors.find("is in use by another Adjourn (http://127.0.0.1:") !=
              std::string::npos);
        server.kill();
    }
    {
        RunningServer server{url, config};
        CHECK(server.get("/analyses/1")["evaluations"]["new"] >= acknowledged);
        acknowledged = until(server, "/analyses/1", done(acknowledged + 15))["evaluations"]["new"];
        cluster.crash();
        until(server, "/health", [](const json& h) { return h["status"] == "store_failed"; });
        const auto [status, metrics] = server.request("GET", "/metrics");
        CHECK(status == 200);
        CHECK(metrics.find("\nadjourn_store_up 0\n") != std::string::npos);
        CHECK(server.get("/analyses/1")["evaluations"]["new"] >= acknowledged);
        cluster.start();
        until(server, "/health", [](const json& h) { return h["status"] == "ok"; });
        until(server, "/analyses/1", settled);
        CHECK(server.interrupt() == 0);
    }
    const json tree = settled_tree("--store", url, config.string());
    CHECK(answer_of(tree) == answer_of(wanted));
    const Finished check = run_program({"check", "--store", url});
    INFO(check.output << check.errors);
    CHECK(check.code == 0);
    const Finished doctor = run_program(
        {"doctor", "--store", url, "--config", config.string(), "--listen", "127.0.0.1:0"});
    CHECK(doctor.output.find("store: ") != std::string::npos);

    // And back to a directory.
    const std::string back = (directory.path() / "back").string();
    const Finished copied = run_program({"copy", "--from", url, "--to", back});
    INFO(copied.output << copied.errors);
    REQUIRE(copied.code == 0);
    CHECK(copied.output.find("copied and checked: ") != std::string::npos);
    CHECK(settled_tree("--data", back, config.string()) == tree);
    CHECK(run_program({"check", "--data", back}).code == 0);
    CHECK(run_program({"copy", "--from", url, "--to", back}).code == 1);
}

TEST_CASE("program: what is no store is refused") {
    const auto code = [](const std::vector<std::string>& words) { return run_program(words).code; };
    CHECK(code({"analyse", "1. e4", "--store", "games"}) == 2);
    CHECK(code({"analyse", "1. e4", "--store", "postgresql:///games", "--data", "/tmp"}) == 2);
    CHECK(code({"check", "--store", "postgresql:///games?host=/nowhere"}) == 1);
    CHECK(code({"check", "--store", "postgresql:///games", "--repair", "/nowhere"}) == 2);
}

TEST_CASE("program: the configuration can name the database") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 1, 0, EngineKind::reproducible);
    const std::string data = (directory.path() / "data").string();
    const auto analyse = [&](const std::vector<std::string>& where) {
        std::vector<std::string> words{"analyse",    "1. d4",    "--depth",      "4",
                                       "--distance", "10",       "--refine",     "1",
                                       "--json",     "--config", config.string()};
        words.insert(words.end(), where.begin(), where.end());
        return run_program(words);
    };
    REQUIRE(analyse({"--data", data}).code == 0);
    std::ifstream in{config};
    const std::string rest{std::istreambuf_iterator<char>{in}, {}};
    std::ofstream{config} << "store = \"games\"\n" << rest;
    CHECK(run_program({"check", "--config", config.string()}).code == 2); // no URL
    std::ofstream{config} << "store = \"postgresql:///games?host=/nowhere\"\n" << rest;
    CHECK(run_program({"check", "--config", config.string(), "--data", data}).code == 0);
    const Finished nowhere = run_program({"check", "--config", config.string()});
    CHECK(nowhere.code == 1);
    CHECK(nowhere.errors.find("/nowhere") != std::string::npos);
    if (const std::string missing = PostgresCluster::missing(); !missing.empty()) {
        skip(missing);
        return;
    }
    const std::string url = shared_cluster().new_database();
    std::ofstream{config} << "store = \"" << url << "\"\n" << rest;
    REQUIRE(run_program({"copy", "--from", data, "--to", url}).code == 0);
    const Finished known = analyse({});
    INFO(known.output << known.errors);
    REQUIRE(known.code == 0);
    CHECK(json::parse(known.output)["evaluations"]["new"] == 0); // all of it came along
}
