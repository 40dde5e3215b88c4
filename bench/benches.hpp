// The measurements of `adjourn bench NAME`: functions of arguments, which --help explains, and a
// stream that gets one table or some. They return 0 when done, 1 where something could not be
// measured or is not as it has to be, 2 for bad arguments; they block, and throw what a store
// throws.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace adjourn::bench {

// How busy the scheduler keeps real processes: the share of wall time × processes that they
// searched, measured between go and bestmove, while a tree grows.
int run_busy(const std::vector<std::string>& args, std::ostream& out);

// What it costs to tell what the newest of made-up facts changed.
int run_changes(const std::vector<std::string>& args, std::ostream& out);

// Grows the same trees twice, with real processes of `adjourn serve`, `adjourn worker` and
// hash_engine: by one server on a directory, and by workers over HTTP, the store in a PostgreSQL of
// its own. Prints speed and processor time, and whether all evaluations are there, once, and the
// same. 1: something is doubled or different, or does not go on, or there is no PostgreSQL.
int run_cluster(const std::vector<std::string>& args, std::ostream& out);

// How often answers stood after four times the work, against what was said of them
// (analysis/confidence.hpp), on recorded trees.
int run_confidence(const std::vector<std::string>& args, std::ostream& out);

// Memory for a move of a graph, the full solve, and how fast one answer is worked in: made-up
// answers from the initial position, with transpositions and moves to and fro, and a tenth as many
// in a rook endgame in which nearly every move can be taken back. A change is one new answer about
// a move that leads to a leaf. 1: the graph does not verify.
int run_graph(const std::vector<std::string>& args, std::ostream& out);

// How many positions a night over many analyses solves if each has the same work, or twice as much
// goes to those whose answer is least sure; on recorded trees.
int run_night(const std::vector<std::string>& args, std::ostream& out);

// Our perft beside Stockfish's own `go perft`, where that is installed, with one thread each. 1:
// the counts differ.
int run_perft(const std::vector<std::string>& args, std::ostream& out);

// Reads PGN with every move resolved and checked; the same by `pgn-extract -r`, where that is
// installed; and imports it as seeds into a new store.
int run_pgn(const std::vector<std::string>& args, std::ostream& out);

// Plays games of one configuration of our searches against another, both colours of each opening.
// The second has --nodes nodes a move, the first as many times each of --ratios. Prints a row for
// each ratio: score, Elo, their 95 % intervals, and seconds of the processor for each of the two.
// No clock, no chance: the same arguments give the same games.
int run_searches(const std::vector<std::string>& args, std::ostream& out);

// How long a server makes its callers wait while it reads its graphs, while an analysis accepts
// another engine, and while games are imported; and what held the core's thread longest.
int run_serve(const std::vector<std::string>& args, std::ostream& out);

// The same while all processes of its database, a PostgreSQL of its own, are stopped. 1: there is
// no PostgreSQL, or a call failed.
int run_silence(const std::vector<std::string>& args, std::ostream& out);

// Disk for a fact, facts a second in and out, in a new store that is removed afterwards.
int run_store(const std::vector<std::string>& args, std::ostream& out);

// What the root move of each strategy is worth: an engine on contested positions of --epd, all
// contenders at equal nodes, all searches kept in --cache, so that it can be stopped and goes on.
// docs/measurements/benchmarks.md explains the tables.
int run_strategies(const std::vector<std::string>& args, std::ostream& out);

} // namespace adjourn::bench
