// Arguments of `adjourn bench strategies`.
#pragma once

#include "analysis/growth.hpp"

#include <expected>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace adjourn::bench {

// A strategy that takes part. SPEC: KIND[:NAME=VALUE…], where NAME is distance, floor, nodes (of
// its evaluations, if not those of the others), processes (it is run by the program itself, with so
// many of the engine), anchor_threads (matters there only), margin, or a number of its own:
// "dropout:per_cp=0.05", "anchored:court=0:margin=10".
struct Variant {
    std::string name; // the SPEC
    analysis::StrategyParameters parameters;
    std::uint64_t nodes = 0;   // 0: as the others
    std::size_t processes = 0; // 0: not by the program
    // With court=0, not by the program: the tree overrules the long search by so many cp, as it did
    // before there was a court. 0: it does not.
    int margin = 0;
};

// Who takes part beside strategies.
enum class Rival : std::uint8_t {
    one_search, // of all nodes
    several,    // the same with four PVs
    threads,    // the same with several threads, which together search all nodes
};

struct StrategiesOptions {
    std::vector<std::filesystem::path> epd; // --epd FILE: root positions
    std::size_t roots = 100;                // --roots N
    std::uint64_t seed = 1;                 // --seed S: of the sample and the bootstrap
    std::uint64_t nodes = 100'000;          // --nodes N: of an evaluation
    std::size_t budget = 100;               // --budget N: evaluations
    std::vector<Variant> strategies;        // --strategies SPEC,SPEC…; all of them
    std::filesystem::path cache; // --cache FILE: kept searches; "bench" in the data directory
    std::vector<std::filesystem::path> known; // --known FILE: the same, read only
    std::filesystem::path record; // --record FILE: the first strategy's trees and the reference
    enum class Set : std::uint8_t { tune, test, all };
    // --solutions: hard positions, of which the files tell the best moves; nobody else judges
    bool solutions = false;
    bool mates = false; // --mates: known mates (dm, bm #n) of 8 to 30 moves, eight men or more
    bool draws = false; // --draws: the positions are fortresses
    Set set = Set::all; // --set NAME: parameters are chosen on tune only
    std::vector<Rival> rivals{Rival::one_search, Rival::several, Rival::threads}; // --rivals
    int threads = 16;                     // --threads N: of that rival
    std::uint64_t reference = 10'000'000; // --reference N: nodes of each of a move's two searches
    std::size_t value_roots = 0;          // --value-roots N: there, more than the choices is judged
    std::string stockfish;                // --stockfish PATH
    int hash = 128;                       // --hash MB
};

std::string name_of(StrategiesOptions::Set set);

// Of `adjourn bench strategies`; else the exit code: 0 after --help was answered, 2 after a
// complaint.
std::expected<StrategiesOptions, int> read_options(const std::vector<std::string>& args,
                                                   std::ostream& out);

} // namespace adjourn::bench
