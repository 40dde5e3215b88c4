// The front end: the conversation of `adjourn uci` with a GUI, from the first line to the
// last. docs/operate/uci.md says what it does with each command.
#pragma once

#include "host/config.hpp"

#include <chrono>
#include <filesystem>
#include <functional>

namespace adjourn::server::uci {

struct FrontEndOptions {
    std::filesystem::path data; // directory of the store that keeps the evaluations
    int input = 0;              // descriptors
    int output = 1;
    int stop = -1; // readable when it is time to go, as "quit" says; −1 = none
    // For an engine that says nothing at its start; then "readyok" comes without it.
    std::chrono::milliseconds patience{10'000};
    // Called on the threads that work for the front end: before the analysis is opened, and on the
    // core's before it hears of a search. Tests hold them there.
    std::function<void()> before_request = {};
};

// Blocks until "quit", the end of the input and of a search with a limit, or an output that nobody
// reads any more. REQUIRES: config.engines is not empty.
void run_front_end(Config config, FrontEndOptions options);

} // namespace adjourn::server::uci
