// The program and what happens to its data directory from outside.
#include "../../storage/raw.hpp"
#include "program.hpp"
#include "temporary_directory.hpp"

namespace {

// Asks for the health until it says so; false after two minutes.
bool wait_for_status(const RunningServer& server, const std::string& status) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes{2};
    while (std::chrono::steady_clock::now() < end) {
        if (json::parse(server.request("GET", "/health").second)["status"] == status) {
            return true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds{20});
    }
    return false;
}

const char* const wanted =
    R"({"position":{"moves":"1. e4"},"limit":{"depth":8},"strategy":{"kind":"halving","refine":0}})";

} // namespace

TEST_CASE("program: a data directory removed under the server is noticed, and worked on when it is "
          "back; the end says if it is not") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 2, 1);
    const auto data = directory.path() / "data", aside = directory.path() / "aside";
    RunningServer server{data, config};
    REQUIRE(server.request("POST", "/analyses", wanted).first == 201);
    std::filesystem::rename(data, aside); // all of it at once
    REQUIRE(wait_for_status(server, "store_failed"));
    const json health = json::parse(server.request("GET", "/health").second);
    CHECK(health["problem"].get<std::string>().find("adjourn.db was removed") != std::string::npos);
    CHECK(server.request("POST", "/analyses", wanted).first == 503);
    CHECK(server.request("GET", "/analyses").first == 200);
    std::filesystem::rename(aside, data);
    REQUIRE(wait_for_status(server, "ok"));
    CHECK(server.request("POST", "/analyses", wanted).first == 201);
    std::filesystem::rename(data, aside);
    REQUIRE(wait_for_status(server, "store_failed"));
    CHECK(server.interrupt() == 1);
    CHECK(run_program({"check", "--data", aside.string()}).code == 0);
}

TEST_CASE("program: a backup beside a server is restored by copying it back, and repaired") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 2, 1);
    const auto data = directory.path() / "data", restored = directory.path() / "restored";
    const std::string file = (directory.path() / "backup.db").string();
    const std::string repaired = (directory.path() / "repaired").string();
    {
        RunningServer server{data, config};
        REQUIRE(server.request("POST", "/analyses", wanted).first == 201);
        const Finished backup = run_program({"backup", file, "--data", data.string()});
        INFO(backup.errors);
        CHECK(backup.code == 0);
        CHECK(backup.output.find("backed up and checked: ") == 0);
        CHECK(run_program({"backup", file, "--data", data.string()}).code == 1);
        CHECK(run_program({"check", "--repair", repaired, "--data", data.string()}).code == 1);
        CHECK(server.interrupt() == 0);
    }
    std::filesystem::create_directory(restored);
    std::filesystem::copy_file(file, restored / "adjourn.db");
    const Finished repair =
        run_program({"check", "--repair", repaired, "--data", restored.string()});
    INFO(repair.errors);
    CHECK(repair.code == 0);
    CHECK(repair.output.find("sound: nothing was left out") != std::string::npos);
    CHECK(run_program({"check", "--data", repaired}).code == 0);
    RunningServer again{repaired, config};
    CHECK(again.get("/analyses/1")["id"] == 1);
}

TEST_CASE("program: what is for directories does not take the usual one for a database") {
    TemporaryDirectory directory;
    directory.write("db.toml", "store = \"postgresql://me:secret@club/games\"\n");
    const std::string file = directory.file("backup.db");
    const std::string data = directory.file("data"); // none there
    for (std::vector<std::string> words :
         {std::vector<std::string>{"backup", file}, {"check", "--repair", file}}) {
        words.insert(words.end(), {"--config", directory.file("db.toml")});
        const Finished refused = run_program(words);
        INFO(words.front() << ": " << refused.errors);
        CHECK(refused.code == 2);
        CHECK(refused.errors.find("the store is the database postgresql://me:…@club/games, as the "
                                  "configuration says: ") != std::string::npos);
        words.insert(words.end(), {"--data", data}); // what is named counts
        const Finished named = run_program(words);
        CHECK(named.code == 1);
        CHECK(named.errors.find(data) != std::string::npos);
    }
    CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE("program: a repair that saves no evaluation says so and fails") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 1, 0);
    const auto data = directory.path() / "data";
    REQUIRE(run_program({"analyse", "1. e4", "--depth", "4", "--refine", "1", "--data",
                         data.string(), "--config", config.string()})
                .code == 0);
    storage::test::damage(data, "UPDATE evaluations SET checksum = checksum + 1");
    const Finished repair = run_program(
        {"check", "--repair", (directory.path() / "repaired").string(), "--data", data.string()});
    CHECK(repair.code == 1);
    CHECK(repair.errors.find("none of ") != std::string::npos);
    CHECK(repair.errors.find("restore a backup") != std::string::npos);
    CHECK(repair.output.find("repaired: ") == std::string::npos);
}

TEST_CASE("program: below the free space that was asked for, no engine is asked") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 1, 1);
    std::string text;
    {
        std::ifstream in{config};
        text = {std::istreambuf_iterator<char>{in}, {}};
    }
    std::ofstream{config} << "least_free_mb = 1000000000\n" << text;
    RunningServer server{directory.path() / "data", config};
    REQUIRE(wait_for_status(server, "store_failed"));
    const json health = json::parse(server.request("GET", "/health").second);
    CHECK(health["problem"].get<std::string>().find("the disk is nearly full") !=
          std::string::npos);
    CHECK(server.interrupt() == 0); // everything is stored
}
