// Report: what a UCI engine says of its search, as lines of text. Pure. The one place outside the
// program where scores are from the side to move.
#pragma once

#include "analysis/records.hpp"
#include "chess/notation.hpp"
#include "chess/score.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server::uci {

struct RankedLine {
    chess::Score score;          // side to move
    std::vector<chess::Move> pv; // not empty
    analysis::Bound bound = analysis::Bound::exact;

    friend bool operator==(const RankedLine&, const RankedLine&) = default;
};

struct Report {
    int depth = 0;                 // settled
    std::vector<RankedLine> lines; // best first
    std::uint64_t nodes = 0;
    std::chrono::milliseconds time{};
};

// "cp 23", "mate -3", tables as Stockfish writes them: "cp 20000" less the plies to the next
// zeroing move.
std::string score_text(chess::Score score);

// One "info" line for each ranked line; one without score if there is none. Without line ends.
std::vector<std::string> info_lines(const Report& report, const chess::Position& position,
                                    chess::CastlingStyle castling);

// "bestmove e2e4 ponder e7e5"; "bestmove (none)" of an empty line.
std::string bestmove_line(const chess::Position& position, const std::vector<chess::Move>& pv,
                          chess::CastlingStyle castling);

// What is said before a bestmove that nobody has searched.
inline constexpr std::string_view any_legal_move = "any legal move is played";

// "info string …" on one line, whatever the text.
std::string info_string(const std::string& text);

} // namespace adjourn::server::uci
