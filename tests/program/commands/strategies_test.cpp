// Every strategy on real positions with a real engine.
#include "core_fixture.hpp"
#include "program.hpp"

#include "analysis/growth.hpp"
#include "analysis/strategy.hpp"
#include "core/engines/installed_engines.hpp"
#include "shared_data.hpp"

namespace {

// The first `count` different positions of a table of perft counts.
std::vector<std::string> positions(std::size_t count) {
    std::vector<std::string> result;
    std::ifstream in{data_root() / "perft" / "amundsen_perftsuite.epd"};
    for (std::string text; std::getline(in, text) && result.size() < count;) {
        const std::string fen = text.substr(0, text.find(" D"));
        if (chess::Position::from_fen(fen) &&
            std::find(result.begin(), result.end(), fen) == result.end()) {
            result.push_back(fen);
        }
    }
    return result;
}

} // namespace

TEST_CASE("program: every strategy settles real positions with Stockfish", "[.][deep]") {
    const auto stockfish = find_program("stockfish");
    if (!stockfish) {
        skip("Stockfish is not installed");
        return;
    }
    const auto fens = positions(10);
    REQUIRE(fens.size() == 10);
    for (const std::string& kind : analysis::strategy_names()) {
        TemporaryDirectory directory; // each from nothing: no strategy lives on another's answers
        const auto config = directory.path() / "adjourn.toml";
        std::ofstream{config} << "[[engine]]\nname = \"stockfish\"\ncommand = [\"" << *stockfish
                              << "\"]\ncount = 2\noptions = { Threads = 1, Hash = 16 }\n";
        RunningServer server{directory.path() / "data", config};
        const std::string name{kind};
        for (const std::string& fen : fens) {
            const auto [status, body] = server.request(
                "POST", "/analyses",
                json{{"position", {{"fen", fen}}},
                     {"limit", {{"nodes", 1'000}}},
                     {"strategy", {{"kind", name}, {"move_distance", 10}, {"refine", 2}}}}
                    .dump());
            INFO(body);
            REQUIRE(status == 201);
        }
        std::size_t settled = 0;
        json all;
        while (settled < fens.size()) {
            all = server.get("/analyses")["analyses"];
            settled = 0;
            for (const json& analysis : all) {
                REQUIRE(analysis["state"] != "failed");
                settled += analysis["state"] == "settled" ? 1 : 0;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds{100}); // between polls
        }
        for (const json& analysis : all) {
            CHECK((analysis["settled"] == 2 || !analysis["reason"].is_null()));
        }
    }
}
