// `adjourn advance`, `extend`, `renew`, `summary` and `gaps`, without a server and through the one
// that runs.
#include "settled_tree.hpp"

namespace {

struct Evening : Place {
    Evening() { analyse("1. e4 c5"); }
};

} // namespace

TEST_CASE("program: the game goes on without a server, and a server works on from there") {
    const Evening evening;
    CHECK(evening.done({"advance", "1", "Nf3", "d6"})["san"] == "1. e4 c5 2. Nf3 d6");
    const json all = evening.done({"summary"}); // what the radar answers
    REQUIRE(all["entries"].size() > 0);
    CHECK(evening.run({"summary"}).output.find(all["entries"][0]["text"].get<std::string>()) !=
          std::string::npos);
    const Finished said = evening.run({"advance", "1", "--back", "1", "Nc6"});
    CHECK(said.output.find("after 1. e4 c5 2. Nf3 Nc6") != std::string::npos);
    const std::pair<int, std::vector<std::string>> wrong[] = {
        {2, {"advance", "1"}},
        {2, {"extend", "1"}},
        {2, {"extend", "1", "--hours", "1", "--levels", "1"}},
        {1, {"advance", "1", "e5"}},
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
