// Searcher: an engine process with its memory. What it answers depends on everything that it was
// asked since new_game().
#pragma once

#include "chess/position.hpp"
#include "chess/score.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace adjourn::bench {

struct Query {
    chess::Position position; // told without history, with clock 0
    std::uint64_t nodes = 1;
    std::vector<chess::Move> only; // sorted; empty: all moves
    int lines = 1;                 // MultiPV
    int depth = 0;                 // not 0: plies, instead of nodes
};
// One line of text, different for different queries.
std::string to_text(const Query& query);

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

    bool same_words(const Found& other) const { return lines == other.lines; }
};

class Searcher {
public:
    virtual ~Searcher() = default;

    // Name and options: whose answers these are.
    virtual std::string identity() const = 0;
    // Forgets everything.
    virtual void new_game() = 0;
    // Blocks. Throws std::runtime_error if the engine is gone.
    virtual Found search(const Query& query) = 0;
};

} // namespace adjourn::bench
