// The named openings, compiled in.
#pragma once

#include "chess/position.hpp"

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace adjourn::server {

// Words as they are compared: in lower case without marks, apostrophes and a last s ("King's",
// "kings" and "king" are "king"). All else that is no letter or digit ends a word.
std::vector<std::string> opening_words(std::string_view text);

struct Opening {
    std::string_view eco;
    std::string_view name;
    std::string_view pgn;
    std::vector<chess::Move> moves;
    // Of the name: "Sicilian Defense" and "Najdorf Variation" are parts of one.
    std::vector<std::vector<std::string>> parts;
    std::size_t lines = 0; // of the book whose names are this one, or go on after it
};

// A line of the table: code, name and moves, with tabs between. Without parts; or what is wrong.
std::expected<Opening, std::string> parse_opening(std::string_view line);

class OpeningBook {
public:
    OpeningBook();

    const std::vector<Opening>& all() const { return openings_; }
    // Null where the position has no name.
    const Opening* at(const chess::Position& position) const;

private:
    void add(std::string_view line);

    std::vector<Opening> openings_;
    std::unordered_map<chess::PackedPosition, std::size_t, chess::PackedPositionHash> by_position_;
};

// Read once, at the first call.
const OpeningBook& opening_book();

// Text as it is compared where spelling must not matter.

// Letters and digits in lower case, without marks; ß as ss, æ as a. Apostrophes and combining marks
// are left out, all else, also what is no UTF-8, is ' '.
std::string folded(std::string_view text);

} // namespace adjourn::server
