// How often the lamp is right: of recorded signs, and of those that an engine is asked for.
#include "bench/fortress.hpp"

#include "bench_run.hpp"
#include "temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <fstream>

using namespace adjourn;
using namespace adjourn::bench;

TEST_CASE("bench fortress: the recorded signs make the figures of the documents") {
    const BenchRun ran =
        bench_run(run_fortress, {std::string{ADJOURN_TEST_DATA} + "/fortress/ends.txt"});
    INFO(ran.said());
    REQUIRE(ran.code == 0);
    const auto row = [&](const std::string& name, const std::string& half) {
        for (std::size_t at = ran.output.find("| " + name); at != std::string::npos;
             at = ran.output.find("| " + name, at + 1)) {
            const std::string line = ran.output.substr(at, ran.output.find('\n', at) - at);
            if (line.contains("| " + half + " ")) {
                return line;
            }
        }
        return std::string{};
    };
    CHECK_THAT(row("all that are drawn", "tune"), Catch::Contains("16.7 [4.7, 44.8]"));
    CHECK_THAT(row("all that are drawn", "test"), Catch::Contains("14.3 [4.0, 39.9]"));
    CHECK_THAT(row("all that are won", "tune"), Catch::Contains("1.2 [0.2, 6.4]"));
    CHECK_THAT(row("all that are won", "test"), Catch::Contains("0.0 [0.0, 4.2]"));
}

TEST_CASE("bench fortress: what an engine says is recorded, and read again is the same") {
    const TemporaryDirectory directory;
    const std::string epd = directory.path() / "ends.epd";
    const std::string record = directory.path() / "signs.txt";
    std::ofstream{epd} << "8/8/8/3k4/8/3K4/4R3/8 w - - c0 \"win\";\n"
                          "8/8/2k5/8/8/2K5/3P4/8 w - - c0 \"draw\";\n"
                          "4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"fortress\";\n"
                          "4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"something else\";\n";
    const BenchRun asked = bench_run(
        run_fortress, {"--epd", epd, "--stockfish", ADJOURN_HASH_ENGINE, "--cache",
                       directory.path() / "searches", "--nodes", "4", "--times", "2", "--sizes",
                       "2", "--tree", "3", "--ahead", "1", "--record", record});
    INFO(asked.said());
    REQUIRE(asked.code == 0);
    CHECK_THAT(asked.output, Catch::Contains("all that are"));
    const BenchRun read = bench_run(run_fortress, {record});
    CHECK(read.output == asked.output);

    std::ofstream{record, std::ios::app} << "tune mate 11.97:1000\n";
    const BenchRun broken = bench_run(run_fortress, {record});
    CHECK(broken.code == 1);
    CHECK_THAT(broken.errors, Catch::Contains("is no record of signs"));
    CHECK(bench_run(run_fortress, {}).code == 2);
    CHECK(bench_run(run_fortress, {"--epd", "/nonexistent.epd"}).code == 1);
}
