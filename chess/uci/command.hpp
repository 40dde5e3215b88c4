// What a GUI says to a UCI engine: a line of text as a value. Pure; keeps no state.
//
// Lenient, as the protocol asks: words before the first known command are skipped, and so is what
// a command has no use for. What is wrong with the limits of a "go" is told in it.
#pragma once

#include "chess/notation.hpp"
#include "chess/position.hpp"
#include "chess/score.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace adjourn::chess::uci {

struct Uci {};
struct IsReady {};
struct NewGame {};
struct Stop {};
struct PonderHit {};
struct Quit {};

// "setoption name NAME value VALUE"; both may hold blanks. No value is "".
struct SetOption {
    std::string name;
    std::string value;

    friend bool operator==(const SetOption&, const SetOption&) = default;
};

// "position startpos|fen FEN moves …".
struct Game {
    Position start = Position::initial();
    std::vector<Move> moves;   // each legal where it stands
    Position position = start; // after them
    // Why this is not the position that the GUI means, so that no move can be given for it: a board
    // that cannot be read, a move that is not legal. "" if all is well.
    std::string problem;
    std::vector<std::string> notes; // what was overlooked in the FEN, for people
};

// One side's clock.
struct Clock {
    std::chrono::milliseconds left{};
    std::chrono::milliseconds increment{};

    friend bool operator==(const Clock&, const Clock&) = default;
};

struct Go {
    std::optional<Clock> white;
    std::optional<Clock> black;
    std::optional<int> moves_to_go;
    std::optional<std::chrono::milliseconds> movetime;
    std::optional<int> depth;
    std::optional<std::uint64_t> nodes;
    std::optional<int> mate; // moves
    bool infinite = false;
    bool ponder = false;
    std::vector<std::string> searchmoves; // as written
    // What was not as it should be, and what is done instead, for people. A number below its range
    // counts as the least of it. A limit that cannot be read is left out; if none is left then, and
    // it is not infinite, it is depth 1.
    std::vector<std::string> problems;

    friend bool operator==(const Go&, const Go&) = default;
};

// Whether anything but "stop" ends it, once a "ponderhit" has come.
bool limited(const Go& go);

// Nothing to be done: a blank line, what no version of UCI knows, what Adjourn has no use for
// ("debug", "register"), or a command that makes no sense, with the reason.
struct Nothing {
    std::string problem; // for "info string"; "" where there is nothing to say
};

using Command =
    std::variant<Nothing, Uci, IsReady, NewGame, SetOption, Game, Go, Stop, PonderHit, Quit>;

Command parse(std::string_view line);

// How long a move may take by the clock, and when it has taken long enough. Pure: times come in as
// arguments.

// From the start of the move.
struct Allotment {
    std::chrono::milliseconds optimum; // stop here if the choice has been stable
    std::chrono::milliseconds maximum; // stop here whatever happens

    friend bool operator==(const Allotment&, const Allotment&) = default;
};

// `overhead` is what is lost on the way from and to the clock, for each move. Nothing allotted
// exceeds clock − overhead, except that 1 ms is the least.
Allotment allot(const Clock& clock, std::optional<int> moves_to_go,
                std::chrono::milliseconds overhead);
// Of a fixed time for the move: all of it but the overhead, and no less than half.
Allotment allot(std::chrono::milliseconds movetime, std::chrono::milliseconds overhead);

// What a "go" allots the mover; nullopt: no time. A clock that is not told counts as run down.
std::optional<Allotment> allot(const Go& go, Color mover, std::chrono::milliseconds overhead);

// `stable_since`: when the best move last changed. Both from the start of the move.
bool enough(const Allotment& allotment, std::chrono::milliseconds elapsed,
            std::chrono::milliseconds stable_since);

// Report: what a UCI engine says of its search, as lines of text. Pure. The one place outside the
// program where scores are from the side to move.

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
