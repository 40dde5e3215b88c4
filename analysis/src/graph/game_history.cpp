#include "analysis/game_history.hpp"

#include "base/contains.hpp"

namespace adjourn::analysis {

std::vector<chess::Position> repeated_before(const chess::Position& start,
                                             std::span<const chess::Move> moves) {
    std::vector<chess::Position> once;
    std::vector<chess::Position> repeated;
    chess::Position position = start;
    for (const chess::Move move : moves) {
        if (position.is_irreversible(move)) {
            once.clear();
            repeated.clear();
        } else if (!base::contains(once, position)) {
            once.push_back(position);
        } else if (!base::contains(repeated, position)) {
            repeated.push_back(position);
        }
        position.play(move);
    }
    std::erase(repeated, position);
    return repeated;
}

} // namespace adjourn::analysis
