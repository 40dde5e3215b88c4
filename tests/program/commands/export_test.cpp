// `adjourn export` and what `adjourn analyse` says at the end, from the outside.
#include "settled_tree.hpp"

namespace {

struct Shop : Place {
    std::string exported(const std::string& format) const {
        const Finished finished = run({"export", "1", "--format", format});
        INFO(finished.errors);
        REQUIRE(finished.code == 0);
        return finished.output;
    }
};

} // namespace

TEST_CASE("program: the settled depth is right without a server, and right after its start") {
    const Shop shop;
    REQUIRE(shop.analyse("1. e4 c5")["settled"] == 1);
    CHECK(shop.exported("pgn").find("settled to depth 1\"]") != std::string::npos);
    CHECK(json::parse(shop.exported("json"))["analysis"]["settled"] == 1);
    RunningServer server{shop.data, shop.config};
    const json listed = server.get("/analyses")["analyses"][0];
    CHECK(listed["settled"] == 1);
    CHECK(listed["refine"] == 1);
    CHECK(server.interrupt() == 0);
}

TEST_CASE("program: where the game is over at the root, analyse and the analysis say so") {
    const Shop shop;
    for (const auto& [fen, words, reason] :
         std::vector<std::tuple<const char*, const char*, const char*>>{
             {"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
              "checkmate: Black has won", "checkmate"},
             {"7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "stalemate: a draw", "stalemate"},
             {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "draw: dead position", "draw: dead position"}}) {
        const Finished said = shop.run({"analyse", fen, "--depth", "6", "--refine", "1"});
        INFO(said.output << said.errors);
        CHECK(said.code == 0);
        CHECK(said.output.find(words) != std::string::npos);
        CHECK(said.output.find("best line") == std::string::npos);
        const json result = shop.analyse(fen);
        CHECK_FALSE(result["terminal"].is_null());
        CHECK(result["best"].is_null());
        RunningServer server{shop.data, shop.config};
        CHECK(server.get("/analyses/" + result["id"].dump())["reason"] == reason);
        CHECK(server.interrupt() == 0);
    }
    CHECK(shop.analyse("1. e4")["terminal"].is_null());
}

TEST_CASE(
    "program: a Polyglot book is not written to a terminal, and is the same in a file and a pipe") {
    const Shop shop;
    shop.analyse("1. e4");
    const std::string command = program_path().string() + " export 1 --format polyglot --config '" +
                                shop.config + "' --data '" + shop.data + "'";
    const Finished typed = run_command({"script", "-qec", command, "/dev/null"});
    CHECK(typed.code == 2);
    CHECK(typed.output.find("-o") != std::string::npos);
    const std::string piped = shop.exported("polyglot");
    CHECK(piped.size() >= 16);
    CHECK(piped.size() % 16 == 0);
    const std::string book = (shop.directory.path() / "book.bin").string();
    REQUIRE(run_command({"sh", "-c", command + " -o '" + book + "'"}).code == 0);
    std::ifstream in{book, std::ios::binary};
    CHECK(piped == std::string{std::istreambuf_iterator<char>{in}, {}});
}
