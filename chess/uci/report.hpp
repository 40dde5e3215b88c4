// Report: what a UCI engine says of its search, as lines of text. Pure. The one place outside the
// program where scores are from the side to move.
#pragma once

#include "chess/notation.hpp"
#include "chess/score.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::chess::uci {

struct RankedLine {
    Score score;          // side to move
    std::vector<Move> pv; // not empty
    Bound bound = Bound::exact;
    std::optional<WinDrawLoss> wdl = {}; // side to move
    int depth = 0;                       // 0: the report's

    friend bool operator==(const RankedLine&, const RankedLine&) = default;
};

struct Report {
    int depth = 0;                 // complete
    std::vector<RankedLine> lines; // best first
    std::uint64_t nodes = 0;
    std::chrono::milliseconds time{};
    int longest = 0;                  // plies of any line looked at; 0: those of the lines told
    std::optional<int> hashfull = {}; // permille
};

// "cp 23", "mate -3", tables as Stockfish writes them: "cp 20000" less the plies to the next
// zeroing move.
std::string score_text(Score score);

// One "info" line for each ranked line; one without score if there is none. Without line ends.
std::vector<std::string> info_lines(const Report& report, const Position& position,
                                    CastlingStyle castling);

// "bestmove e2e4 ponder e7e5"; "bestmove (none)" of an empty line.
std::string bestmove_line(const Position& position, const std::vector<Move>& pv,
                          CastlingStyle castling);

// What is said before a bestmove that nobody has searched.
inline constexpr std::string_view any_legal_move = "any legal move is played";

// "info string …" on one line, whatever the text.
std::string info_string(const std::string& text);

} // namespace adjourn::chess::uci
