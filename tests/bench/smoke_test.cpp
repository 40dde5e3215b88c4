// Each benchmark runs on its smallest input. Its figures are nobody's business here.
#include "bench/benches.hpp"
#include "temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <iostream>
#include <sstream>

using namespace adjourn::bench;

namespace {

using Words = std::vector<std::string>;

struct Bench {
    const char* name;
    int (*run)(const Words&, std::ostream&);
    Words least;
    const char* says; // in its table
};

struct Ran {
    int code = 0;
    std::string output;
    std::string errors; // on standard error
};

Ran ran(const Bench& bench, const Words& words) {
    // Standard error while it lives.
    struct Caught {
        std::ostringstream text;
        std::streambuf* before = std::cerr.rdbuf(text.rdbuf());
        ~Caught() { std::cerr.rdbuf(before); }
    };
    std::ostringstream out;
    const Caught caught;
    const int code = bench.run(words, out);
    return {code, out.str(), caught.text.str()};
}

} // namespace

TEST_CASE("bench: each runs on its smallest input, says its options, and refuses others") {
    const adjourn::TemporaryDirectory directory;
    const std::string here = directory.path().string();
    const std::string epd = here + "/roots.epd";
    std::ofstream{epd} << "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -\n"
                          "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq -\n"
                          "4k3/2p2p2/8/8/8/8/2P2P2/4K3 w - -\n"
                          "rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/5N2/PP2PPPP/RNBQKB1R w KQkq -\n";
    const std::string mates = here + "/mates.epd";
    std::ofstream{mates} << "6k1/5ppp/8/8/8/8/5PPP/6K1 w - - dm 9;\n";
    const std::vector<Bench> benches{
        {"busy",
         run_busy,
         {"--engines", "1", "--stockfish-engines", "0", "--seconds", "1", "--warmup", "0",
          "--hash-engine", ADJOURN_HASH_ENGINE},
         "1 hash_engine"},
        {"changes", run_changes, {"--facts", "2000", "--newest", "20", "--directory", here}, ""},
        {"cluster", run_cluster, {"--help"}, "--workers"}, // takes minutes
        {"confidence", run_confidence, {"tests/data/estimates.txt"}, "40 trees"},
        {"graph", run_graph, {"--moves", "1000", "--changes", "10"}, ""},
        {"perft", run_perft, {"--depth", "1", "--repeat", "1"}, "20"},
        {"pgn", run_pgn, {"--games", "2", "--repeat", "1", "--directory", here}, ""},
        {"searches",
         run_searches,
         {"--games", "2", "--nodes", "20", "--ratios", "1", "--epd", "bench/data/openings.epd"},
         "ratio"},
        {"serve", run_serve, {"--facts", "2000", "--games", "2", "--directory", here}, ""},
        {"store", run_store, {"--facts", "1000", "--directory", here}, ""},
        {"strategies",
         run_strategies,
         {"--epd", epd, "--stockfish", ADJOURN_HASH_ENGINE, "--cache", here + "/searches",
          "--roots", "3", "--strategies", "halving", "--nodes", "4", "--budget", "20",
          "--reference", "7", "--value-roots", "1"},
         "halving"},
        {"strategies",
         run_strategies,
         {"--epd", mates, "--mates", "--stockfish", ADJOURN_HASH_ENGINE, "--cache", here + "/mates",
          "--roots", "1", "--strategies", "prove", "--rivals", "long,multipv", "--nodes", "4",
          "--budget", "20"},
         "of 1 known results"}};
    for (const Bench& bench : benches) {
        INFO(bench.name);
        const Ran least = ran(bench, bench.least);
        INFO(least.output << least.errors);
        CHECK(least.code == 0);
        CHECK_THAT(least.output, Catch::Contains(bench.says));
        const Ran help = ran(bench, {"--help"});
        CHECK(help.code == 0);
        CHECK_THAT(help.output,
                   Catch::StartsWith("Usage: adjourn bench " + std::string{bench.name}));
        const Ran refused = ran(bench, {"--nonsense", "1"});
        CHECK(refused.code == 2);
        CHECK_THAT(refused.errors, Catch::Contains("'--nonsense' is unknown"));
    }
}
