// What of an analysis goes into a file. The files: docs/guide/import-export.md,
// docs/measurements/formats-corpus.md.
#pragma once

#include "chess/position.hpp"
#include "chess/score.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace adjourn::server {

// Where a PGN file says something of a move.
enum class CommentDensity : std::uint8_t {
    all,
    branches, // where there is a choice, and at the ends of lines
    leaves,   // at the ends of lines
    none,     // nowhere; what people wrote is not the engine's
};

// What of a person's work goes into a file: the games that they brought, moves that they included,
// notes and what they drew.
enum class OwnPart : std::uint8_t {
    all,
    annotated, // moves that lead to something said
    none,
};

// What of the engine's goes in.
enum class EnginePart : std::uint8_t {
    all,  // moves within the margin
    best, // of each position the best move
    none, // nor scores of the person's moves
};

struct PgnOptions {
    bool from_game = false; // begins where the analysis's moves begin, with these moves
    CommentDensity comments = CommentDensity::all;
    bool nags = false;   // $6, $2, $4 by what a move loses (chess/winning_chances.hpp)
    bool arrows = false; // [%cal] for the moves of a choice, the best one green
};

// Bounds are the engine's; the person's work is always there.
struct ExportLimits {
    int margin = 30;                 // cp behind the best move of each position
    std::size_t plies = 20;          // from the exported position
    std::size_t max_moves = 100'000; // in the whole file
    // A repertoire: this side has the person's answer alone, without one its best move; the other
    // side has all within the margin.
    std::optional<chess::Color> one_sided{};
    PgnOptions pgn{};
    OwnPart mine = OwnPart::all;
    EnginePart engine = EnginePart::all;
    bool own_only = false; // of a repertoire: no best move where the person has no answer
};

// Of the 3,000 moves that a chapter of a lichess study holds (lila, Chapter.maxNodes); the others
// are the game's before them, and the person's.
inline constexpr std::size_t most_for_study = 2'500;

// Of a move of a Polyglot book: 10,000 of the best one; ten centipawns behind it halve the weight,
// down to 1.
std::uint16_t book_weight(chess::Score best, chess::Score score);

} // namespace adjourn::server
