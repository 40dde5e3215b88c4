// `adjourn link`, without a server and through the one that runs.
#include "settled_tree.hpp"
#include "temporary_directory.hpp"

TEST_CASE("program: a link is made, listed and revoked, also where no server runs") {
    const TemporaryDirectory directory;
    const std::string config = write_config(directory.path(), 1, 1).string();
    const std::string data = (directory.path() / "data").string();
    const auto run = [&](std::vector<std::string> words) {
        words.insert(words.end(), {"--config", config, "--data", data});
        return run_program(words);
    };
    REQUIRE(run({"analyse", "1. e4 c5", "--depth", "6", "--refine", "1"}).code == 0);
    CHECK(run({"link", "1", "--list"}).output == "analysis 1 is not shared\n");
    const Finished made = run({"link", "1", "--name", "the club"});
    REQUIRE(made.code == 0);
    CHECK(made.output.starts_with("/#/shared/link-"));
    const std::string path = made.output.substr(0, made.output.size() - 1);
    CHECK(run({"check"}).code == 0);
    CHECK(run({"doctor"}).output.find("shared by links: 1 of 1 analyses, 1 links in all") !=
          std::string::npos);
    {
        RunningServer server{data, config};
        until(server, "/analyses/1", settled);
        const Finished list = run({"link", "1", "--list"});
        CHECK(list.output.find("the club") != std::string::npos);
        CHECK(list.output.find("http://127.0.0.1:") != std::string::npos);
        CHECK(list.output.find(path) != std::string::npos);
        const json links = json::parse(run({"link", "1", "--list", "--json"}).output)["links"];
        REQUIRE(links.size() == 1);
        const Finished gone = run({"link", "1", "--revoke", links[0]["id"].dump()});
        CHECK(gone.output == "link " + links[0]["id"].dump() + " does not hold any more\n");
        CHECK(run({"link", "1", "--revoke", links[0]["id"].dump()}).code == 1);
        CHECK(server.interrupt() == 0);
    }
    CHECK(run({"link", "1", "--list"}).output == "analysis 1 is not shared\n");
    CHECK(run({"link", "1", "--list", "--revoke", "1"}).code == 2);
    CHECK(run({"link", "1", "--list", "--name", "x"}).code == 2);
    CHECK(run({"link", "7"}).code == 1);
    CHECK(run({"link", "1", "--file", "3"}).code == 1);
}
