// UciEngine: a UCI program with its memory, one question at a time. What it answers depends on
// everything that it was asked since new_game(): a measurement must know when that is emptied.
#pragma once

#include "bench/engine_pipe.hpp"
#include "chess/position.hpp"
#include "chess/score.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace adjourn::bench {

struct Query {
    chess::Position position; // told without history, with clock 0
    std::uint64_t nodes = 1;
    std::vector<chess::Move> only; // sorted; empty: all moves
    int lines = 1;                 // MultiPV
};

struct Found {
    struct Line {
        chess::Move move;
        chess::Score score; // exact; mover's side
        friend bool operator==(const Line&, const Line&) = default;
    };
    std::vector<Line> lines; // best first, different moves; empty: no answer
    int depth = 0;
    std::uint64_t nodes = 0;
    std::uint64_t ms = 0; // wall clock
};

// Its words; where there are none, the Stockfish that is installed.
std::vector<std::string> engine_command(const std::string& text);

class UciEngine {
public:
    // `command`: program and arguments. All functions throw std::runtime_error that names it if it
    // does not start, is gone or is silent. They block.
    UciEngine(std::vector<std::string> command, std::map<std::string, std::string> options);

    // Name and options: whose answers these are.
    const std::string& identity() const { return identity_; }
    void new_game(); // forgets everything
    Found search(const Query& query);

private:
    std::string line(); // the next one
    void ready();

    EnginePipe pipe_;
    std::string identity_;
    int lines_ = 1; // MultiPV as set
};

} // namespace adjourn::bench
