// Evaluation: a made-up but smooth opinion about positions, a pure function of a seed. Neighbouring
// positions have neighbouring values, and a position's own search roughly agrees with what its
// parent expected, so that analysis trees grow as they do with a real engine.
#pragma once

#include "chess/position.hpp"
#include "chess/score.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace hash_engine {

namespace chess = adjourn::chess;

std::uint64_t mix(std::uint64_t a, std::uint64_t b);

struct Opinion {
    chess::Move move;
    chess::Score score; // from the side to move
};

class Evaluation {
public:
    explicit Evaluation(std::uint64_t seed);

    // Every move with the score of the position it leads to, looking one reply further, best first.
    // Equal scores are ordered by the move's encoding. `salt` and `noise` (cp) stand for the limit:
    // each score gets its own deviation of up to ±noise.
    std::vector<Opinion> search(const chess::Position& position,
                                const std::vector<chess::Move>& moves, std::uint64_t salt,
                                int noise) const;
    // One ply only: the best move; nullopt if there is none.
    std::optional<Opinion> best_reply(const chess::Position& position) const;

private:
    int piece_value(chess::Piece piece, chess::Square square) const;
    int balance(const chess::Position& position) const;                // for the side to move
    int gain(const chess::Position& position, chess::Move move) const; // for the mover

    std::uint64_t seed_;
    std::array<std::array<int, 64>, 6> values_{}; // role, square as White sees it
};

} // namespace hash_engine
