// CaptureResolver: what a position is worth, by tables of quiet positions only.
//
// Two questions, one for each side: can it force a win? From a position that is not quiet all moves
// are looked at, nearest positions first, until quiet positions are met and looked up. A position
// is decided by one move that gives its mover what he wants, or by all that do not, and decisions
// spread backwards. Captures end soon, since pieces run out; but other moves may attack and evade
// for ever (a rook that is chased keeps running). These positions are finitely many and each is
// explored once, in a large region only those of one defence that holds: when none is left, what
// is still undecided cannot be forced, and if neither side can force a win it is a draw.
#pragma once

#include "chess/position.hpp"
#include "chess/score.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace adjourn::chess {

bool is_quiet(const Position& position);

// By best play, without the 50-move rule; for the side to move.
enum class Outcome : std::int8_t { loss = -1, draw = 0, win = 1 };

class QuietTable {
public:
    virtual ~QuietTable() = default;
    // REQUIRES: is_quiet(position), terminal() is `no`. nullopt: not covered.
    virtual std::optional<Outcome> outcome(const Position& position) const = 0;
};

class CaptureResolver {
public:
    // REQUIRES: the table outlives the resolver.
    explicit CaptureResolver(const QuietTable& table);
    ~CaptureResolver();

    // nullopt: castling rights, or the search met something that is not covered. Not for several
    // threads at once: what was found out is kept for the next call (the answers do not depend on
    // it).
    std::optional<Outcome> outcome(const Position& position);

    struct Effort {
        std::size_t positions = 0;      // explored in all
        std::size_t largest_region = 0; // positions met by one question
    };
    const Effort& effort() const;

private:
    struct Search;
    std::unique_ptr<Search> search_;
};

} // namespace adjourn::chess
