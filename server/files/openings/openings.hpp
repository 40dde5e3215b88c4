// Opening names (lichess-org/chess-openings, CC0), compiled in: by position and by search.
#pragma once

#include "chess/position_text.hpp"
#include "core/graphs/analysis_run.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

// {"eco","name"} of the last named position on the way from the start over the root to the end of
// `line`; null where none is.
nlohmann::json opening_json(const RunView& run, const std::vector<chess::Move>& line);

// How many moves of the line, from the first on, end in the last position that has a name.
std::size_t book_moves(const chess::Position& start, const std::vector<chess::Move>& line);

// Openings by words of their names or how these begin, other names and languages
// (data/opening_words.tsv), ECO code, both, or moves; the closest first, of equally close ones that
// with more lines in the book and then the shorter. [{"eco","name","pgn","uci"}].
nlohmann::json search_openings(std::string_view text, std::size_t limit);

struct NamedOpening {
    std::string eco;
    std::string name;
    std::vector<chess::Move> moves; // from the start position
};
// The first one of the search, if every word of the text is in its name or a usual other name;
// nothing where one would have to guess.
std::optional<NamedOpening> opening_called(std::string_view text);

// A position as people type or paste it, opening names among it.

// What chess::parse_position_text() reads, else an opening by name, if every word of
// the text is one of the name or of a usual other name. The error is for people; where the text is
// neither, it names the openings that are near.
std::expected<chess::PositionText, std::string> parse_root_text(std::string_view text);

} // namespace adjourn::server
