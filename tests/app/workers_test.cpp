// `adjourn worker`: other processes answer a server's questions, are killed and stopped, and the
// tree is the one that the server grows alone.
#include "program.hpp"

#include "temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <thread>

using namespace adjourn;
using namespace adjourn::server;
using nlohmann::json;

namespace {

const std::string wanted_tree = R"({"position":{"moves":"1. d4 d5 2. c4"},"limit":{"depth":6},)"
                                R"("strategy":{"kind":"halving","move_distance":25,"refine":3}})";

json until(const RunningServer& server, const std::string& target,
           const std::function<bool(const json&)>& enough) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes{2};
    while (true) {
        json answer = server.get(target);
        if (enough(answer)) {
            return answer;
        }
        INFO(answer.dump());
        REQUIRE(std::chrono::steady_clock::now() < end);
        std::this_thread::sleep_for(std::chrono::milliseconds{5}); // between polls
    }
}

// What is settled, without moments and effort.
json tree_of(const std::string& data, const std::string& config) {
    const Finished run = run_program({"export", "1", "--format", "json", "--margin", "1000",
                                      "--config", config, "--data", data});
    INFO(run.errors);
    REQUIRE(run.code == 0);
    json tree = json::parse(run.output);
    const std::function<void(json&)> clean = [&](json& value) {
        if (value.is_object()) {
            for (const char* key : {"at", "created_at", "engine_seconds"}) {
                value.erase(key);
            }
        }
        if (value.is_structured()) {
            for (json& part : value) {
                clean(part);
            }
        }
    };
    clean(tree);
    return tree;
}

std::filesystem::path config_of(const std::filesystem::path& directory, const std::string& more,
                                int count, int answer_ms) {
    std::filesystem::create_directories(directory);
    const auto engine = write_config(directory, count, answer_ms, EngineKind::reproducible);
    std::ifstream in{engine};
    const std::string text{std::istreambuf_iterator<char>{in}, {}};
    in.close();
    std::ofstream{engine} << more << text;
    return engine;
}

void write_secret(const std::filesystem::path& file, const std::string& secret) {
    std::ofstream{file} << secret << '\n';
    std::filesystem::permissions(file, std::filesystem::perms::owner_read |
                                           std::filesystem::perms::owner_write);
}

std::uint64_t answered(const json& workers, const std::string& name) {
    for (const json& machine : workers["machines"]) {
        if (machine["name"] == name) {
            return machine["answered"];
        }
    }
    return 0;
}

std::string state(const json& workers, const std::string& name) {
    std::string state = "none";
    for (const json& machine : workers["machines"]) {
        if (machine["name"] == name && state != "working" && state != "idle") {
            state = machine["state"];
        }
    }
    return state;
}

} // namespace

TEST_CASE("program: workers that are killed and stopped leave the tree of one machine",
          "[reliability]") {
    TemporaryDirectory directory;
    const auto config =
        config_of(directory.path() / "server",
                  "token = \"secret\"\nworker_token = \"work\"\nworker_lease_seconds = 2\n", 1, 25);
    const auto theirs = config_of(directory.path() / "worker", "", 2, 25);
    const auto secret = directory.path() / "work";
    write_secret(secret, "work");

    const std::string alone = (directory.path() / "alone").string();
    {
        RunningServer server{alone, config};
        server.show("secret");
        REQUIRE(server.request("POST", "/analyses", wanted_tree).first == 201);
        until(server, "/analyses/1", [](const json& a) { return a["state"] == "settled"; });
        CHECK(server.interrupt() == 0);
    }

    const std::string together = (directory.path() / "together").string();
    RunningServer server{together, config};
    server.show("secret");
    const std::string url = "http://127.0.0.1:" + std::to_string(server.port());
    const auto worker = [&](const std::string& name) {
        return std::make_unique<RunningProgram>(
            std::vector<std::string>{"worker", "--server", url, "--token-file", secret.string(),
                                     "--config", theirs.string(), "--name", name});
    };
    auto killed = worker("killed");
    auto stopped = worker("stopped");
    until(server, "/workers", [](const json& w) { return w["machines"].size() == 2; });
    REQUIRE(server.request("POST", "/analyses", wanted_tree).first == 201);
    until(server, "/workers",
          [](const json& w) { return answered(w, "killed") >= 5 && answered(w, "stopped") >= 5; });
    killed->signal(SIGKILL);
    stopped->signal(SIGSTOP);
    until(server, "/workers", [](const json& w) {
        return state(w, "killed") == "away" && state(w, "stopped") == "away";
    });
    stopped->signal(SIGCONT);
    until(server, "/workers", [](const json& w) { return state(w, "stopped") != "away"; });
    auto third = worker("third");
    until(server, "/analyses/1", [](const json& a) { return a["state"] == "settled"; });
    CHECK(answered(server.get("/workers"), "third") > 0);

    const auto began = std::chrono::steady_clock::now();
    CHECK(third->interrupt() == 0);
    CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds{5});
    until(server, "/workers", [](const json& w) { return state(w, "third") == "none"; });
    const auto stops = std::chrono::steady_clock::now();
    CHECK(server.interrupt() == 0); // though a machine waits for questions
    CHECK(std::chrono::steady_clock::now() - stops < std::chrono::seconds{10});
    CHECK(tree_of(together, config.string()) == tree_of(alone, config.string()));
    const Finished check = run_program({"check", "--data", together});
    INFO(check.output << check.errors);
    CHECK(check.code == 0);
    CHECK(stopped->interrupt() == 0); // while its server is away
}

TEST_CASE("program: a worker that is of no use says why") {
    TemporaryDirectory directory;
    const auto config = config_of(directory.path() / "server",
                                  "token = \"secret\"\nread_token = \"look\"\n"
                                  "worker_token = \"work\"\n",
                                  1, 0);
    const auto theirs = config_of(directory.path() / "worker", "", 1, 5);
    const auto secret = directory.path() / "token";
    RunningServer server{directory.path() / "data", config};
    server.show("secret");
    until(server, "/engines", [](const json& e) { return !e["engines"][0]["identity"].is_null(); });
    const std::string url = "http://127.0.0.1:" + std::to_string(server.port());
    const auto says = [&](const std::string& token, const std::filesystem::path& with,
                          const std::string& to) {
        write_secret(secret, token);
        const Finished run = run_program(
            {"worker", "--server", to, "--token-file", secret.string(), "--config", with.string()});
        INFO(run.output << run.errors);
        CHECK(run.code == 1);
        return run.errors;
    };
    CHECK(says("wrong", config, url).find("does not know this token") != std::string::npos);
    CHECK(says("look", config, url).find("this token is for reading") != std::string::npos);
    CHECK(says("work", theirs, url).find("option AnswerMs is '0' on the server and '5' on the") !=
          std::string::npos);
    CHECK(run_program({"worker", "--server", "ftp://nowhere"}).code == 2);
    CHECK(run_program({"worker"}).code == 2);
    const json refusals = server.get("/workers")["refusals"];
    REQUIRE(refusals.size() == 1);
    CHECK(refusals[0]["reason"].get<std::string>().find("AnswerMs") != std::string::npos);

    server.show("work"); // and nothing but this
    CHECK(server.request("GET", "/workers").first == 403);
    CHECK(server.request("GET", "/analyses").first == 403);
    CHECK(server.request("POST", "/analyses", wanted_tree).first == 403);
    CHECK(server.request("POST", "/tickets", "{}").first == 403);
    CHECK(server.request("PATCH", "/workers/1", R"({"drain":true})").first == 403);
    CHECK(server.request("DELETE", "/workers/1").first == 404);
}
