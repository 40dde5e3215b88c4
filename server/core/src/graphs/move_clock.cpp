#include "core/graphs/move_clock.hpp"

#include <algorithm>

namespace adjourn::server {

namespace {

constexpr int claimed_at = 100; // half-moves
constexpr int drawn_at = 150;

} // namespace

std::optional<int> clock_left(const AnalysisRun& run, const chess::Position& position) {
    return run.spec.fifty_moves ? std::optional{std::max(0, claimed_at - position.halfmove_clock())}
                                : std::nullopt;
}

bool drawn_by_clock(const AnalysisRun& run, const chess::Position& position) {
    return run.spec.fifty_moves && position.halfmove_clock() >= drawn_at &&
           position.terminal() != chess::Terminal::checkmate;
}

std::string clock_note(const AnalysisRun& run, const chess::Position& position,
                       std::span<const chess::Move> value) {
    const auto left = clock_left(run, position);
    if (!left) {
        return "";
    }
    if (drawn_by_clock(run, position)) {
        return "a draw: 75 moves without a capture or a pawn move";
    }
    if (position.terminal() != chess::Terminal::no) {
        return "";
    }
    if (*left == 0) {
        return "a draw can be claimed: 50 moves without a capture or a pawn move";
    }
    chess::Position at = position;
    for (const chess::Move move : value) {
        at.play(move);
        if (at.halfmove_clock() == 0) {
            break;
        }
        if (at.halfmove_clock() >= claimed_at && at.terminal() != chess::Terminal::checkmate) {
            return "in " + std::to_string(*left) +
                   " half-moves a draw can be claimed, within the line behind the value";
        }
    }
    return "";
}

} // namespace adjourn::server
