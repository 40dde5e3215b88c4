// Interest search as a Game of negamax.hpp: what search.hpp says of it, on the chess of Tree.
#pragma once

#include "search/board_sight.hpp"
#include "search/negamax.hpp"
#include "search/tree.hpp"

namespace adjourn::search {

// What makes a move interesting on the board, whatever the search knows: threats and answers to
// them, pins, ties. One per position; all sets are of squares.
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

// What both sides can still pay, in units / 32: the side to move first.
struct Budgets {
    int mover = 0;
    int other = 0;
};

class InterestTree : public Tree {
public:
    using Rest = Budgets;
    using Tree::Tree;

    class Moves {
    public:
        Moves(InterestTree& tree, Rest rest, int ply);
        std::optional<Step<Move, Rest>> next();

    private:
        struct Candidate { // trivial, since most of the array is never used
            std::uint16_t raw;
            chess::Role role;
            std::uint8_t kind; // quiet, capture, check, promotion, castling
            float interest;
            Move move() const { return Move::from_raw(raw); }
        };

        std::size_t best() const;
        void lower_what_is_like(const Candidate& tried);

        std::array<Candidate, 256> moves_;
        std::size_t size_ = 0;
        std::size_t done_ = 0;
        int paid_ = 0; // what the moves so far cost by themselves
        std::optional<Move> first_;
        Rest rest_;
        const InterestTree& tree_;
    };

    Rest rest_of_iteration(int iteration);
    bool spent(Rest rest, int ply) const {
        return (rest.mover <= options().interest.entry && ply > 0) || ply >= max_ply;
    }
    std::optional<Value> recall(Rest rest, Value alpha, Value beta, int ply) const;
    Moves moves(Rest rest, int ply) { return Moves{*this, rest, ply}; }
    void play(Move move, int ply);
    void refuted(Rest rest, int ply, Move move);
    void remember(Rest rest, Value alpha, Value beta, Value value, Move move, int ply);

private:
    // What a position on the line is, for those below it.
    struct Ply {
        std::optional<Move> first; // best at an earlier visit
        bool principal = true;     // all moves that led here were that
        bool in_check = false;
    };

    std::array<Ply, max_ply + 2> plies_;
    int own_depth_ = 0; // plies that the iteration is meant to have; interest fades beyond
};

} // namespace adjourn::search
