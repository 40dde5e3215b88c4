// What an engine is started with, and who it then says it is.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::engine_bridge {

struct ResourceLimits {
    std::optional<std::uint64_t> memory_bytes; // of address space: hash, network, code
    std::optional<std::uint64_t> files;        // open at a time

    friend bool operator==(const ResourceLimits&, const ResourceLimits&) = default;
};

// How to start an engine and what to set. Comes from the config file only.
struct Profile {
    std::string name;
    std::vector<std::string> command;           // program and arguments, no shell
    std::map<std::string, std::string> options; // UCI option → value, sent verbatim
    std::size_t count = 1;                      // processes
    bool reproducible = false;                  // ucinewgame before each job
    // As options, but only where the engine has them and takes the value.
    std::map<std::string, std::string> wishes = {};
    ResourceLimits limits = {}; // of each process

    friend bool operator==(const Profile&, const Profile&) = default;
};

// Who the engine says it is; the same for all processes of a pool, or the odd one is refused.
struct Identity {
    std::string name;   // "id name"
    std::string author; // "id author"
    // Every option in force (declared default or set), without those that cannot change answers
    // (Threads = 1 kept, Hash kept; Ponder, Debug Log File, Move Overhead … left out). Sorted.
    std::map<std::string, std::string> options;
    std::string network; // value of EvalFile / WeightsFile or the like, else ""
    friend bool operator==(const Identity&, const Identity&) = default;
};

struct Timeouts {                            // each an absolute deadline for its verb
    std::chrono::milliseconds start{30'000}; // from uci to uciok
    std::chrono::milliseconds ready{60'000}; // isready after options or ucinewgame
    std::chrono::milliseconds stop{5'000};   // from stop to bestmove
    std::chrono::milliseconds quit{1'500};   // each step of the quit ladder: 4.5 s at most
    // Beyond movetime, before the search is stopped.
    std::chrono::milliseconds movetime_grace{5'000};
    // After a doubtful answer a late line is waited for as long as a search usually takes, and so
    // much longer.
    std::chrono::milliseconds clearing{50};
    // Depth and nodes limits: without progress for so long the engine is asked isready. One that
    // does not answer, or only answers for seven such periods, is hung.
    std::chrono::milliseconds silence{600'000};
    // Doubled per consecutive failure, and per death in the last minute, answers or not.
    std::chrono::milliseconds backoff_first{200};
    std::chrono::milliseconds backoff_most{60'000};
};

} // namespace adjourn::engine_bridge
