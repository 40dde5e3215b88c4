// `adjourn directives`, and `adjourn import --each`: what people bring and ask for.
#include "settled_tree.hpp"
#include "temporary_directory.hpp"

namespace {

struct Club {
    TemporaryDirectory directory;
    std::string config = write_config(directory.path(), 1, 1).string();
    std::string data = (directory.path() / "data").string();
    std::string file = (directory.path() / "chapters.pgn").string();

    Club() {
        std::filesystem::create_directory(data);
        std::ofstream{file} << "[White \"Ann\"]\n[Black \"Bob\"]\n\n"
                               "1. e4 e5 2. Nf3 {mine} (2. f4 {bold}) 2... Nc6 *\n\n"
                               "[Event \"Mate\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n"
                               "[ChapterName \"Pawns\"]\n[SetUp \"1\"]\n"
                               "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. Kd2 {slow} *\n";
    }
    Finished run(std::vector<std::string> words) const {
        words.insert(words.end(), {"--config", config, "--data", data});
        return run_program(words);
    }
    json made(std::vector<std::string> words) const {
        words.insert(words.begin(), {"import", file, "--each", "--json"});
        const Finished finished = run(words);
        INFO(finished.errors);
        REQUIRE(finished.code == 0);
        return json::parse(finished.output)["analyses"];
    }
};

} // namespace

TEST_CASE("program: each game of a file becomes an analysis, whose file it is") {
    const Club club;
    const Finished told = club.run({"import", club.file, "--each"});
    CHECK(told.code == 0);
    CHECK(told.output == "analysis 1  Ann – Bob: 0 seeds\nanalysis 2  Pawns: 0 seeds\n");
    CHECK(told.errors.find("chapters.pgn: game 2: it is over at its end") != std::string::npos);

    RunningServer server{club.data, club.config};
    const json kept = server.get("/analyses/1/files")["files"][0]["games"];
    REQUIRE(kept.size() == 1);
    CHECK(kept[0]["comments"] == 2);
    CHECK(kept[0]["variations"] == 1);
    const json all = club.made({"--at", "start", "--hold"});
    REQUIRE(all.size() == 3);
    CHECK(all[1]["name"] == "Mate");
    CHECK(all[0]["seeds"] == 5);
    const std::string address = "/analyses/" + all[2]["id"].dump();
    const json pawns = server.get(address);
    CHECK(pawns["fen"] == "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    CHECK(pawns["hold"] == true);
    CHECK(server.get(address + "/files")["files"][0]["name"] == "chapters.pgn");
    CHECK(server.get("/analyses/1")["moves"].size() == 4);

    CHECK(club.run({"import", club.file, "--each", "--analysis", "1"}).code == 2);
    CHECK(club.run({"import", club.file, "--hold"}).code == 2);
    const std::string nonsense = (club.directory.path() / "nonsense.pgn").string();
    std::ofstream{nonsense} << "not a game at all\n";
    const Finished refused = club.run({"import", nonsense, "--each"});
    CHECK(refused.code == 1);
    CHECK(refused.output.empty());
    CHECK(refused.errors.find("nonsense.pgn: game 1: it has no moves") != std::string::npos);
    CHECK(server.interrupt() == 0);
}

TEST_CASE("program: what was asked for in an analysis") {
    const Club club;
    club.made({});
    CHECK(club.run({"directives", "1"}).output == "nothing was asked for\n");
    RunningServer server{club.data, club.config};
    until(server, "/analyses/1", settled);
    const auto direct = [&](const json& said) {
        CHECK(server.request("POST", "/analyses/1/directives", said.dump()).first == 201);
    };
    direct({{"moves", {"a2a3"}}, {"action", "include"}});
    direct({{"moves", {"a2a4"}}, {"action", "exclude"}});
    direct({{"moves", {"a2a4"}}, {"action", "clear"}});
    direct({{"moves", json::array()}, {"action", "note"}, {"text", "solid"}});
    until(server, "/analyses/1/directives", [](const json& all) {
        const json& effect = all["directives"][0]["effect"];
        return effect.is_object() && effect["score"].is_object();
    });
    const std::string text = club.run({"directives", "1"}).output;
    INFO(text);
    CHECK(text.find("  include  a3: ") != std::string::npos);
    CHECK(text.find(", move ") != std::string::npos);
    CHECK(text.find("  exclude  a4") != std::string::npos);
    CHECK(text.find("[no effect: a later one is about the same]") != std::string::npos);
    CHECK(text.find("  note     the root: solid\n") != std::string::npos);
    const Finished as_json = club.run({"directives", "1", "--json"});
    CHECK(json::parse(as_json.output)["directives"].size() == 4);
    CHECK(club.run({"directives", "9"}).code == 1);
    CHECK(server.interrupt() == 0);
}
