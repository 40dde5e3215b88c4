// What programs write into PGN comments: commands ([%eval 0.23,18], [%clk 0:03:25.1]), and the
// scores of tournament managers ("+0.93/18 0.38s", "d=16, sd=30, …, wv=1.08, …").
#pragma once

#include "chess/score.hpp"
#include "chess/types.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::chess {

struct PgnEval {
    Score score;              // from White's side
    std::optional<int> depth; // if it is said; ≥ 0

    friend bool operator==(const PgnEval&, const PgnEval&) = default;
};

// "[%name body]" in a comment, whatever its name is.
struct PgnCommand {
    std::string_view whole;
    std::string_view name;
    std::string_view body; // without blanks at the ends
    std::size_t at;        // in the comment
};

// In their order. They live as long as the comment.
std::vector<PgnCommand> commands_in_comment(std::string_view comment);
std::string without_command(std::string_view comment, std::string_view name); // any of the name

// A verdict on the position in which the comment stands. `turn`: who is to move there (after the
// move); tells how many plies "#3" is. With a decimal point or without a depth the number is pawns
// ("0.23", "0.23,18", "2"), else centipawns ("-77,23"); "#3", "#-3" and "-#3" are mates. More than
// 1,000 pawns count as 1,000: see may_be_told(). nullopt: there is no [%eval], or it cannot be
// understood.
std::optional<PgnEval> eval_in_comment(std::string_view comment, Color turn);

// The command as it stands, "[%eval x]", understood or not; nullopt if there is none.
std::optional<std::string_view> eval_command(std::string_view comment);

enum class PgnEngine : std::uint8_t {
    cutechess, // "+0.93/18 0.38s": score and depth, the mover's side; fastchess, WinBoard, Arena
    tcec,      // "d=16, sd=30, mt=…, wv=1.08, …": White's side
};

// What an engine said of the position before the move that it played.
struct PgnVerdict {
    PgnEngine source;
    Score score;             // from the mover's side
    int depth = 0;           // ≥ 1
    std::uint64_t nodes = 0; // 0: not said

    friend bool operator==(const PgnVerdict&, const PgnVerdict&) = default;
};

// `mover`: who made the move that the comment stands behind. Mates ("+M5", "-M4") are plies, odd
// for the side that mates; a number that cannot be is taken as moves. nullopt for anything else,
// such as moves of a book, a score without sign or depth, and depth 0.
std::optional<PgnVerdict> verdict_in_comment(std::string_view comment, Color mover);

// The circles and arrows that somebody drew, and nothing else, as to_text() writes them.
std::string marks_in_comment(std::string_view comment);

// The comment without its commands and without blanks at the ends.
std::string text_of_comment(std::string_view comment);

// What a person drew, then what they wrote.
std::string said_in_comment(std::string_view comment);

// Circles and arrows on a board, as PGN comments have them: [%csl Gd4,Re5] [%cal Ge2e4].

struct BoardMark {
    char color; // 'G', 'R', 'Y', 'B'
    Square from;
    std::optional<Square> to; // of an arrow; a circle has none

    friend bool operator==(const BoardMark&, const BoardMark&) = default;
};

// Circles, then arrows, each in their order. Those that cannot be understood are left out.
std::vector<BoardMark> marks_of(std::string_view comment);

// As commands of at most eight marks, since readers have a longest word; "" if there are none.
std::string to_text(const std::vector<BoardMark>& marks);

enum class NagKind : std::uint8_t {
    move,       // how good the move is: a move has one of them
    assessment, // who is better: one, too
    other,      // any number
};

NagKind nag_kind(int number);

} // namespace adjourn::chess
