// What every benchmark says of its options.
#include "bench/busy.hpp"
#include "bench/changes.hpp"
#include "bench/cluster.hpp"
#include "bench/fortress.hpp"
#include "bench/graph.hpp"
#include "bench/hollow.hpp"
#include "bench/perft.hpp"
#include "bench/pgn.hpp"
#include "bench/searches.hpp"
#include "bench/serve.hpp"
#include "bench/store.hpp"
#include "bench/strategies.hpp"
#include "bench_run.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <set>
#include <utility>

using namespace adjourn::bench;

namespace {

const std::map<std::string, Command> benches{
    {"busy", run_busy},         {"changes", run_changes}, {"cluster", run_cluster},
    {"fortress", run_fortress}, {"graph", run_graph},     {"hollow", run_hollow},
    {"perft", run_perft},       {"pgn", run_pgn},         {"searches", run_searches},
    {"serve", run_serve},       {"store", run_store},     {"strategies", run_strategies}};

// What is said, and on the stream where it belongs: trouble on standard error.
std::pair<int, std::string> said(Command command, const std::vector<std::string>& args) {
    const BenchRun run = bench_run(command, args);
    CHECK((run.code == 0 ? run.errors : run.output).empty());
    return {run.code, run.said()};
}

} // namespace

TEST_CASE("bench help: an option a line, each of which is read") {
    const std::map<std::string, std::set<std::string>> wanted{
        {"busy",
         {"--answer", "--engines", "--movetime", "--stockfish-engines", "--strategy", "--seconds",
          "--warmup", "--hash-engine", "--stockfish", "--affinity", "--questions", "--depth"}},
        {"changes", {"--facts", "--newest", "--directory", "--seed"}},
        {"cluster",
         {"--workers", "--engines", "--fast", "--slow", "--analyses", "--faults", "--simulate",
          "--seed", "--directory", "--program", "--hash-engine"}},
        {"fortress",
         {"FILE", "--epd", "--most", "--nodes", "--times", "--sizes", "--tree", "--ahead", "--seed",
          "--minutes", "--hash", "--cache", "--record", "--stockfish"}},
        {"graph", {"--moves", "--changes", "--seed"}},
        {"hollow",
         {"--epd", "--roots", "--depth", "--refine", "--strategy", "--seed", "--cache", "--minutes",
          "--stockfish"}},
        {"perft", {"--deep", "--repeat", "--stockfish", "--depth", "FEN"}},
        {"pgn", {"--file", "--games", "--repeat", "--directory", "--pgn-extract"}},
        {"searches",
         {"--first", "--second", "--ratios", "--nodes", "--games", "--skip", "--epd", "--fit",
          "--tune"}},
        {"serve", {"--facts", "--games", "--directory", "--seed"}},
        {"store", {"--facts", "--directory", "--seed", "--store"}},
        {"strategies",
         {"--epd",       "--roots",       "--set",       "--seed",      "--nodes",
          "--budget",    "--strategies",  "--rivals",    "--lines",     "--threads",
          "--cold",      "--split",       "--processes", "--reference", "--value-roots",
          "--judge",     "--judge-nodes", "--cache",     "--minutes",   "--root-distance",
          "--root-most", "--hash",        "--stockfish", "--choice",    "--tolerance",
          "--at",        "--noise",       "--known",     "--record",    "--near",
          "--solutions", "--program"}}};
    for (const auto& [name, run] : benches) {
        INFO(name);
        const auto [code, help] = said(run, {"--help"});
        CHECK(code == 0);
        CHECK(help.starts_with("Usage: adjourn bench " + name + " [OPTIONS]"));
        CHECK(said(run, {"--seed", "-h"}).second == help);
        std::set<std::string> listed;
        std::istringstream lines{help};
        for (std::string line; std::getline(lines, line);) {
            if (!line.starts_with("  ")) {
                continue;
            }
            INFO(line);
            std::istringstream words{line};
            std::string option;
            std::string rest;
            words >> option;
            std::getline(words, rest);
            CHECK(rest.find_first_not_of(' ') != std::string::npos);
            CHECK(listed.insert(option).second);
            static const std::set<std::string> flags{"--deep",      "--cold", "--affinity",
                                                     "--solutions", "--fit",  "--tune"};
            if (!flags.contains(option) && option.starts_with("--")) {
                const auto [refused, why] = said(run, {option});
                CHECK(refused == 2);
                CHECK(why == "bench " + name + ": '" + option + "' lacks a sensible value\n");
            }
        }
        CHECK(listed == wanted.at(name));
    }
}

TEST_CASE("bench help: defaults") {
    CHECK_THAT(said(run_graph, {"--help"}).second,
               Catch::Contains("of the tree, at least 1000 (default 1000000)"));
    CHECK_THAT(said(run_busy, {"--help"}).second, Catch::Contains("(default halving)"));
}

TEST_CASE("bench: bad arguments") {
    for (const auto& [name, run] : benches) {
        INFO(name);
        const auto [code, why] = said(run, {"--nonsense", "1"});
        CHECK(code == 2);
        CHECK(why == "bench " + name + ": '--nonsense' is unknown\n");
    }
    using Bad = std::pair<Command, std::vector<std::string>>;
    for (const auto& [run, args] :
         std::vector<Bad>{{run_graph, {"--moves", "999"}},
                          {run_graph, {"1000"}},
                          {run_hollow, {"--strategy", "luck"}},
                          {run_busy, {"--strategy", "luck"}},
                          {run_busy, {"--engines", "-1"}},
                          {run_perft, {"--depth", "101"}},
                          {run_perft, {"--repeat", "0"}},
                          {run_perft, {"no", "position"}},
                          {run_pgn, {"--games", "0"}},
                          {run_pgn, {"--file", ""}},
                          {run_searches, {"--fit", "--games", "9"}},
                          {run_searches, {"--fit", "--tune"}},
                          {run_searches, {"--tune", "--first", "full-width"}},
                          {run_store, {"--facts", "1e6"}}}) {
        CHECK(said(run, args).first == 2);
    }
}
