// `adjourn worker`: other processes answer a server's questions, are killed and stopped, and the
// tree settles as that of the server alone.
#include "program.hpp"
#include "settled_tree.hpp"

namespace {

std::filesystem::path config_of(const std::filesystem::path& directory, const std::string& more,
                                int count, int answer_ms) {
    std::filesystem::create_directories(directory);
    const auto engine = write_config(directory, count, answer_ms, EngineKind::plain);
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

// A server, by HTTP or in a database, with machines that are killed and stopped while it grows a
// tree.
struct Cluster {
    TemporaryDirectory directory;
    std::filesystem::path config =
        config_of(directory.path() / "server",
                  "token = \"secret\"\nworker_token = \"work\"\nworker_lease_seconds = 2\n", 1, 25);
    std::filesystem::path theirs = config_of(directory.path() / "worker", "", 2, 25);
    std::filesystem::path secret = directory.path() / "work";

    Cluster() { write_secret(secret, "work"); }

    // Where the questions are is `way`: {"--server", URL} or {"--store", URL}.
    std::unique_ptr<RunningProgram> worker(const std::string& name, std::vector<std::string> way) {
        std::vector<std::string> words{"worker", "--config", theirs.string(), "--name", name};
        words.insert(words.end(), way.begin(), way.end());
        return std::make_unique<RunningProgram>(words, directory.path() / (name + ".log"));
    }
};

} // namespace

TEST_CASE("program: workers that are killed and stopped lose nothing of a tree", "[reliability]") {
    Cluster cluster;
    const std::string data = (cluster.directory.path() / "together").string();
    RunningServer server{data, cluster.config};
    server.show("secret");
    const std::vector<std::string> way{"--server",
                                       "http://127.0.0.1:" + std::to_string(server.port()),
                                       "--token-file", cluster.secret.string()};
    auto killed = cluster.worker("killed", way);
    auto stopped = cluster.worker("stopped", way);
    until(server, "/workers", [](const json& w) { return w["machines"].size() == 2; });
    REQUIRE(server.request("POST", "/analyses", wanted_tree).first == 201);
    until(server, "/workers",
          [](const json& w) { return answered(w, "killed") >= 5 && answered(w, "stopped") >= 5; });
    killed->signal(SIGKILL);
    stopped->signal(SIGSTOP);
    until(server, "/workers", [](const json& w) {
        return state(w, "killed") == "away" && state(w, "stopped") == "away";
    });
    auto third = cluster.worker("third", way);
    until(server, "/workers", [](const json& w) { return answered(w, "third") > 0; });
    stopped->signal(SIGCONT);
    until(server, "/workers", [](const json& w) { return state(w, "stopped") != "away"; });
    until(server, "/analyses/1", settled);

    // Before the 25 s are over that a worker may wait for a question.
    const auto began = std::chrono::steady_clock::now();
    CHECK(third->interrupt() == 0);
    CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds{20});
    until(server, "/workers", [](const json& w) { return state(w, "third") == "none"; });
    const auto stops = std::chrono::steady_clock::now();
    CHECK(server.interrupt() == 0); // though a machine waits for questions
    CHECK(std::chrono::steady_clock::now() - stops < std::chrono::seconds{20});
    CHECK(stopped->interrupt() == 0); // while its server is away
    CHECK(settled_tree("--data", data, cluster.config.string())["analysis"]["settled"] == 3);
    CHECK(run_program({"check", "--data", data}).code == 0);
}

TEST_CASE("program: a worker that is told several servers works for the first that is there",
          "[reliability]") {
    Cluster cluster;
    const auto serve = [&](const std::string& name) {
        auto server =
            std::make_unique<RunningServer>(cluster.directory.path() / name, cluster.config);
        server->show("secret");
        return server;
    };
    const auto dead = serve("dead");
    const auto first = serve("first");
    const auto second = serve("second");
    std::vector<std::string> way{"--token-file", cluster.secret.string()};
    for (const auto* server : {&dead, &first, &second}) {
        way.insert(way.end(),
                   {"--server", "http://127.0.0.1:" + std::to_string((*server)->port())});
    }
    dead->kill();
    const auto worker = cluster.worker("worker", way);
    for (const auto* server : {&first, &second}) {
        REQUIRE((*server)->request("POST", "/analyses", wanted_tree).first == 201);
        until(**server, "/workers", [](const json& w) { return answered(w, "worker") >= 5; });
        (*server)->kill();
    }
    CHECK(worker->interrupt() == 0);
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
    CHECK(run_program({"worker", "--store", "/tmp"}).code == 2);
    CHECK(run_program({"worker", "--store", "postgresql:///games", "--server", url}).code == 2);
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
