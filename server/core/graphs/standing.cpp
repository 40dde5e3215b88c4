#include "core/graphs/standing.hpp"

#include <algorithm>

namespace adjourn::server {

Standing stand(const RunView& run, const std::vector<chess::Move>& line) {
    Standing standing{run.root, {}, {}};
    if (run.shown() != nullptr) {
        standing.nodes = line_to_root(run);
        standing.node = run.root_node;
    }
    for (const chess::Move move : line) {
        step(run, standing, move);
    }
    return standing;
}

void step(const RunView& run, Standing& standing, chess::Move move) {
    standing.position.play(move);
    standing.node = run.shown() == nullptr ? std::nullopt
                                           : run.shown()->graph().find(standing.position.packed());
    if (standing.node) {
        standing.nodes.push_back(*standing.node);
    }
}

namespace {

constexpr int claimed_at = 100; // half-moves
constexpr int drawn_at = 150;

} // namespace

std::optional<int> clock_left(const RunView& run, const chess::Position& position) {
    return run.spec.fifty_moves ? std::optional{std::max(0, claimed_at - position.halfmove_clock())}
                                : std::nullopt;
}

bool drawn_by_clock(const RunView& run, const chess::Position& position) {
    return run.spec.fifty_moves && position.halfmove_clock() >= drawn_at &&
           position.terminal() != chess::Terminal::checkmate;
}

std::string clock_note(const RunView& run, const chess::Position& position,
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
