// UCI lines as values: text → struct and struct → text. Pure; knows no position and keeps no state.
// Reading is lenient, as engines differ; a field that makes no sense is as if it were not there.
#pragma once

#include "base/text.hpp"
#include "chess/notation.hpp"
#include "chess/position.hpp"
#include "chess/score.hpp"
#include "engine_bridge/process/job.hpp"
#include "engine_bridge/process/profile.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace adjourn::engine_bridge::uci {

// All string_views point into the line that was parsed.

struct Id {
    enum class Field : std::uint8_t { name, author };
    Field field;
    std::string_view value;
};

struct UciOk {};
struct ReadyOk {};

// "option name … type …". Names and values keep their inner spacing.
struct Option {
    enum class Type : std::uint8_t { check, spin, combo, button, string };
    std::string name;
    Type type = Type::string;
    std::optional<std::string> initial; // "default"; "<empty>" is ""
    std::optional<std::int64_t> min;
    std::optional<std::int64_t> max;
    std::vector<std::string> values; // of a combo

    friend bool operator==(const Option&, const Option&) = default;
};

// From the side to move, as the engine counts: mate in moves, negative = is being mated,
// 0 = is mated.
struct Centipawns {
    int value;
    friend bool operator==(Centipawns, Centipawns) = default;
};
struct Mate {
    int moves;
    friend bool operator==(Mate, Mate) = default;
};
using RawScore = std::variant<Centipawns, Mate>;

struct Info {
    std::optional<int> depth;
    std::optional<int> seldepth;
    int multipv = 1;
    bool names_score = false; // it has the word, be there a score or not
    std::optional<RawScore> score;
    std::optional<chess::WinDrawLoss> wdl; // the mover's
    chess::Bound bound = chess::Bound::exact;
    std::optional<std::uint64_t> nodes;
    std::optional<std::uint64_t> nps;
    std::optional<std::uint64_t> tbhits;
    std::vector<std::string_view> pv; // not checked in any way
    // The first depth or score outside its range (text.hpp) with its name, "mate 2147483647".
    // Nothing of such a line is to be believed. "" if there is none.
    std::string_view out_of_range;
    // The first counter outside its range, "nodes -1294967296". It is as if it were not there, and
    // the rest of the line stands.
    std::string_view odd_counter;
    bool progress = false; // more than an "info string"
};

struct BestMove {
    std::optional<std::string_view> move; // nullopt for all the ways to say "none"
};

struct Other {}; // banners, blank lines, complaints, what no version of UCI knows

using Line = std::variant<Other, Id, UciOk, ReadyOk, Option, Info, BestMove>;

Line parse(std::string_view line);

// The score in the terms of chess/: plies to mate. `tables` says that the line claimed table hits.
// Stockfish 16 and later write a tablebase win as cp 20000 − plies; without table hits such a
// number is taken for plain centipawns. Others write "mate in n plies" as 30000 − n, 32000 − n or
// 100000 − n: read so if n is 1 to 246, odd for the side that mates and even for the other one, and
// without table hits. nullopt: any other number beyond ranges::most_cp or most_mate.
std::optional<chess::Score> to_score(RawScore raw, bool tables);

using base::equal_ignoring_case; // as option names are compared

// Commands, without line end. Nothing in them can hold one.
std::string position_command(const chess::Position& position);
// Moves of a line in UCI's words, up to the first that is not legal there.
template <class Words>
std::vector<chess::Move> legal_part(chess::Position at, const Words& words) {
    std::vector<chess::Move> moves;
    for (const auto& word : words) {
        const auto move = chess::parse_uci(at, word);
        if (!move) {
            break;
        }
        moves.push_back(*move);
        at.play(*move);
    }
    return moves;
}
// searchmoves come last, as several engines take everything after them for moves. A limit of 0
// would mean "none" to some, and is sent as 1.
std::string go_command(const chess::Limit& limit, const chess::Position& position,
                       const std::vector<chess::Move>& searchmoves, chess::CastlingStyle castling);
// nullopt if the name or value holds a line break or another control character: values reach us
// from outside, and must not be able to carry commands.
std::optional<std::string> setoption_command(const Option& option, std::string_view value);

} // namespace adjourn::engine_bridge::uci
