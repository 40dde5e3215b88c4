// UciEngine: a UCI program as a Searcher, one question at a time. A measurement must know when the
// engine's memory is emptied.
#pragma once

#include "strategies/searcher.hpp"

#include "engine_pipe.hpp"

#include <map>

namespace adjourn::bench {

// Its words; where there are none, the Stockfish that is installed.
std::vector<std::string> engine_command(const std::string& text);

class UciEngine final : public Searcher {
public:
    // `command`: program and arguments. Throws std::runtime_error that names it if it does not
    // start.
    UciEngine(std::vector<std::string> command, std::map<std::string, std::string> options);

    std::string identity() const override { return identity_; }
    void new_game() override;
    Found search(const Query& query) override;

private:
    std::string line(); // the next one
    void ready();

    EnginePipe pipe_;
    std::string identity_;
    int lines_ = 1; // MultiPV as set
};

} // namespace adjourn::bench
