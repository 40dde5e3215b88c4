// Review: a game as an analysis sees it, move by move: what was played, what was best, what it
// cost.
#pragma once

#include "chess/game_tree.hpp"
#include "chess/score.hpp"
#include "core/graphs/analysis_run.hpp"
#include "core/graphs/graph_lock.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace adjourn::server {

inline constexpr std::size_t longest_better_line = 12; // plies

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
    // A position of a named opening comes behind it. What loses less than a blunder is not blamed.
    bool book = false;
};

// What the move is blamed for, as a NAG: 6, 2, 4; 0: nothing.
int blame(const ReviewedMove& move);

struct Review {
    chess::Position start;
    std::vector<ReviewedMove> moves;
    std::vector<std::optional<chess::Score>> scores; // White's, one more than moves
    chess::GameAccuracy accuracy;                    // of what is known from the first position on
    std::size_t searched = 0;                        // positions with a score
};

// Whether `line[ply]` takes on the square where the move before took.
bool is_recapture(const chess::Position& start, std::span<const chess::Move> line, std::size_t ply);

// Values are alpha with the game as history. `line` leads on from the root. With `better_plies` 0
// without better lines. Empty where the analysis has no tree. For readers.
Review review(const RunView& run, const GraphReading& reading, const std::vector<chess::Move>& line,
              std::size_t better_plies = longest_better_line);

// Better lines that the tree knows only a few moves of, longer: as the engine told them. Reads the
// store; any thread.
void lengthen(Review& review, const storage::Store& store);

nlohmann::json review_json(const Review& review);
// "inaccuracy", "mistake", "blunder"; null: the move is not blamed.
const char* judgement_of(const ReviewedMove& move);
// {accuracy, inaccuracies, mistakes, blunders}
nlohmann::json side_json(const Review& review, chess::Color side);

// "Mistake. 9...Qh3 keeps the advantage."; "" where there is nothing to say.
std::string review_words(const Review& review, std::size_t ply);

// `game` with scores, glyphs where the person has none, words, and the better line as a variation
// where a move is blamed. Its main line leads through review.start, and has the moves reviewed from
// there. All that it has stays, but for what an export or a review added before.
chess::AnnotatedGame annotated(const Review& review, chess::AnnotatedGame game,
                               const std::string& engine);
// A game of the reviewed moves and nothing else.
chess::AnnotatedGame reviewed_game(const Review& review);

// Whether a review has a score of the position. REQUIRES: run.slot.
bool is_known(const RunView& run, const chess::Position& position);

// GameLine: what a review of a game is about: its main line from the root of an analysis on. Pure.

struct GameLine {
    std::vector<chess::PgnTag> tags;
    std::string result;
    std::size_t plies = 0;           // of its whole main line
    std::vector<chess::Move> moves;  // of its main line, from the root on
    std::vector<std::string> clocks; // [%clk] behind each of them; "": there is none
    std::string reason;              // why it cannot be reviewed; "": it can
};

GameLine game_line(const chess::AnnotatedGame& game, const chess::Position& root);

} // namespace adjourn::server
