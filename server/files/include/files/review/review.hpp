// Review: a game as an analysis sees it, move by move: what was played, what was best, what it
// cost.
#pragma once

#include "chess/winning_chances.hpp"
#include "core/graphs/analysis_run.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace adjourn::server {

struct ReviewedMove {
    chess::Move move;
    std::optional<chess::Score> best; // of the position, from the mover's side; none: not searched
    std::optional<chess::Score> played; // the position after it, from the mover's side
    std::vector<chess::Move> line;      // the best one, from the position before the move
    // In winning chances (chess/winning_chances.hpp), 0 to 2. None without both scores.
    std::optional<double> loss;
    std::optional<double> accuracy; // 0 to 100
    // It is the best, every other move that is known loses 0.2 or more against it, and it is no
    // recapture.
    bool only = false;
    // The move before lost 0.2 or more, and this one gives as much back.
    bool missed = false;
};

struct Review {
    chess::Position start;
    std::vector<ReviewedMove> moves;
    std::vector<std::optional<chess::Score>> scores; // White's, one more than moves
    chess::GameAccuracy accuracy;                    // of what is known from the first position on
    std::size_t searched = 0;                        // positions with a score
};

// Whether `line[ply]` takes on the square where the move before took.
bool is_recapture(const chess::Position& start, std::span<const chess::Move> line, std::size_t ply);

// Values are alpha with the game as history. Empty where the analysis has no tree.
Review review(const AnalysisRun& run, const std::vector<chess::Move>& line);

nlohmann::json review_json(const Review& review);
// The game with [%eval], glyphs by what moves lose, and the better line as a variation where one of
// 0.1 or more was missed.
std::string review_pgn(const Review& review, const std::string& engine);

} // namespace adjourn::server
