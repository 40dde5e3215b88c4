// Setup: what a FEN says, legal or not. The only way from here to a Position is
// Position::from_setup, which is where illegal positions are refused.
#pragma once

#include "chess/types.hpp"

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace adjourn::chess {

struct Setup {
    std::array<std::optional<Piece>, 64> board{};
    Color turn = Color::white;
    std::uint64_t castling_rooks = 0; // bit per square: rooks that may still castle
    std::optional<Square> en_passant; // the square behind the pawn that just moved two
    int halfmove_clock = 0;           // plies since the last capture or pawn move
    int fullmove_number = 1;

    friend bool operator==(const Setup&, const Setup&) = default;
};

// Where in the FEN and what: {"castling", "no black rook for 'q'"}.
struct FenError {
    // placement | turn | castling | en_passant | halfmove | fullmove | position | packed
    std::string field;
    std::string message; // one sentence, no final full stop

    friend bool operator==(const FenError&, const FenError&) = default;
};

// Reads FEN (four to six fields), with X-FEN and Shredder-FEN castling letters.
// Says nothing about legality.
std::expected<Setup, FenError> parse_fen(std::string_view text);

} // namespace adjourn::chess
