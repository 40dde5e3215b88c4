// Affinity: what it saves that questions of one line go to the process whose hash knows it.
#pragma once

#include "engine_bridge/dispatch/pool.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace adjourn::bench {

// A question of a tree.
struct TreeQuestion {
    chess::Position position;
    std::vector<chess::Move> searchmoves; // empty = all legal moves
    std::uint64_t line = 0;               // of the first two moves from the root; never 0
};

// The first `count` questions that the strategy `halving` asks from the initial position, with the
// answers of an engine of its own of depth `depth`, as they would go out one by one. Blocks.
// Throws std::runtime_error if the engine does not start.
std::vector<TreeQuestion> questions_of_tree(const std::string& engine, std::size_t count,
                                            int depth);

enum class Arrangement : std::uint8_t {
    empty,    // each search begins with an empty hash
    any,      // whichever process is free
    affinity, // as the product does: whoever knows the line, if there is one
};

struct ArrangementCost {
    std::uint64_t nodes = 0; // of all searches
    double seconds = 0;      // wall clock
    std::size_t unanswered = 0;
};

// Asks them all of `profile.count` processes, two ahead for each, to that depth. Blocks. Throws
// std::runtime_error where no process can be started.
ArrangementCost ask_all(const std::vector<TreeQuestion>& questions, int depth,
                        engine_bridge::Profile profile, Arrangement arrangement);

} // namespace adjourn::bench
