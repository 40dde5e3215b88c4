// Search: a chess position, what led to it, and limits in; the best moves with values, bounds and
// lines out. Iterative deepening on alpha-beta (negamax.hpp) with a transposition table, killer
// moves, history and static exchange. A UCI loop, a match or a strategy sits on top.
//
// Pure: no I/O, clock, thread or randomness of its own. The same calls in the same order give the
// same answers and the same numbers of nodes, unless time or stop() ends them.
#pragma once

#include "search/evaluation.hpp"
#include "search/interest.hpp"

#include "chess/position.hpp"
#include "chess/score.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace adjourn::search {

// Which moves a line goes on with. full_width: all, to the same depth; the yardstick, without null
// moves or reductions. interest: interest.hpp.
enum class Selection : std::uint8_t { full_width, interest };

// What a line is worth where it ends (quiescence.hpp).
enum class Quiescence : std::uint8_t { none, captures, consistency };

// What the table may answer for: only searches of the same size, or larger ones, too.
enum class TableUse : std::uint8_t { none, same, larger };

struct ConsistencyOptions {
    int threshold = 40;   // centipawns
    int loosening = 25;   // percent of it, added with each ply
    int most_plies = 10;  // of a line
    int most_nodes = 400; // of one leaf; then positions are worth what they look like
};

struct Options {
    Selection selection = Selection::full_width;
    Quiescence quiescence = Quiescence::captures;
    TableUse table = TableUse::larger;
    std::size_t table_bytes = std::size_t{16} << 20;
    // For the side to move, and the same with colours exchanged.
    Value (*evaluate)(const chess::Position&) = &search::evaluate;
    ConsistencyOptions consistency;
    InterestOptions interest;
};

struct Limits {
    std::optional<int> depth; // iterations: plies in full width, steps of the threshold else
    std::optional<std::uint64_t> nodes;
    std::optional<std::int64_t> milliseconds; // needs Hooks::clock
};

struct Query {
    chess::Position root = chess::Position::initial();
    // Hashes of the positions before the root, oldest first. What occurred twice there is a draw,
    // and so is what occurs twice from the root on.
    std::vector<std::uint64_t> history;
    std::vector<chess::Move> moves = {}; // only these at the root; empty: all
    int lines = 1;                       // so many best moves (MultiPV), ≥ 1
    Limits limits;
};

struct Line {
    Value value = 0;
    chess::Bound bound = chess::Bound::exact;
    std::vector<chess::Move> moves; // at least the root's
    int iteration = 0;              // that found it; 0: none did
    chess::Score score() const { return score_of(value); }
};

// After each iteration, and after one that the limits ended.
struct Info {
    int iteration = 0; // the last that was begun
    int longest = 0;   // plies, quiescence included
    std::uint64_t nodes = 0;
    std::int64_t milliseconds = 0;  // 0 without a clock
    const std::vector<Line>& lines; // as they would be in a result; not empty
};

struct Hooks {
    std::function<std::int64_t()> clock; // milliseconds, from any start
    std::function<bool()> stop;          // asked about once in a thousand nodes
    std::function<void(const Info&)> inform;
};

struct Result {
    // Best first; empty only where there is no move, fewer than were asked for only if not even the
    // first iteration ended. Those of the last iteration, also if that did not end: then a line
    // that it found is a lower bound, and the others are of the iteration before.
    std::vector<Line> lines;
    int iterations = 0; // complete ones
    int longest = 0;
    std::uint64_t nodes = 0; // moves played on the board
};

class Search {
public:
    explicit Search(const Options& options);
    ~Search();
    Search(Search&&) noexcept;
    Search& operator=(Search&&) noexcept;

    Result run(const Query& query, const Hooks& hooks = {});
    // Forgets all that earlier searches found.
    void clear();
    // How full of what this search found the table is, permille. Also while it runs, from its
    // hooks.
    int hashfull() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace adjourn::search
