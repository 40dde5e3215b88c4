// FrontEnd: the conversation of `adjourn uci` with a GUI, from the first line to the
// last. docs/operate/uci.md says what it does with each command.
#pragma once

#include "host/config.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>

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

class FrontEnd {
public:
    // REQUIRES: config.engines is not empty.
    FrontEnd(Config config, FrontEndOptions options);
    ~FrontEnd();
    FrontEnd(const FrontEnd&) = delete;
    FrontEnd& operator=(const FrontEnd&) = delete;

    // Blocks until "quit", the end of the input and of a search with a limit, or an output that
    // nobody reads any more.
    void run();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace adjourn::server::uci
