// What scores are worth in chances to win, and how well a game was played by them. All formulas are
// those of lichess (https://lichess.org/page/accuracy; lila, AccuracyPercent and WinPercent).
#pragma once

#include "chess/score.hpp"
#include "chess/types.hpp"

#include <optional>
#include <vector>

namespace adjourn::chess {

// From 0 (lost) to 100 (won), 50 is even; of the side that the score is of. Scores beyond 10 pawns
// and mates count as 10 pawns.
double win_percent(Score score);
// The same from -1 to 1.
double winning_chances(Score score);

// How well a move was played, 0 to 100: by win_percent of its mover before and after it.
double move_accuracy(double before, double after);

// Of one game: for each side the mean of the volatility-weighted mean and the harmonic mean of its
// moves' accuracies. `white` are White's win percentages of all positions from before the first
// move to after the last; `first` is who moves first. Nothing for a side that has not moved.
struct GameAccuracy {
    std::optional<double> white;
    std::optional<double> black;
};
GameAccuracy game_accuracy(const std::vector<double>& white, Color first);

// What a move loses in winning chances (0 to 2) as a NAG: 6 (dubious, from 0.1), 2 (mistake, from
// 0.2), 4 (blunder, from 0.3); 0 below.
int nag_of_loss(double loss);

} // namespace adjourn::chess
