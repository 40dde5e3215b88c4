// Arguments of `adjourn bench strategies`.
#pragma once

#include "analysis/growth.hpp"
#include "bench/strategies/course.hpp"

#include <expected>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::bench {

// A strategy that takes part. SPEC: KIND[:NAME=VALUE…], where NAME is distance, floor, or one of
// analysis::cost_parameters(): "dropout:per_cp=0.05:step=0.5".
struct Variant {
    std::string name; // the SPEC
    analysis::StrategyParameters parameters;
};
std::optional<Variant> parse_variant(const std::string& spec);

struct StrategiesOptions {
    std::vector<std::filesystem::path> epd; // --epd FILE: root positions; none: made-up trees
    std::filesystem::path cache; // --cache DIR: kept answers; "bench" in the data directory
    enum class Stage : std::uint8_t {
        reference, // choose the roots; the reference's opinion of their candidates, and long
                   // searches
        courses,   // the strategies only
        all,       // both, then the tables
    };
    Stage stage = Stage::all;         // --stage NAME
    std::size_t roots = 100;          // --roots N (made-up trees: so many)
    std::uint64_t seed = 1;           // --seed S: of the sample, the trees and the bootstrap
    std::uint64_t nodes = 100'000;    // --nodes N: of an evaluation
    std::uint64_t reference = 100;    // --reference X: times an evaluation's nodes
    std::size_t budget = 100;         // --budget N: evaluations
    std::vector<std::size_t> budgets; // --at N,N,…: columns of the tables
    std::vector<std::size_t> longs;   // --long N,N,…: one search with the nodes of N evaluations
    std::size_t processes = 2;        // --processes N: engines; each root is asked one by one
    std::size_t threads = 0;          // --threads N: N threads against N workers, equal wall time
    std::size_t thread_roots = 20;    // --thread-roots N: on so many roots
    // --strategies SPEC,SPEC…; all six
    std::vector<Variant> strategies;
    RootChoice choice = RootChoice::verified; // --choice verified|settled
    int root_distance = 30; // --root-distance CP: roots have two moves so close to each other
    double tolerance = 5;   // --tolerance CP
    double noise = 60;      // --noise CP: of made-up answers
    std::string stockfish;  // --stockfish PATH
};

// An error names the argument.
std::expected<StrategiesOptions, std::string> parse_options(const std::vector<std::string>& args);

// What --help says.
void explain_options(std::ostream& out);

} // namespace adjourn::bench
