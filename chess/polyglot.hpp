// Keys of the Polyglot opening-book format.
#pragma once

#include "chess/position.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace adjourn::chess {

// The key under which books file a position. Differs from Position::hash() in two ways: the
// en-passant file counts whenever a pawn of the side to move stands beside the pawn that has just
// moved two, even if taking it is illegal (Position::double_push); and each side's two castling
// rights have one key each, wherever the rook stands (Chess960).
std::uint64_t polyglot_key(const Position& position);

// Polyglot opening books: entries of 16 bytes, big-endian, sorted by key, so that a program finds a
// position by bisection. Moves are those of the key's position; keys: chess/polyglot.hpp.

struct BookEntry {
    std::uint64_t key = 0;
    std::uint16_t move = 0; // the book's own encoding: book_move()
    std::uint16_t weight = 0;
    std::uint32_t learn = 0;

    friend bool operator==(const BookEntry&, const BookEntry&) = default;
};

// to file, to rank, from file, from rank: three bits each from the lowest; then the promotion role,
// 1 (knight) to 4 (queen). Castling is king takes rook, as in Move.
std::uint16_t book_move(Move move);

// The file's bytes: sorted by key, then by weight, heaviest first; of one key and move only the
// heaviest entry is kept.
std::string write_book(std::vector<BookEntry> entries);

} // namespace adjourn::chess
