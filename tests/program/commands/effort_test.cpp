// Effort never falls back, whatever ends the program, and what is the same analysis goes on.
#include "program.hpp"
#include "spent.hpp"
#include "storage/open.hpp"
#include "temporary_directory.hpp"

TEST_CASE("program: a budget of engine seconds holds over kill -9 in the middle of a level") {
    constexpr int processes = 2;
    constexpr double budget = 3.0;
    TemporaryDirectory directory;
    const auto data = directory.path() / "data";
    const auto config = write_config(directory.path(), processes, 20, EngineKind::plain);
    std::string path;
    // Killed each time that another second was spent: none of it is forgotten.
    for (const double until : {1.0, 2.0, budget}) {
        RunningServer server{data, config};
        if (path.empty()) {
            const json wanted{
                {"position", {{"moves", "1. e4"}}},
                {"limit", {{"depth", 6}}},
                {"strategy", {{"kind", "uniform"}, {"move_distance", 300}, {"refine", 20}}},
                {"budget", {{"engine_seconds", budget}}}};
            const auto [status, body] = server.request("POST", "/analyses", wanted.dump());
            INFO(body);
            REQUIRE(status == 201);
            path = "/analyses/" + json::parse(body)["id"].dump();
        }
        json now = server.get(path);
        while (now["engine_seconds"].get<double>() < until && now["state"] != "exhausted") {
            std::this_thread::sleep_for(std::chrono::milliseconds{5}); // between polls
            now = server.get(path);
        }
        if (until == budget) {
            while (server.get(path)["state"] != "exhausted") {
                std::this_thread::sleep_for(std::chrono::milliseconds{5});
            }
        }
        server.kill();
    }
    const auto store = storage::open_store(data, storage::OpenMode::read);
    const Spent spent = spent_in(*store);
    // Two questions a process may be out when the budget ends, all longer than was expected.
    CHECK(spent.ms <= static_cast<std::uint64_t>(budget * 1000) + 2 * processes * spent.longest_ms);
    CHECK(spent.ms >= static_cast<std::uint64_t>(budget * 1000));
    const storage::UsageRecord usage = store->usage(analysis::AnalysisId{1});
    CHECK(usage.evaluations_new == spent.evaluations);
    CHECK(usage.nodes == spent.nodes);
    CHECK(usage.engine_ms == spent.ms);
    CHECK(store->asked(analysis::AnalysisId{1}).size() == spent.evaluations);
    CHECK(store->check().empty());
}

TEST_CASE("program: analyse the second time has nothing new, reuses the tree, and has no waste") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 2, 0, EngineKind::plain).string();
    const auto data = (directory.path() / "data").string();
    for (const char* positions : {"1000000", "8"}) {
        const std::vector<std::string> arguments{
            "analyse",  "1. d4", "--depth",     "6",       "--distance", "40", "--refine", "2",
            "--config", config,  "--positions", positions, "--data",     data, "--json"};
        const Finished first = run_program(arguments);
        INFO(first.errors);
        REQUIRE(first.code == 0);
        const json before = json::parse(first.output)["evaluations"];
        const Finished second = run_program(arguments);
        REQUIRE(second.code == 0);
        const json after = json::parse(second.output)["evaluations"];
        INFO(before << after);
        CHECK(after["new"] == 0);
        CHECK(after["unneeded"] == 0);
        CHECK(after["reused"].get<int>() == before["new"].get<int>() + before["reused"].get<int>() -
                                                before["unneeded"].get<int>());
    }
}

TEST_CASE("program: analyse with another --stop-levels is another analysis") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 1, 1).string();
    const auto data = (directory.path() / "data").string();
    const auto id_of = [&](const char* levels) {
        const Finished run =
            run_program({"analyse", "1. e4", "--depth", "6", "--refine", "1", "--stop-lead", "2",
                         "--stop-levels", levels, "--config", config, "--data", data, "--json"});
        INFO(run.errors);
        REQUIRE(run.code == 0);
        return json::parse(run.output)["id"].get<int>();
    };
    CHECK(id_of("2") == 1);
    CHECK(id_of("9") == 2);
    CHECK(id_of("2") == 1);
}
