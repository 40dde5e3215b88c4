// Search: one "go", from its first moment to its bestmove: when it is over, and what is to be said
// meanwhile. Pure: findings and times come in.
#pragma once

#include "chess/uci/command.hpp"
#include "core/records/finding.hpp"
#include "uci/deep_analysis.hpp"
#include "uci/settings.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::server::uci {

// How long a move may wait for a first word, and how much a single evaluation may cost in the time
// that chess/uci/command.hpp allots. Pure: times come in as arguments.

using chess::uci::Allotment;
using chess::uci::Clock;

// When a move is made though nobody has said a word of its position, counted as an allotment is: in
// the middle of what the overhead leaves, or of what is on the clock; no later than most_wait.
// nullopt where no time is shown.
std::optional<std::chrono::milliseconds> longest_wait(const Clock& clock);
std::optional<std::chrono::milliseconds> longest_wait(std::chrono::milliseconds movetime,
                                                      std::chrono::milliseconds overhead);

inline constexpr std::chrono::milliseconds most_wait{5'000};

// Nodes of one evaluation, so that a worker of `nodes_per_second` makes about `evaluations` of them
// within `time`. Always a power of two: few different limits let later moves use the evaluations of
// earlier ones.
std::uint64_t evaluation_nodes(std::chrono::milliseconds time, double nodes_per_second,
                               double evaluations);

inline constexpr std::uint64_t least_evaluation_nodes = 128;
inline constexpr std::uint64_t most_evaluation_nodes = 1 << 22;

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

class Search {
public:
    using Time = std::chrono::steady_clock::time_point;

    // `nodes_per_second`: of one worker, as far as is known.
    Search(Game game, Go go, const Settings& settings, double nodes_per_second, Time start);

    // What is to be analysed; nullopt where there is no move, or no position.
    std::optional<SearchRequest> request() const;
    // What it is to do next, once that is done and the mate that was asked for, or a shorter one,
    // may still be found: the same with a larger limit. To be carried out at once.
    std::optional<SearchRequest> next_request();
    // searchmoves that are no legal moves here; "" if all are.
    const std::string& problem() const { return problem_; }

    // Takes in what is known now. Returns the "info" lines that are due.
    std::vector<std::string> look(const Finding& finding, Time now);
    void ponderhit(Time now);
    // The GUI wants the move: over as soon as one is known, or after a moment without.
    void stop(Time now);

    // The time is over and nothing is known: whoever searches should say what it has.
    bool needs_a_word(Time now);
    bool over(Time now) const;
    // It has a limit, or was stopped: nobody has to say another word.
    bool ends_by_itself() const { return !holding_; }
    // When to look again at the latest, though nothing new has come.
    Time next_turn() const;
    // The last "info" lines and "bestmove". `fallback`: what an earlier search expected here, for
    // want of anything better. Where there is a legal move, of searchmoves if they were given, one
    // is named, whether anybody was heard or not.
    std::vector<std::string> last_words(const std::optional<RankedLine>& fallback, Time now);

    const Game& game() const { return game_; }
    // The best line; nullopt if none is known.
    std::optional<RankedLine> best() const;

private:
    void start_clock(Time now);
    bool bound_to_clock() const { return allotment_.has_value() && !holding_; }
    bool refused() const { return !game_.problem.empty(); }
    bool over_by_the_rules() const { return !refused() && choice_.moves().empty(); }
    bool without_engine() const { return !finding_.ready && !finding_.problem.empty(); }
    bool time_is_up(Time now) const;
    Time last_moment() const;
    Time word_due() const;
    bool goal_reached() const;
    bool may_grow() const;
    std::string terminal_line() const;
    std::vector<std::string> say(Time now);
    Report report(Time now) const;
    int depth() const; // that is told

    Game game_;
    Go go_;
    Time start_;
    std::chrono::milliseconds overhead_;
    std::size_t lines_;
    chess::CastlingStyle castling_;
    bool engine_depth_;
    int refine_;
    bool searches_again_ = false; // with larger limits, for a shorter mate
    analysis::StrategyParameters strategy_;
    analysis::Limit limit_;
    std::optional<std::uint64_t> budget_; // nodes
    std::vector<chess::Move> searchmoves_;
    std::string problem_;
    Choice choice_; // of the moves that may be played

    bool holding_; // infinite or pondering: no bestmove before the GUI says so
    std::optional<Allotment> allotment_;
    std::optional<std::chrono::milliseconds> patience_; // nullopt: no clock says how long
    Time clock_start_;
    std::optional<Time> stopped_;

    Finding finding_;
    std::vector<RankedLine> best_;   // what is known, best first
    std::uint64_t nodes_before_ = 0; // of assignments that are done
    std::optional<Report> said_;
    Time said_at_;
    bool said_terminal_ = false;
    bool asked_for_a_word_ = false;
    bool held_back_ = false; // there is something new that was not said, being too frequent
    Time stable_since_;
};

} // namespace adjourn::server::uci
