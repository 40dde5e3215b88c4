// `adjourn link`, without a server and through the one that runs.
#include "settled_tree.hpp"

TEST_CASE("program: a link is made, listed and revoked, also where no server runs") {
    const Place place;
    const auto run = [&](const std::vector<std::string>& words) { return place.run(words); };
    place.analyse("1. e4 c5");
    CHECK(run({"link", "1", "--list"}).output == "analysis 1 is not shared\n");
    const Finished made = run({"link", "1", "--name", "the club"});
    REQUIRE(made.code == 0);
    CHECK(made.output.starts_with("/#/shared/link-"));
    const std::string path = made.output.substr(0, made.output.size() - 1);
    CHECK(run({"check"}).code == 0);
    CHECK(run({"doctor"}).output.find("shared by links: 1 of 1 analyses, 1 links in all") !=
          std::string::npos);
    {
        RunningServer server{place.data, place.config};
        until(server, "/analyses/1", settled);
        const Finished list = run({"link", "1", "--list"});
        CHECK(list.output.find("the club") != std::string::npos);
        CHECK(list.output.find("http://127.0.0.1:") != std::string::npos);
        CHECK(list.output.find(path) != std::string::npos);
        const json links = place.done({"link", "1", "--list"})["links"];
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
