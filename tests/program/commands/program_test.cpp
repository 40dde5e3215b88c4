// The program from the outside: commands, exit codes, kill -9.
#include "core_fixture.hpp"
#include "settled_tree.hpp"
#include "shared_data.hpp"
#include "spent.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace {

constexpr const char* spanish = "1. e4 e5 2. Nf3 Nc6 3. Bb5";

} // namespace

TEST_CASE("program: analyse settles, writes a PGN, and asks nothing the second time") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 2, 1).string();
    const auto data = (directory.path() / "data").string();
    const auto pgn = (directory.path() / "out.pgn").string();
    const std::vector<std::string> arguments{
        "analyse",  spanish, "--depth", "8",  "--distance", "20", "--refine", "3",
        "--config", config,  "--data",  data, "--pgn",      pgn,  "--json"};
    const Finished first = run_program(arguments);
    INFO(first.errors);
    REQUIRE(first.code == 0);
    const json result = json::parse(first.output);
    CHECK(result["settled"] == 3);
    CHECK(result["refine"] == 3);
    CHECK(result["evaluations"]["new"].get<int>() > 10);
    const json again = json::parse(run_program(arguments).output);
    CHECK(again["evaluations"]["new"] == 0);
    CHECK(again["evaluations"]["unneeded"] == 0);
    const json& before = result["evaluations"];
    CHECK(again["evaluations"]["reused"].get<int>() ==
          before["new"].get<int>() + before["reused"].get<int>() - before["unneeded"].get<int>());
    CHECK(again["nodes"] == 0);
    for (const char* same : {"best", "pv", "positions", "id"}) {
        CHECK(again[same] == result[same]);
    }
    const Finished check = run_program({"check", "--data", data});
    CHECK(check.code == 0);
    CHECK(check.output.find("sound: ") == 0);
    if (const auto tool = pgn_extract()) {
        const Finished read = run_command({*tool, "-s", "-r", pgn});
        CHECK(read.code == 0);
        CHECK(read.output.empty());
        CHECK(read.errors.empty());
    } else {
        skip("pgn-extract is not installed: the PGN was not read back");
    }
}

TEST_CASE("program: the line of an analysis begins with its answer, whatever alpha says") {
    const Place place;
    std::size_t differing = 0;
    for (const char* position : {"1. Nf3", "1. e4 c5"}) { // in the latter they differ
        INFO(position);
        const json result =
            place.done({"analyse", position, "--depth", "4", "--distance", "40", "--refine", "2"});
        REQUIRE_FALSE(result["pv"].empty());
        CHECK(result["pv"][0] == result["best"]["san"]);
        const json& best = result["best"];
        differing += best.contains("tree") && best["tree"]["uci"] != best["uci"] ? 1 : 0;
    }
    CHECK(differing > 0); // or this would test nothing
}

TEST_CASE("program: a configuration, an engine or a directory that cannot be used is named") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 1, 1).string();
    const auto data = (directory.path() / "data").string();
    CHECK(run_program({"check", "--data", data}).code == 1);
    const auto broken = directory.path() / "broken.toml";
    std::ofstream{broken} << "[[engine]]\nname = \"x\"\ncommand = [\"/nowhere/engine\"]\n";
    const Finished missing =
        run_program({"analyse", "startpos", "--config", broken.string(), "--data", data});
    CHECK(missing.code == 1);
    CHECK(missing.errors.find("/nowhere/engine") != std::string::npos);
    std::ofstream{broken} << "[[engine]]\nname = 5\n";
    const Finished wrong = run_program({"serve", "--config", broken.string(), "--data", data});
    CHECK(wrong.code == 2);
    CHECK(wrong.errors.find("broken.toml:2:8") != std::string::npos);
    std::ofstream{directory.path() / "file"} << "x";
    const Finished file = run_program({"analyse", "startpos", "--config", config, "--data",
                                       (directory.path() / "file").string()});
    CHECK(file.code == 1);
    CHECK(file.errors.find("file") != std::string::npos);
    const auto closed = directory.path() / "closed";
    REQUIRE(mkdir(closed.c_str(), 0555) == 0);
    std::vector<std::string> command;
    if (geteuid() == 0) { // the superuser without the right to override permissions
        command = {"setpriv", "--bounding-set=-all", "--inh-caps=-all"};
    }
    for (const auto& word : {program_path().string(), std::string{"serve"}, std::string{"--config"},
                             config, std::string{"--data"}, closed.string()}) {
        command.push_back(word);
    }
    const Finished read_only = run_command(command);
    CHECK(read_only.code == 1);
    CHECK(read_only.errors.find("cannot write in " + closed.string()) != std::string::npos);
}

