// What makes a move interesting on the board, whatever the search knows: threats and answers to
// them, pins, ties. One per position; all sets are of squares.
#pragma once

#include "search/board_sight.hpp"

namespace adjourn::search {

class InterestSight {
public:
    explicit InterestSight(const chess::Position& position);

    Bitboard checkers() const { return checkers_; }
    bool gives_check(chess::Move move) const { return checks_.gives_check(move); }
    // Of a move that is no castling: it moves a threatened piece, or takes what threatens one.
    bool answers(chess::Move move) const {
        return (threatened_ & bit_of(move.from())) != 0 || (threats_ & bit_of(move.to())) != 0;
    }
    // From where it stands then it attacks a piece of more value, or an undefended one, that it did
    // not attack before.
    bool attacks(chess::Role role, chess::Move move) const;
    // A piece of the other side stands alone between it and one of more value.
    bool pins(chess::Role role, chess::Move move) const;
    // It alone defends a piece that is attacked.
    bool tied(chess::Move move) const { return (ties_ & bit_of(move.from())) != 0; }

private:
    const chess::Position& position_;
    CheckSight checks_;
    Bitboard checkers_ = 0;
    Bitboard threatened_ = 0; // own pieces attacked by a lesser one, or undefended
    Bitboard threats_ = 0;    // what attacks those
    Bitboard ties_ = 0;
    std::array<Bitboard, 6> prey_{}; // for each role: of more value, or undefended
};

} // namespace adjourn::search
