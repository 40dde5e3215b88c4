// The program on real engine processes: reproducible mode, engines killed.
#include "core_fixture.hpp"
#include "program.hpp"

namespace {

std::string create(const RunningServer& server, const json& analysis) {
    const auto [status, body] = server.request("POST", "/analyses", analysis.dump());
    INFO(body);
    REQUIRE(status == 201);
    return json::parse(body)["id"].dump();
}

// The moments of the answers are no part of what is reproduced.
void erase_times(json& value) {
    if (value.is_object()) {
        value.erase("at");
        value.erase("engine_seconds");
    }
    if (value.is_structured()) {
        for (json& part : value) {
            erase_times(part);
        }
    }
}

std::vector<std::string> facts_in(const std::filesystem::path& data) {
    const auto store = storage::open_store(data, storage::OpenMode::read);
    REQUIRE(store->engines().size() == 1);
    return facts_of(*store, store->engines().front().id);
}

// `lives`: how many times it is ended, by kill -9 and Ctrl-C in turn, one tree each.
void is_one_tree(std::initializer_list<int> lives) {
    const json wanted{{"position", {{"moves", "1. Nf3 Nf6"}}},
                      {"limit", {{"depth", 5}}},
                      {"strategy", {{"kind", "halving"}, {"move_distance", 25}, {"refine", 3}}}};
    json expected;
    for (const int ends : lives) {
        TemporaryDirectory directory;
        const auto data = directory.path() / "data";
        const auto config = write_config(directory.path(), 1, 1, EngineKind::reproducible);
        std::string path;
        for (int life = 0; life <= ends; ++life) {
            RunningServer server{data, config};
            if (life == 0) {
                path = "/analyses/" + create(server, wanted);
            }
            const auto settled = [&] { return server.get(path)["state"] == "settled"; };
            const std::size_t before = server.get(path)["evaluations"]["new"];
            while (!settled() &&
                   (life == ends || server.get(path)["evaluations"]["new"] <
                                        before + 20 + 7 * static_cast<unsigned>(life))) {
                std::this_thread::sleep_for(std::chrono::milliseconds{10}); // between polls
            }
            if (life < ends) {
                life % 2 == 0 ? server.kill() : static_cast<void>(server.interrupt());
                continue;
            }
            const auto [status, tree] =
                server.request("GET", path + "/export?format=json&margin=1000");
            REQUIRE(status == 200);
            json shown{{"tree", json::parse(tree)}, {"levels", server.get(path + "/history")}};
            shown["tree"].erase("analysis");
            erase_times(shown);
            expected = ends == 0 ? shown : expected;
            CHECK(shown == expected);
        }
    }
}

} // namespace

TEST_CASE("program: a reproducible tree is the same after any number of ends", "[.][deep]") {
    is_one_tree({0, 3, 4});
}

TEST_CASE("program: engines killed at random lose nothing, and all of them work again") {
    TemporaryDirectory directory;
    const auto data = directory.path() / "data";
    constexpr int engines = 4;
    RunningServer server{data, write_config(directory.path(), engines, 3, EngineKind::plain)};
    const std::string id =
        create(server, {{"position", {{"moves", "1. e4 e5"}}},
                        {"limit", {{"depth", 8}}},
                        {"strategy", {{"kind", "halving"}, {"move_distance", 40}}}});
    const auto processes = [&] { return server.get("/engines")["engines"][0]["processes"]; };
    // A question at which engines die three times is given up; a tree that is wide enough already
    // goes on without.
    while (server.get("/health")["store"]["evaluations"].get<std::uint64_t>() < 50) {
        std::this_thread::sleep_for(std::chrono::milliseconds{10}); // between polls
    }
    std::mt19937 random{20'261'122};
    std::uint64_t acknowledged = 0;
    std::set<int> killed;
    for (int i = 0; i < 12; ++i) {
        int pid = 0;
        while (pid == 0) { // one that searches, and was not killed before
            const json process = processes()[random() % engines];
            if (process["state"] == "searching" && !killed.contains(process["pid"].get<int>())) {
                pid = process["pid"];
            }
        }
        REQUIRE(::kill(pid, SIGKILL) == 0);
        killed.insert(pid);
        const std::uint64_t now = server.get("/health")["store"]["evaluations"];
        CHECK(now >= acknowledged);
        acknowledged = now;
    }
    // Every process, old or new, goes on answering.
    std::vector<std::uint64_t> jobs;
    for (const json& process : processes()) {
        jobs.push_back(process["jobs"]);
    }
    for (std::size_t i = 0; i < engines; ++i) {
        while (processes()[i]["jobs"].get<std::uint64_t>() < jobs[i] + 20) {
            std::this_thread::sleep_for(std::chrono::milliseconds{10}); // between polls
        }
    }
    int restarts = 0;
    for (const json& process : processes()) {
        restarts += process["restarts"].get<int>();
        CHECK_FALSE(killed.contains(process["pid"].get<int>()));
    }
    CHECK(restarts == 12);
    CHECK(server.get("/analyses/" + id)["state"] == "running");
    CHECK(server.get("/health")["store"]["evaluations"].get<std::uint64_t>() > acknowledged);
    CHECK(server.interrupt() == 0);
    const auto facts = facts_in(data);
    CHECK(facts.size() >= acknowledged);
    const Finished check = run_program({"check", "--data", data.string()});
    INFO(check.output);
    CHECK(check.code == 0);
}
