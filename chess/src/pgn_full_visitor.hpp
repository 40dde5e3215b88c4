// A visitor that is told everything that stands in a file, what is put right included.
#pragma once

#include "chess/pgn.hpp"

namespace adjourn::chess::detail {

struct PgnPlace {
    std::size_t line;   // from 1
    std::size_t column; // in bytes, from 1; 0: not known
};

enum class PgnTextKind : std::uint8_t {
    comment,      // {…}
    line_comment, // ; up to the end of the line
    escape,       // % in front of a line
};

// With PgnReader::read_game(PgnFullVisitor&): comment() is never called, and a null move is an
// error. Texts are UTF-8.
class PgnFullVisitor : public PgnVisitor {
public:
    // Where it stands: also between tags and, before begin_game, between games.
    virtual void text(PgnTextKind kind, std::string_view text, PgnPlace at) = 0;
    // "!?" and the like. `plain`: one of the six that the standard has.
    virtual void sign(int nag, bool plain) = 0;
    // Something was read as what it must mean.
    virtual void mended(const PgnError& what) = 0;
};

} // namespace adjourn::chess::detail
