// Search: a chess position, what led to it, and limits in; the best moves with values, bounds and
// lines out. Iterative deepening on alpha-beta (negamax.hpp) with a transposition table, killer
// moves, history and static exchange. A UCI loop, a match or a strategy sits on top.
//
// Pure: no I/O, clock, thread or randomness of its own. The same calls in the same order give the
// same answers and the same numbers of nodes, unless time or stop() ends them.
#pragma once

#include "chess/position.hpp"
#include "chess/score.hpp"
#include "search/negamax.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace adjourn::search {

// Evaluation: Σ wᵢ fᵢ(position), a weighted sum of features. Each feature is a difference of
// counts, White's less Black's. A weight is a pair, for the middle of a game and for its end; the
// sum goes from one to the other as pieces leave the board.

// For the side to move. Ignores clocks, repetition and whether the game is over.
Value evaluate(const chess::Position& position);
// The same, as any machine can; for comparison.
Value evaluate_anywhere(const chess::Position& position);

// Interest search: lines are cut not by length but by what they cost. A line has a budget. The best
// move of a position costs one unit, less where there is little choice; a duller one costs more,
// the more so the more moves were tried before it and the larger the budget is. What is better than
// the best one so far, though its line was given less, is searched again with the budget that the
// best move's line has: a dull move must not buy an early end. A move that can no longer make up
// for what the position lacks is left out.
//
// J. Rollason, "Interest Search – Another way to do Minimax", AI Factory newsletter, January 2014,
// and "SUPER-SOMA – Solving tactical exchanges in Shogi without tree searching", Computers and
// Games 2000 (LNCS 2063). Searching again is as in late move reductions. All numbers are ours.
enum class InterestTerm : std::uint8_t {
    // Interest, in hundredths: with 100 a move costs as little as the best one.
    capture, // or promotion, that loses nothing by static exchange
    check,
    plausible, // by history among the quiet moves: the best of them has all of it

    dull,     // hundredths of a unit that a move of no interest costs more, × ln × ln
    in_check, // units / 32 that the best move costs less in check
    futile,   // centipawns by which a dull move that its line's budget ends may better a position
    futile_more, // … and for each unit that is left
};
inline constexpr std::size_t interest_terms =
    static_cast<std::size_t>(InterestTerm::futile_more) + 1;

struct InterestWeight {
    const char* name;
    int points;
    const char* source; // "R": Rollason's list for chess; else ours
};

class InterestWeights {
public:
    InterestWeights(); // the table in interest.cpp
    int operator[](InterestTerm term) const {
        return table_[static_cast<std::size_t>(term)].points;
    }
    void set(InterestTerm term, int points) {
        table_[static_cast<std::size_t>(term)].points = points;
    }
    const std::array<InterestWeight, interest_terms>& table() const { return table_; }

private:
    std::array<InterestWeight, interest_terms> table_;
};

// Which moves a line goes on with. full_width: all, to the same depth; the yardstick. interest: all
// but those of no interest, the interesting ones farther.
enum class Selection : std::uint8_t { full_width, interest };

// What a line is worth where it ends (quiescence.cpp).
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
    InterestWeights interest;
};

struct Limits {
    std::optional<int> depth; // iterations: plies in full width, units of the budget else
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
