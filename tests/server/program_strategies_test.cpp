// Every strategy on real positions with a real engine; takes minutes, so it runs by name only.
#include "core_fixture.hpp"
#include "program.hpp"

#include "analysis/strategy_parameters.hpp"
#include "server/config.hpp"

#include <fstream>
#include <thread>

using namespace adjourn;
using namespace adjourn::server;
using nlohmann::json;

namespace {

// The first `count` different positions of the EPD files in name order, from every tenth record.
std::vector<std::string> positions(std::size_t count) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry :
         std::filesystem::directory_iterator{std::string{ADJOURN_SHARED_DATA} + "/epd"}) {
        files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::vector<std::string> result;
    std::size_t records = 0;
    for (const auto& file : files) {
        std::ifstream in{file};
        for (std::string text; std::getline(in, text) && result.size() < count;) {
            std::istringstream fields{text};
            std::array<std::string, 4> field;
            fields >> field[0] >> field[1] >> field[2] >> field[3];
            const std::string fen =
                field[0] + " " + field[1] + " " + field[2] + " " + field[3] + " 0 1";
            if (chess::Position::from_fen(fen) && records++ % 10 == 0 &&
                std::find(result.begin(), result.end(), fen) == result.end()) {
                result.push_back(fen);
            }
        }
    }
    return result;
}

} // namespace

TEST_CASE("program: every strategy settles 50 real positions with Stockfish", "[.]") {
    const auto stockfish = find_program("stockfish");
    if (!stockfish || !std::filesystem::exists(std::string{ADJOURN_SHARED_DATA} + "/epd")) {
        WARN("needs Stockfish and ../shared/data/epd");
        return;
    }
    const auto fens = positions(50);
    REQUIRE(fens.size() == 50);
    for (const analysis::StrategyKind kind : analysis::strategy_kinds()) {
        TemporaryDirectory directory; // each from nothing: no strategy lives on another's answers
        const auto config = directory.path() / "adjourn.toml";
        std::ofstream{config} << "[[engine]]\nname = \"stockfish\"\ncommand = [\"" << *stockfish
                              << "\"]\ncount = 2\noptions = { Threads = 1, Hash = 16 }\n";
        RunningServer server{directory.path() / "data", config};
        const std::string name{analysis::to_text(kind)};
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
        std::uint64_t evaluations = 0;
        for (const json& analysis : all) {
            CHECK((analysis["settled"] == 2 || !analysis["reason"].is_null()));
            evaluations += analysis["evaluations"]["new"].get<std::uint64_t>();
        }
        WARN(name << ": 50 settled, " << evaluations << " evaluations");
    }
}
