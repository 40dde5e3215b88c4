// EPD: a position and what is known of it, one record a line ("… w - - bm Nf3; ce 23; id \"x\";").
// Read as real files write it: with a FEN's clocks, missing semicolons, any encoding.
#pragma once

#include "chess/position.hpp"
#include "chess/score.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::chess {

struct EpdOperation {
    std::string opcode;                // a letter, then letters, digits, '_' or '-'
    std::vector<std::string> operands; // UTF-8, without their quotes

    friend bool operator==(const EpdOperation&, const EpdOperation&) = default;
};

// Something of a record that was left out, or read as what it must mean.
struct EpdNote {
    std::size_t column;   // in bytes, from 1
    std::size_t left_out; // bytes
    std::string message;

    friend bool operator==(const EpdNote&, const EpdNote&) = default;
};

// "column 12: '-' is left out"
std::string to_text(const EpdNote& note);

// The clocks are the position's own: operations hmvc and fmvn are read into it and written from it.
struct EpdRecord {
    Position position = Position::initial();
    std::vector<EpdOperation> operations{}; // in the line's order
    std::vector<EpdNote> told{};            // what else stands in the line

    // The first with this opcode, or null.
    const EpdOperation* find(std::string_view opcode) const;
};

// Whether the line holds no record: blank, or a comment ("#", ";", "//" first).
bool is_epd_comment(std::string_view line);
// One of those in use whose operands are moves, numbers or an id.
bool is_epd_opcode(std::string_view word);

// One record; a byte-order mark and the line's end are skipped. Where a semicolon is missing, an
// opcode that is known begins the next operation, behind moves, numbers and quoted texts; a quoted
// text that is not closed ends before a semicolon with one. What has no opcode, and a number, id or
// line that is there a second time, is left out and told. The error names the field ("castling:
// …").
std::expected<EpdRecord, std::string> parse_epd(std::string_view line);

// One line without its end; quotes and control characters in operands become ' and blanks, empty
// operands "". Reading it gives the same record. Precondition: opcodes as EpdOperation says.
std::string to_epd(const EpdRecord& record);

// What a record says of the best play; scores from the side to move.
struct EpdVerdict {
    std::optional<Score> score;           // dm, else ce, else "bm #5"
    std::optional<int> depth;             // acd, plies
    std::optional<std::uint64_t> nodes;   // acn
    std::optional<std::uint64_t> seconds; // acs
    std::vector<Move> best;               // bm
    std::vector<Move> avoid;              // am
    std::vector<Move> pv;                 // pv; legal one after the other
    std::string id;

    friend bool operator==(const EpdVerdict&, const EpdVerdict&) = default;
};

// The error names the operation ("pv: 'Nd4' is illegal in …").
std::expected<EpdVerdict, std::string> verdict_of(const EpdRecord& record);

// The operations of a verdict, in the order acd acn acs am bm ce dm id pv; moves in SAN, dm only
// where the side to move mates. The inverse of verdict_of, but that a score beyond what ce can say
// is clamped and a tablebase win is 200.00 less a hundredth per ply of DTZ.
std::vector<EpdOperation> operations_of(const Position& position, const EpdVerdict& verdict);

// "ce": centipawns of the side to move; mates are ±(32,767 − plies), from ±30,000 on.
int to_ce(Score score);
std::optional<Score> score_of_ce(int ce); // none that may_be_told() refuses

} // namespace adjourn::chess