TEST_CASE("program: a directory in use is worked through its server; Ctrl-C stops cleanly") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 2, 1);
    const auto data = directory.path() / "data";
    RunningServer server{data, config};
    const Finished second = run_program(
        {"serve", "--config", config.string(), "--data", data.string(), "--listen", "127.0.0.1:0"});
    CHECK(second.code == 1);
    CHECK(second.errors.find(std::to_string(server.port())) != std::string::npos);
    const Finished analyse =
        run_program({"analyse", spanish, "--depth", "8", "--refine", "2", "--config",
                     config.string(), "--data", data.string(), "--json"});
    INFO(analyse.errors);
    REQUIRE(analyse.code == 0);
    const json result = json::parse(analyse.output);
    CHECK(result["settled"] == 2);
    CHECK(server.get("/analyses/" + result["id"].dump())["state"] == "settled");
    const Finished pgn = run_program(
        {"export", result["id"].dump(), "--config", config.string(), "--data", data.string()});
    CHECK(pgn.code == 0);
    CHECK(pgn.output.find("[%eval ") != std::string::npos);
    CHECK(server.interrupt() == 0);
    CHECK(run_program({"check", "--data", data.string()}).code == 0);
}

TEST_CASE("program: kill -9 at random moments loses and repeats nothing", "[slow]") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 1, 4);
    const auto data = directory.path() / "data";
    std::mt19937 random{20'261'121};
    std::vector<std::string> known;
    for (int round = 0; round < 4; ++round) {
        std::uint64_t acknowledged = known.size();
        {
            RunningServer server{data, config};
            if (round == 0) {
                const auto [status, body] = server.request(
                    "POST", "/analyses",
                    R"({"position":{"moves":"1. e4 e5"},"limit":{"depth":8},"strategy":{"kind":"halving","move_distance":30}})");
                REQUIRE(status == 201);
            }
            // It goes on by itself: wait for the first new answer, then for a random moment.
            json health;
            do {
                health = server.get("/health");
            } while (health["store"]["evaluations"].get<std::uint64_t>() <= acknowledged);
            std::this_thread::sleep_for(std::chrono::microseconds{random() % 60'000});
            acknowledged = server.get("/health")["store"]["evaluations"];
            server.kill();
        }
        INFO("round " << round);
        const auto store = storage::open_store(data, storage::OpenMode::read);
        std::vector<std::string> stored = facts_of(*store, store->engines().front().id);
        REQUIRE(stored.size() >= acknowledged);
        REQUIRE(std::ranges::adjacent_find(stored) == stored.end());
        REQUIRE(std::ranges::includes(stored, known));
        known = std::move(stored);
    }
    // What was asked twice would have been paid twice.
    const auto store = storage::open_store(data, storage::OpenMode::read);
    const Spent spent = spent_in(*store);
    const storage::UsageRecord usage = store->usage(analysis::AnalysisId{1});
    CHECK(usage.evaluations_new == spent.evaluations);
    CHECK(usage.nodes == spent.nodes);
    CHECK(usage.engine_ms == spent.ms);
    CHECK(run_program({"check", "--data", data.string()}).code == 0);
}
