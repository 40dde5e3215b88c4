// Opening an analysis: its store, and engines that start. May take seconds (a slow disk, engines of
// other options that have to go first), so it is done on a thread of its own.
#pragma once

#include "base/files.hpp"
#include "uci/deep_analysis.hpp"
#include "uci/front_end.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace adjourn::server::uci {

struct OpenAnalysis {
    std::unique_ptr<DeepAnalysis> analysis; // nullptr: there is none
    // Holds its store, where the data directory cannot be had.
    std::unique_ptr<base::ScratchDirectory> temporary;
    std::vector<std::string> notes = {}; // for people
    std::string problem = {};            // why there is none
};

class Opening {
public:
    // Ends `before`, whose temporary store goes on being used, and opens another. `news` is that of
    // DeepAnalysis, and called when take() has something. Returns at once.
    Opening(Config config, FrontEndOptions options, std::function<void()> news,
            OpenAnalysis before);

    // Once; nullopt before it is open. Never waits.
    std::optional<OpenAnalysis> take();

private:
    std::mutex mutex_;
    std::optional<OpenAnalysis> open_;
    std::jthread thread_; // the destructor waits for it
};

// Choice: which of the things known about a position is the answer, and how far its line goes.
// Pure.

class Choice {
public:
    // REQUIRES: game.problem is empty. `moves`: those that may be played.
    Choice(const Game& game, std::vector<chess::Move> moves);

    const std::vector<chess::Move>& moves() const { return moves_; }
    bool holds(chess::Move move) const;
    // The best `most`, best first; each begins with one of the moves. The tree's lines, behind that
    // of a search of the position itself where they stand on less than what it says by now; else
    // what the store has. Empty where nothing is known.
    std::vector<RankedLine> lines(const Finding& finding, std::size_t most = 1) const;
    // The line up to where the game is over, or stands where the line or twice the game has been
    // before; a move into such a position of the game is worth 0. Same first move.
    RankedLine within_the_game(RankedLine line) const;

private:
    chess::Position position_;
    std::vector<chess::PackedPosition> past_; // what occurred twice in the game and can still recur
    std::vector<chess::Move> moves_;
};

} // namespace adjourn::server::uci
