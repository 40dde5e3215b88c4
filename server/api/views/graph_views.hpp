// Views that look at many positions of a graph: plain functions, for readers on any thread.
#pragma once

#include "api/views/view.hpp"
#include "core/graphs/graph_lock.hpp"
#include "files/collections/collection.hpp"
#include "files/kept/kept_file.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::server {

struct Surety;

constexpr std::size_t most_positions_seen = 20'000; // positions, of one view
constexpr std::size_t count_most = 10'000;          // positions below a move: "so many or more"

// Each REQUIRES: run.slot, which `reading` holds. `line` leads on from the root.

nlohmann::json tree_json(const RunView& run, const GraphReading& reading,
                         const std::vector<chess::Move>& line, const TreeLimits& limits);
// Moves at and below the end of `line` whose alpha there is far from the engine's score, largest
// gap first. Looks at 20,000 positions at most, nearest first.
nlohmann::json disagreements_json(const RunView& run, const GraphReading& reading,
                                  const std::vector<chess::Move>& line,
                                  const DisagreementLimits& limits);

// Who else is asked what it says of that (schedule/answer.hpp).
struct Second {
    analysis::EngineId engine{};
    std::string name;
    double noise = 0; // σ, cp
};
// What the answer at the end of `line` rests on, how sure it is, and where the second engine says
// otherwise, which the store knows. Without `verifying`, which the caller adds.
nlohmann::json verdict_json(const RunView& run, const GraphReading& reading,
                            const std::vector<chess::Move>& line, const Surety& surety,
                            const std::optional<Second>& second, const storage::Store& store);
// At the root, of what came after `since` by either engine.
nlohmann::json second_says_json(const RunView& run, const GraphReading& reading,
                                const std::optional<Second>& second, const storage::Store& store,
                                analysis::UnixMs since);
// {"evaluations", "nodes"}: what is left.
nlohmann::json verifying_json(const Verify& work);

// Gaps: where a repertoire has no answer yet. A repertoire is an analysis seen from one side: one
// move of mine in each position, and all moves of theirs that matter.

struct GapLimits {
    chess::Color side = chess::Color::white; // mine
    int within = 30;                         // cp behind their best move that still matters
    std::uint64_t games = 5;                 // of a move of theirs in the collection that matters
    int loses = 30;          // a move of mine is listed as a loss from so many cp behind the best
    bool own_only = false;   // the engine's best move is no answer, only mine are
    std::size_t plies = 30;  // from the end of the line
    std::size_t limit = 100; // of each list
    bool answers = false;    // whether positions with an answer are listed, too
};

// Looks on from the end of `line`, the likeliest position first, each once. Where I am to move, it
// follows one move: mine (imported from a game, or included), of several the best; else, unless
// own_only, the best one. Where they are to move it follows all moves within `within` of the best,
// all played in `games` games of the collection, and those of mine. `collection` may be null.
// Coverage goes by all moves of theirs; by the games alone where there are any. REQUIRES: run.slot.
nlohmann::json gaps_json(const RunView& run, const GraphReading& reading,
                         const std::vector<chess::Move>& line, const GapLimits& limits,
                         std::shared_ptr<const collections::Collection> collection);

// Where a game left its files: from which position, and what its move lost against the best of the
// moves that they have, cp for chart_value; below 0: it is better; nullopt: one has no value. Sorts
// game.known, best first. REQUIRES: `from` is left_from(root, game).
chess::Position left_from(const chess::Position& root, const LeavingGame& game);
std::optional<int> loss_by_leaving(const analysis::Graph& graph, const chess::Position& from,
                                   LeavingGame& game);
// The games as GET gaps tells them. REQUIRES: run.slot.
nlohmann::json left_json(const RunView& run, std::vector<LeavingGame> games);

} // namespace adjourn::server
