// EndgameTable: every position of a material of up to four men without castling rights or en
// passant, with its outcome and the distance to conversion: plies to the next capture, promotion or
// mate, if the winner hurries and the loser delays. Made by retrograde analysis; a few bytes of it
// are worth storing: those of quiet positions (quiet.hpp).
#pragma once

#include "chess/endgame/capture_resolver.hpp"
#include "chess/endgame/table_index.hpp"
#include "chess/material.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace adjourn::chess {

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
