// Evaluation: Σ wᵢ fᵢ(position), a weighted sum of features. Each feature is a difference of
// counts, White's less Black's. A weight is a pair, for the middle of a game and for its end; the
// sum goes from one to the other as pieces leave the board.
#pragma once

#include "chess/position.hpp"
#include "search/negamax.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace adjourn::search {

struct Weight {
    int middle = 0; // centipawns
    int end = 0;
};

// A row of the table of weights: one feature, or up to eight of one kind (by rank, …).
enum class Term : std::uint8_t {
    material,    // pawn, knight, bishop, rook, queen
    bishop_pair, //
    pawn_rank,   // where the pieces stand: by rank, seen from their own side …
    knight_rank,
    bishop_rank,
    rook_rank,
    queen_rank,
    king_rank,
    pawn_file, // … and by distance from the nearer edge
    knight_file,
    bishop_file,
    rook_file,
    queen_file,
    king_file,
    mobility,  // squares a knight, bishop, rook, queen can go to: not own ones, nor a pawn's prey
    open_file, // rooks on files without pawns; without own ones
    doubled,
    isolated,
    backward,
    supported,   // beside or guarded by a pawn
    passed,      // by rank
    passed_king, // steps that the other king is farther from the square in front of it
    shield,      // pawns before the king, one step, two steps
    king_open,   // files at the king without own pawns
    king_ring,   // attacks on squares around the other king by knight, bishop, rook, queen
    pawn_threat, // pieces that a pawn attacks
    loose,       // pieces of the other side that are attacked and not defended
    tempo,
};
inline constexpr std::size_t term_count = static_cast<std::size_t>(Term::tempo) + 1;
inline constexpr std::size_t slots = 8;

struct TermWeights {
    const char* name;
    std::array<Weight, slots> of;
};

// The one table. By hand, then fitted to games: docs/measurements/benchmarks.md.
const std::array<TermWeights, term_count>& evaluation_weights();

// For the side to move. Ignores clocks, repetition and whether the game is over.
Value evaluate(const chess::Position& position);

// What the sum is made of, for tuning: evaluate() is, but for rounding towards zero, for White
// Σ count · (middle · phase + end · (whole_phase − phase)) / whole_phase.
inline constexpr int whole_phase = 24;
struct Features {
    struct Count {
        Term term;
        std::uint8_t slot;
        int count; // White's less Black's, never 0
    };
    std::vector<Count> counts;
    int phase = 0; // whole_phase … 0: the pieces that are left
};
Features features(const chess::Position& position);

} // namespace adjourn::search
