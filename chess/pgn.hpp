// PGN reader: games as a stream of events, whatever the file's size. Made for real files: any
// encoding, missing or repeated parts, several games; a broken game is reported and the rest goes
// on.
#pragma once

#include "chess/position.hpp"

#include <cstddef>
#include <cstdint>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace adjourn::chess {

struct PgnError {
    std::size_t game; // from 1
    std::size_t line; // from 1, of the input
    std::string message;
    std::size_t column = 0; // in bytes, from 1; 0: not known, or said in the message

    friend bool operator==(const PgnError&, const PgnError&) = default;
};

// "game 3, line 17, column 5: 'Nd4' is illegal in …"
std::string to_text(const PgnError& error);

struct PgnPlace {
    std::size_t line;   // from 1
    std::size_t column; // in bytes, from 1; 0: not known
};

enum class PgnTextKind : std::uint8_t {
    comment,      // {…}
    line_comment, // ; up to the end of the line
    escape,       // % in front of a line
};

// Gets what stands in a game, in the file's order. Texts are UTF-8 (Windows-1252 input is
// converted) and live only during the call. Calls nest: begin_game, tag*, begin_moves, then moves,
// comments, NAGs and variations, end_game; each variation that begins ends.
class PgnVisitor {
public:
    PgnVisitor() = default;
    PgnVisitor(const PgnVisitor&) = default;
    PgnVisitor& operator=(const PgnVisitor&) = default;
    virtual ~PgnVisitor() = default;

    virtual void begin_game() {}
    virtual void tag(std::string_view /*name*/, std::string_view /*value*/) {}
    // After the last tag. `start` is the FEN tag's position or the usual one. Returning false
    // leaves out the moves: end_game comes next.
    virtual bool begin_moves(const Position& /*start*/) { return true; }
    virtual void move(const Position& /*before*/, Move /*move*/) {}
    // The side to move passed.
    virtual void null_move(const Position& /*before*/) {}
    // On the move before, or on what follows if none came yet. Commands such as [%eval] are in it:
    // see pgn_comment.hpp.
    virtual void comment(std::string_view /*text*/) {}
    // On the move before. "!" is 1, "?" 2, "!!" 3, "??" 4, "!?" 5, "?!" 6; 0 to 255.
    virtual void nag(int /*nag*/) {}
    // Asked after each move and where a variation begins: true leaves out what is left of this
    // line, variations and mistakes of it among it. The game's end and result are told as ever.
    virtual bool had_enough() const { return false; }
    // Replaces the move before.
    virtual void begin_variation() {}
    virtual void end_variation() {}
    // The rest of this variation (or, in the main line, of the game) is left out. A game whose FEN
    // is refused has an error before begin_moves, which is then not called.
    virtual void error(const PgnError& /*error*/) {}
    // Something was put right, and the game goes on: before begin_moves.
    virtual void warning(const PgnError& /*warning*/) {}
    // Something was left out, and the line goes on: in a game, before or behind it.
    virtual void left_out(const PgnError& /*what*/) {}
    // "1-0", "0-1", "1/2-1/2" or "*" as in the movetext; empty if it just stops.
    virtual void end_game(std::string_view /*result*/) {}

    // Who wants everything that stands in a file has text() for comment(), is told by mended() what
    // is put right, and a null move is an error.
    virtual bool wants_all() const { return false; }
    // Where it stands: also between tags and, before begin_game, between games.
    virtual void text(PgnTextKind /*kind*/, std::string_view /*text*/, PgnPlace /*at*/) {}
    // "!?" and the like. `plain`: one of the six that the standard has.
    virtual void sign(int nag, bool /*plain*/) { this->nag(nag); }
    // Something was read as what it must mean.
    virtual void mended(const PgnError& /*what*/) {}
};

// Not thread-safe; blocks as the stream does.
class PgnReader {
public:
    // The text must outlive the reader.
    explicit PgnReader(std::string_view text);
    explicit PgnReader(std::istream& in);
    ~PgnReader();

    // Reads the next game; false if there is none left.
    bool read_game(PgnVisitor& visitor);
    // Where reading has come to; from 1, of the input.
    std::size_t line() const;
    bool at_end(); // nothing is left
    // Of the input, in bytes: where what is being told begins, and where reading has come to.
    std::pair<std::size_t, std::size_t> span() const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

struct PgnTag {
    std::string name;
    std::string value;

    friend bool operator==(const PgnTag&, const PgnTag&) = default;
};

// PgnParts: a PGN text in parts of whole games, so that each can be read alone.

class PgnParts {
public:
    // Bytes of one game, which a part must hold as a whole.
    static constexpr std::size_t longest_game = std::size_t{8} << 20;

    struct Part {
        std::string text;
        std::size_t lines_before = 0; // in the file
        std::size_t lines = 0;        // of the text, or of what was left out
        // One game was left out since it is longer than longest_game; the line where it begins.
        std::optional<std::size_t> left_out;
    };
    static constexpr const char* trouble = "the game is longer than 8 MiB; it is left out";

    // Parts have about `size` bytes; more, up to longest_game, where a game is longer. The stream
    // must outlive this.
    PgnParts(std::istream& in, std::size_t size) : in_{in}, size_{size} {}

    // The next games; nullopt at the end, or if the stream is bad(). Blocks as the stream does.
    std::optional<Part> next();

private:
    void fill();
    Part take(std::size_t bytes);
    Part leave_out();

    std::istream& in_;
    std::size_t size_;
    std::string text_; // read, not yet given
    std::size_t lines_ = 0;
    bool ended_ = false;
};

} // namespace adjourn::chess
