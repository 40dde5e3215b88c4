// Several servers on one database: one works, the others stand by.
#include "bench/postgres/postgres_cluster.hpp"
#include "program.hpp"
#include "settled_tree.hpp"
#include "shared_data.hpp"

namespace {

bool missing() {
    const std::string why = PostgresCluster::missing();
    if (!why.empty()) {
        skip(why);
    }
    return !why.empty();
}

void wait_until(const std::function<bool()>& enough) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes{3};
    while (!enough()) {
        REQUIRE(std::chrono::steady_clock::now() < end);
        std::this_thread::sleep_for(std::chrono::milliseconds{20}); // between polls
    }
}

// Whether it works, and can.
bool is_well(RunningServer& server) {
    if (server.stands_by()) {
        return false;
    }
    const auto answer = server.try_request("GET", "/health");
    return answer && answer->first == 200;
}

} // namespace

TEST_CASE("program: a server that stands by needs a database") {
    const TemporaryDirectory directory;
    const std::string data = directory.path() / "none";
    const Finished refused =
        run_program({"serve", "--stand-by", "--data", data, "--listen", "127.0.0.1:0"});
    INFO(refused.output);
    CHECK(refused.code == 1);
    CHECK(refused.errors.find("only where the store is a database: " + data + " is a directory") !=
          std::string::npos);
    CHECK_FALSE(std::filesystem::exists(data));
}

TEST_CASE("program: a server that stands by takes over when the one that works is killed",
          "[reliability]") {
    if (missing()) {
        return;
    }
    const TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 1, 10, EngineKind::reproducible);
    PostgresCluster cluster{PostgresCluster::Durable::yes};
    const std::string url = cluster.new_database();
    const std::vector<std::string> stand_by{"--stand-by"};
    auto first = std::make_unique<RunningServer>(url, config, "/dev/null", stand_by);
    CHECK_FALSE(first->stands_by()); // nobody else works
    RunningServer second{url, config, directory.path() / "second.log", stand_by};
    CHECK(second.stands_by());
    REQUIRE(first->request("POST", "/analyses", wanted_tree).first == 201);
    const auto some = [](std::size_t least) {
        return [least](const json& analysis) {
            return analysis.contains("evaluations") && analysis["evaluations"]["new"] >= least;
        };
    };
    const std::size_t seen = until(*first, "/analyses/1", some(15))["evaluations"]["new"];
    CHECK(second.stands_by());

    first->kill();
    wait_until([&] { return is_well(second); });
    CHECK(second.get("/analyses/1")["evaluations"]["new"] >= seen);
    CHECK(
        until(second, "/engines", [](const json& e) { return !e["engines"].empty(); }).is_object());
    until(second, "/analyses/1", some(seen + 15));

    // And the other way round.
    first = std::make_unique<RunningServer>(url, config, "/dev/null", stand_by);
    CHECK(first->stands_by());
    second.kill();
    wait_until([&] { return is_well(*first); });
    until(*first, "/analyses/1", settled);

    // One that stands by can be ended like any other.
    RunningServer third{url, config, "/dev/null", stand_by};
    CHECK(third.stands_by());
    CHECK(third.interrupt() == 0);
    CHECK(first->interrupt() == 0);

    const json tree = settled_tree("--store", url, config.string());
    CHECK(tree["analysis"]["settled"] == 3);
    CHECK(cluster
              .sql(url, "SELECT count(*) FROM (SELECT 1 FROM evaluations GROUP BY id >> 16, "
                        "engine, limit_kind, limit_amount, excluded HAVING count(*) > 1) twice")
              .starts_with("0"));
    const Finished check = run_program({"check", "--store", url});
    INFO(check.output << check.errors);
    CHECK(check.code == 0);
}
