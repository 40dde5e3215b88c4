// A position as people paste it: FEN, EPD, moves, a line of a UCI conversation, a game.
#pragma once

#include "chess/position.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::chess {

// The position meant is the one after `moves`; they are legal, one after the other.
struct PositionText {
    Position start = Position::initial();
    std::vector<Move> moves;

    friend bool operator==(const PositionText&, const PositionText&) = default;
};

// What stands in `text`, told by its structure, never by a word inside it:
// * a FEN of four to six fields (standard, X-FEN, Shredder-FEN; '_' for blanks, too), also after
//   "fen" or "position fen", or an EPD record; moves may follow, after the word "moves" or not;
// * "startpos", also after "position", with moves or without;
// * moves alone, from the start position: UCI, or SAN with or without numbers, comments,
//   variations, NAGs and a result, in the letters of any language that parse_line() reads;
// * a PGN game that begins with a tag: its main line.
// Quotes round all of it are left out. The error names the place ("castling: …", "move 2. 'Ke3' …",
// "game 1, line 3: …").
std::expected<PositionText, std::string> parse_position_text(std::string_view text);

// The first position of a file's content: the first record if that is a FEN or EPD record, else the
// end of the first game's main line. `cut`: the content is only the beginning of the file. The
// error names the line.
std::expected<PositionText, std::string> parse_position_file(std::string_view content,
                                                             bool cut = false);

} // namespace adjourn::chess
