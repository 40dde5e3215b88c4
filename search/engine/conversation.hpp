// The built-in engine: search/ as a UCI engine, on streams.
#pragma once

#include "chess/score.hpp"

#include <iosfwd>

namespace adjourn::engine {

// Until "quit" or the end of `in`, where a search with a limit is waited for and any other one is
// stopped. A search runs on a thread of its own, which has ended when this
// returns; "stop" and "isready" are answered meanwhile. What is sent cannot make it throw or end:
// what makes no sense is answered with an "info string", and each "go" with one "bestmove", which
// is legal, or (none) where there is no move or no position. Once `out` fails a search ends soon.
void converse(std::istream& in, std::ostream& out);

// What a score of search/ says of the result, for "wdl". Pure.

// For whose score it is. By a curve that was fitted to the engine's own games
// (docs/measurements/benchmarks.md); certain where the score is a mate.
chess::WinDrawLoss chances(chess::Score score);

} // namespace adjourn::engine
