// Moves as text: UCI and SAN, both ways, and whole lines.
#pragma once

#include "chess/position.hpp"

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::chess {

enum class MoveErrorKind : std::uint8_t { syntax, illegal, ambiguous };

struct MoveError {
    MoveErrorKind kind;
    std::string message; // names the move and, for illegal ones, the position
    std::string brief;   // names the move alone

    friend bool operator==(const MoveError&, const MoveError&) = default;
};

enum class CastlingStyle : std::uint8_t {
    standard,  // e1g1 where king and rook stand as in standard chess, else king takes rook
    king_rook, // always king takes rook: what engines get under UCI_Chess960
};

std::string to_uci(const Position& position, Move move,
                   CastlingStyle style = CastlingStyle::standard);
// Accepts both castling styles and upper-case promotion letters. The result is legal.
std::expected<Move, MoveError> parse_uci(const Position& position, std::string_view text);

// With check and mate marks. Precondition: legal.
std::string to_san(const Position& position, Move move);
// The same behind the move's number: "17.Nf5", "14...Rd8".
std::string to_numbered_san(const Position& position, Move move);
// Accepts what people write: missing or superfluous disambiguation, 0-0, e8Q, e.p., !?, +, #.
std::expected<Move, MoveError> parse_san(const Position& position, std::string_view text);

struct LineError {
    std::size_t index; // of the offending move, from 0
    MoveError error;
    std::vector<Move> before; // the moves that stand before it: they are legal
};

inline constexpr std::size_t most_line_moves = 2'000; // moves

// A line of moves: UCI moves or SAN with or without move numbers, separated by blanks or commas
// ("1. e4 c5 2. Nf3", "e2e4 c7c5", "e2e4,c7c5"). Results ("*", "1-0") at the end are skipped.
// Piece letters are English, or those of another language (German "Sf3", French "Cf3") where the
// line cannot be English and all languages that can read it say the same. Each move is legal where
// it stands. At most most_line_moves moves.
std::expected<std::vector<Move>, LineError> parse_line(const Position& start,
                                                       std::string_view text);

// "move 2... 'Ke6' is illegal; legal before it: 1. e4 e5 2. Nf3": by the move's number in the game,
// not by plies.
std::string to_text(const Position& start, const LineError& error);

// "1. e4 c5 2. Nf3" with numbers from the start position's own move number and turn.
std::string to_san_line(const Position& start, const std::vector<Move>& moves);

} // namespace adjourn::chess
