// TableIndex: the positions of a material as numbers. Mirrored positions share one: without pawns
// White's king stands in the triangle a1–d1–d4, with pawns on files a to d; pieces of the same kind
// are interchangeable.
#pragma once

#include "chess/material.hpp"
#include "chess/position.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace adjourn::chess {

class TableIndex {
public:
    static constexpr int most_men = 4;
    using Squares = std::array<std::uint8_t, most_men>; // of pieces(), the rest 0

    // REQUIRES: two to four men.
    explicit TableIndex(const Material& material);

    const Material& material() const { return material_; }
    // White's king, Black's king, then the others.
    const std::vector<Piece>& pieces() const { return pieces_; }
    std::size_t men() const { return pieces_.size(); }
    // Numbers are below this. Half of them with White to move, these first.
    std::size_t size() const { return 2 * half_; }

    // Of the position that stands for this one and its mirror images.
    std::size_t number(const Squares& squares, Color turn) const;
    // The squares that the number stands for; several men may be on one square, pawns on the last
    // ranks.
    Squares squares(std::size_t number) const;
    Color turn(std::size_t number) const { return number < half_ ? Color::white : Color::black; }

    // nullopt if the position is of another material; with colours exchanged if that makes it this
    // one.
    struct Placed {
        Squares squares;
        Color turn;
    };
    std::optional<Placed> place(const Position& position) const;

private:
    Squares sorted(Squares squares) const;
    std::size_t pack(const Squares& squares) const; // of squares in standard form

    Material material_;
    std::vector<Piece> pieces_;
    bool pawns_;
    std::size_t half_;
};

} // namespace adjourn::chess
