// Opening names (lichess-org/chess-openings, CC0), compiled in: by position and by search.
#pragma once

#include "chess/position.hpp"
#include "chess/position_text.hpp"
#include "core/graphs/analysis_run.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace adjourn::server {

// The named openings, compiled in.

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

// {"eco","name"} of the last named position on the way from the start over the root to the end of
// `line`; null where none is.
nlohmann::json opening_json(const RunView& run, const std::vector<chess::Move>& line);

// How many moves of the line, from the first on, end in the last position that has a name.
std::size_t book_moves(const chess::Position& start, const std::vector<chess::Move>& line);

// Openings by words of their names or how these begin, other names and languages
// (data/opening_words.tsv), ECO code, both, or moves; the closest first, of equally close ones that
// with more lines in the book and then the shorter. [{"eco","name","pgn","uci"}].
nlohmann::json search_openings(std::string_view text, std::size_t limit);

// The first one of the search, if every word of the text is in its name or a usual other name;
// null where one would have to guess.
const Opening* opening_called(std::string_view text);

// A position as people type or paste it, opening names among it.

// What chess::parse_position_text() reads, else an opening by name, if every word of
// the text is one of the name or of a usual other name. The error is for people; where the text is
// neither, it names the openings that are near.
std::expected<chess::PositionText, std::string> parse_root_text(std::string_view text);

} // namespace adjourn::server
