// What is done with one analysis by commands, without a server and through the one that runs.
#include "settled_tree.hpp"

namespace {

struct Evening : Place {
    Evening() { analyse("1. e4 c5"); }
};

} // namespace

TEST_CASE("program: the game goes on without a server, and a server works on from there") {
    const Evening evening;
    CHECK(evening.done({"advance", "1", "Nf3", "d6"})["san"] == "1. e4 c5 2. Nf3 d6");
    const Finished said = evening.run({"advance", "1", "--back", "1", "Nc6"});
    CHECK(said.output.find("after 1. e4 c5 2. Nf3 Nc6") != std::string::npos);
    const std::pair<int, std::vector<std::string>> wrong[] = {
        {2, {"advance", "1"}},
        {2, {"extend", "1"}},
        {2, {"extend", "1", "--hours", "1", "--levels", "1"}},
        {1, {"advance", "1", "Ke5"}},
        {1, {"advance", "7", "Nf3"}},
    };
    for (const auto& [code, words] : wrong) {
        CHECK(evening.run(words).code == code);
    }
    CHECK(evening.run({"check"}).code == 0);
    {
        RunningServer server{evening.data, evening.config};
        const json one = until(server, "/analyses/1", settled);
        CHECK(one["played"] == 2);
        CHECK(evening.done({"extend", "1", "--levels", "1"})["strategy"]["refine"] == 2);
        until(server, "/analyses/1", [](const json& a) { return a["settled"] == 2; });
        CHECK(evening.done({"advance", "1", "--back", "2"})["played"] == 0);
        until(server, "/analyses/1", settled);
        const Finished summary = evening.run({"summary", "--hours", "1"});
        CHECK(summary.output.find("In the last 1 hours: ") == 0);
        CHECK(summary.output.find(": Settled to depth 2") != std::string::npos);
        CHECK(server.interrupt() == 0);
    }
    CHECK(evening.run({"check"}).code == 0);
}

TEST_CASE("program: what a repertoire lacks, with my side and names said once") {
    const Evening evening;
    const Finished said = evening.run({"gaps", "1", "--side", "black", "--names", "Bob"});
    INFO(said.output << said.errors);
    CHECK(said.code == 0);
    CHECK(said.output.starts_with("Black: "));
    CHECK(said.output.find("    answered for 5 moves: ") != std::string::npos);
    const json again = evening.done({"gaps", "1"});
    CHECK(again["side"] == "black");
    CHECK(again["left"].empty());
    CHECK(evening.run({"gaps", "1", "--side", "both"}).code == 2);
    CHECK(evening.run({"gaps", "1", "--collection", "none"}).code == 1);
    CHECK(evening.run({"gaps", "7"}).code == 1);
}

TEST_CASE("program: another engine goes on, without a server and through one, until all is told") {
    const Evening evening;
    CHECK(evening.run({"renew"}).code == 2);
    CHECK(evening.run({"renew", "1", "--all"}).code == 2);
    CHECK(evening.run({"renew", "1", "--hours", "1"}).code == 2);
    CHECK(evening.run({"renew", "1"}).output.find("not renewed") != std::string::npos);
    CHECK(evening.run({"renew", "--all"}).errors.find("no analysis is renewed") !=
          std::string::npos);
    CHECK(evening.run({"renew", "1", "--engine", "other"}).code == 1);
    std::ofstream{evening.config, std::ios::app}
        << "\n[[engine]]\nname = \"other\"\ncommand = [\"" << hash_engine_path().string()
        << "\"]\ncount = 1\noptions = { AnswerMs = 1, Seed = 7 }\n";
    const json begun = evening.done({"renew", "--all", "--engine", "other", "--hours", "1"});
    CHECK(begun["engine"] == "other");
    CHECK(begun["renewal"]["level"] == 1);
    CHECK(begun["renewal"]["text"] == "nothing is searched yet"); // nobody knows the engine
    {
        RunningServer server{evening.data, evening.config};
        const json now = until(server, "/analyses/1", settled);
        CHECK(now["renewal"]["phase"] == "done");
        const Finished told = evening.run({"renew", "--all"});
        CHECK(told.output.find(now["renewal"]["text"].get<std::string>()) != std::string::npos);
        CHECK(server.interrupt() == 0);
    }
    CHECK(evening.run({"check"}).code == 0);
}

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

TEST_CASE("program: what was asked for in an analysis") {
    const Place place;
    RunningServer server{place.data, place.config};
    CHECK(server.request("POST", "/analyses", wanted_tree).first == 201);
    until(server, "/analyses/1", settled);
    CHECK(place.run({"directives", "1"}).output == "nothing was asked for\n");
    const auto direct = [&](const json& said) {
        CHECK(server.request("POST", "/analyses/1/directives", said.dump()).first == 201);
    };
    direct({{"moves", {"a7a6"}}, {"action", "include"}});
    direct({{"moves", {"a7a5"}}, {"action", "exclude"}});
    direct({{"moves", {"a7a5"}}, {"action", "clear"}});
    direct({{"moves", json::array()}, {"action", "note"}, {"text", "solid"}});
    until(server, "/analyses/1/directives", [](const json& all) {
        const json& effect = all["directives"][0]["effect"];
        return effect.is_object() && effect["score"].is_object();
    });
    const std::string text = place.run({"directives", "1"}).output;
    INFO(text);
    CHECK(text.find("  include  a6: ") != std::string::npos);
    CHECK(text.find(", move ") != std::string::npos);
    CHECK(text.find("  exclude  a5") != std::string::npos);
    CHECK(text.find("[no effect: a later one is about the same]") != std::string::npos);
    CHECK(text.find("  note     the root: solid\n") != std::string::npos);
    CHECK(place.done({"directives", "1"})["directives"].size() == 4);
    CHECK(place.run({"directives", "9"}).code == 1);
    CHECK(server.interrupt() == 0);
}
