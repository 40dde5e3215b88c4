// The whole measurement with the deterministic engine as a process.
#include "bench/strategies.hpp"
#include "bench_run.hpp"
#include "temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

using namespace adjourn;
using namespace adjourn::bench;

namespace {

struct Ran {
    int code;
    std::string counts; // the first line
    std::string rest;
};

Ran run(const std::filesystem::path& directory, std::vector<std::string> more) {
    {
        std::ofstream epd{directory / "roots.epd"};
        epd << "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -\n"
               "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq -\n"
               "4k3/2p2p2/8/8/8/8/2P2P2/4K3 w - -\n"
               "rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/5N2/PP2PPPP/RNBQKB1R w KQkq -\n";
    }
    std::vector<std::string> args{"--epd",           (directory / "roots.epd").string(),
                                  "--stockfish",     ADJOURN_HASH_ENGINE,
                                  "--cache",         (directory / "searches").string(),
                                  "--root-distance", "1000",
                                  "--root-most",     "1000",
                                  "--nodes",         "4",
                                  "--budget",        "20",
                                  "--reference",     "7",
                                  "--value-roots",   "1",
                                  "--roots",         "3",
                                  "--strategies",    "halving,minmax"};
    args.insert(args.end(), more.begin(), more.end());
    const BenchRun ran = bench_run(run_strategies, args);
    const std::size_t end = ran.said().find('\n');
    return {ran.code, ran.said().substr(0, end), ran.said().substr(end)};
}

} // namespace

TEST_CASE("bench strategies: a real process, and a run that was cut off ends in the same tables") {
    const TemporaryDirectory directory;
    const Ran first = run(directory.path(), {});
    INFO(first.counts + first.rest);
    REQUIRE(first.code == 0);
    CHECK_THAT(first.rest, Catch::Contains("over 3 roots; 4 comparisons"));
    CHECK_THAT(first.rest, Catch::Contains("| 16 threads |"));
    const Ran again = run(directory.path(), {});
    CHECK_THAT(again.counts, Catch::StartsWith("0 new searches"));
    CHECK(again.rest == first.rest);
    const auto file = directory.path() / "searches";
    std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2 + 3);
    const Ran resumed = run(directory.path(), {});
    CHECK(resumed.rest == first.rest);
    CHECK_FALSE(resumed.counts.starts_with("0 new searches"));
    CHECK(resumed.counts.find("ended otherwise") == std::string::npos);
    const Ran three = run(directory.path(), {"--processes", "3", "--split", "2"});
    CHECK(three.rest == first.rest); // this engine has no memory
}

TEST_CASE("bench strategies: a second engine judges the same choices") {
    const TemporaryDirectory directory;
    const Ran ran = run(directory.path(), {"--judge", ADJOURN_HASH_ENGINE, "--judge-nodes", "9"});
    REQUIRE(ran.code == 0);
    CHECK_THAT(ran.rest, Catch::Contains("the second engine's view"));
}

TEST_CASE("bench strategies: the sets have different roots, and what fails is named") {
    const TemporaryDirectory directory;
    const Ran tune = run(directory.path(), {"--set", "tune", "--roots", "4"});
    CHECK(tune.code == 1);
    CHECK_THAT(tune.counts + tune.rest, Catch::Contains("contested positions in the files"));
    const Ran none = run(directory.path(), {"--stockfish", "/nonexistent/engine"});
    CHECK(none.code == 1);
    CHECK_THAT(none.counts + none.rest, Catch::Contains("/nonexistent/engine"));
}

TEST_CASE("bench strategies: the program itself takes part, with several processes") {
    const TemporaryDirectory directory;
    const std::vector<std::string> args{"--strategies",
                                        "anchored:processes=2,anchored:processes=3:"
                                        "anchor_threads=-1:distance=50",
                                        "--rivals",
                                        "long",
                                        "--roots",
                                        "1",
                                        "--program",
                                        ADJOURN_PROGRAM};
    const Ran ran = run(directory.path(), args);
    INFO(ran.counts + ran.rest);
    REQUIRE(ran.code == 0);
    CHECK_THAT(ran.rest, Catch::Contains("| anchored:processes=2 "));
    CHECK_THAT(ran.rest, Catch::Contains("| anchored:processes=3:anchor_threads=-1:distance=50 "));
    const Ran none = run(directory.path(), {"--strategies", "anchored:processes=2", "--program",
                                            "/nonexistent/adjourn"});
    CHECK(none.code == 1);
    CHECK_THAT(none.counts + none.rest, Catch::Contains("/nonexistent/adjourn"));
}
