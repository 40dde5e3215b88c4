// EndgameTable: every position of a material of up to four men without castling rights or en
// passant, with its outcome and the distance to conversion: plies to the next capture, promotion or
// mate, if the winner hurries and the loser delays. Made by retrograde analysis; a few bytes of it
// are worth storing: those of quiet positions (quiet.hpp).
#pragma once

#include "chess/endgame/capture_resolver.hpp"
#include "chess/material.hpp"
#include "chess/position.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace adjourn::chess {

// TableIndex: the positions of a material as numbers. Mirrored positions share one: without pawns
// White's king stands in the triangle a1–d1–d4, with pawns on files a to d; pieces of the same kind
// are interchangeable.
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

struct Conversion {
    Outcome outcome = Outcome::draw; // for the side to move
    int plies = 0;                   // 0 for draws, and for who is mated now

    friend bool operator==(const Conversion&, const Conversion&) = default;
};

// One byte a position: 0 drawn, 1…127 won in so many plies, 128 + n lost in n.
inline constexpr int longest_conversion = 126;
// No such position (illegal, or another index stands for it).
inline constexpr std::uint8_t no_position = 255;
std::uint8_t encode(const Conversion& value);
std::optional<Conversion> decode(std::uint8_t code);

class EndgameTable;
using EndgameTableSet = std::map<std::string, std::shared_ptr<const EndgameTable>>; // by name

class EndgameTable {
public:
    // All tables that one move out of this material leads to, in an order in which they can be
    // made: normalised, without dead ones, the material itself last.
    static std::vector<Material> needed_for(const Material& material);

    // REQUIRES: material is normalised, not dead, of three or four men, and `known` holds the
    // others that are needed. `progress` (may be empty) is told the share that is done, 0 to 1, now
    // and then; what takes longest is four men with pawns: tens of seconds, and 17 MB.
    static std::shared_ptr<const EndgameTable>
    make(const Material& material, const EndgameTableSet& known,
         const std::function<void(double)>& progress = {});

    const Material& material() const { return index_.material(); }
    const TableIndex& index() const { return index_; }
    std::span<const std::uint8_t> codes() const { return codes_; }

    // REQUIRES: legal position of this material in either colour, no castling, no en passant.
    Conversion at(const Position& position) const;

    // The codes to store: as codes(), but where a position does not exist or is not quiet, the code
    // of the position before it, so that they take little room.
    std::vector<std::uint8_t> quiet_codes() const;

private:
    friend class TableMaker;
    explicit EndgameTable(const Material& material) : index_{material} {}
    TableIndex index_;
    std::vector<std::uint8_t> codes_;
};

} // namespace adjourn::chess
