// Search: one "go", from its first moment to its bestmove: when it is over, and what is to be said
// meanwhile. Pure: findings and times come in.
#pragma once

#include "analyst.hpp"
#include "server/uci/settings.hpp"
#include "server/uci/time_manager.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::server::uci {

class Search {
public:
    using Time = std::chrono::steady_clock::time_point;

    // `nodes_per_second`: of one worker, as far as is known.
    Search(Game game, Go go, const Settings& settings, double nodes_per_second, Time start);

    // What the analyst is to do; nullopt where the rules leave no choice of move.
    std::optional<Assignment> assignment() const;
    // searchmoves that are no legal moves here; "" if all are.
    const std::string& problem() const { return problem_; }

    // Takes in what is known now. Returns the "info" lines that are due.
    std::vector<std::string> look(const Finding& finding, Time now);
    void ponderhit(Time now);
    // The GUI wants the move: over as soon as there is one, or after a moment without.
    void stop(Time now);

    bool over(Time now) const;
    // When to look again at the latest, though nothing new has come.
    Time next_look() const;
    // The last "info" lines, if something was not said yet, and "bestmove". `fallback`: the move
    // where the analysis knows none.
    std::vector<std::string> last_words(std::optional<chess::Move> fallback, Time now);

    const Game& game() const { return game_; }
    // The best line; empty if none is known.
    std::vector<chess::Move> best_line() const;

private:
    void start_clock(Time now);
    bool bound_to_clock() const { return allotment_.has_value() && !holding_; }
    std::vector<std::string> say(Time now);
    Report report(Time now) const;

    Game game_;
    Go go_;
    Time start_;
    std::chrono::milliseconds overhead_;
    std::size_t lines_;
    chess::CastlingStyle castling_;
    int refine_;
    analysis::StrategyParameters strategy_;
    analysis::Limit limit_;
    std::vector<chess::Move> searchmoves_;
    std::string problem_;
    std::vector<chess::Move> choice_; // moves that may be played

    bool holding_; // infinite or pondering: no bestmove before the GUI says so
    std::optional<Allotment> allotment_;
    Time clock_start_;
    std::optional<Time> stopped_;

    Finding finding_;
    std::optional<Report> said_;
    Time said_at_;
    bool held_back_ = false; // there is something new that was not said, being too frequent
    Time stable_since_;
};

} // namespace adjourn::server::uci
