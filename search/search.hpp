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

// Interest search: lines are cut not by length but by what they cost. A move costs unit / interest,
// on top of what the moves tried before it at the position cost, and a line goes on while the side
// that pays still can. The threshold grows in small steps from iteration to iteration.
//
// J. Rollason, "Interest Search – Another way to do Minimax", AI Factory newsletter, January 2014,
// and "SUPER-SOMA – Solving tactical exchanges in Shogi without tree searching", Computers and
// Games 2000 (LNCS 2063). The source's own numbers are not public: all of these are ours.
//
// Both sides have budgets of their own. With one for both, a dull move would use up what the reply
// to it needs, and the line would end with it, unanswered.
// What makes a move interesting.
enum class InterestTerm : std::uint8_t {
    replies,       // divided by the number of legal moves: the base
    check_evasion, // the base as much again, for each so many hundredths
    after_check,   // one's own last move gave check
    takes_checker,
    last_best,  // of the last visit to this position
    principal,  // every move of the line was last_best, and so is this
    killer,     // cut off at another position of the same ply
    reply,      // cut off after the same move of the opponent
    follow_on,  // cut off after the same move of one's own before
    best_quiet, // the best by history of those that take nothing
    capture,    // that loses nothing by static exchange
    winning,    // that gains; on top
    recapture,  // on the square of the opponent's last move
    check,
    promotion,
    pin,       // of a piece to one of more value behind it
    attack,    // on a piece of more value, or an undefended one
    answer,    // moves a threatened piece, or takes what threatens one
    tie,       // leaves a piece that it alone defends; lowers
    plausible, // by history among the quiet moves: the best of them has all of it
    losing,    // by static exchange; hundredths of the interest that are left
    same_from, // likeness to each move tried before it here; hundredths that are left
    same_piece,
    same_kind,
    same_target,
    beyond, // each ply beyond the iteration's own depth; hundredths that are left
    least,  // no move has less
    carry,  // hundredths of what was tried before that a move pays on top
};
inline constexpr std::size_t interest_terms = static_cast<std::size_t>(InterestTerm::carry) + 1;

struct InterestWeight {
    const char* name;
    int points;
    const char* source; // "R": Rollason's list for chess; "S": his for shogi; else ours
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

// Budgets are counted in units / 32; a move of interest 100 costs one unit.
inline constexpr int interest_unit = 32;

// What a dull move, one that its side can no longer pay, is worth at the end of the budget.
enum class DullMoves : std::uint8_t {
    answered, // as it stands if that is no gain; else the opponent has his whole budget to answer
    counted,  // as it stands: it may end the line early
    left_out, // nothing, unless there is no other
};

struct InterestOptions {
    InterestWeights weights;
    int step = 14; // of the threshold from iteration to iteration, in units / 32
    // A side with no more than that does not go on, in units / 32. Every rest, however small, would
    // else pay for a look at all moves.
    int entry = 29;
    bool budgets_apart = true; // false: one for both, for comparison
    DullMoves dull = DullMoves::answered;
};

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
