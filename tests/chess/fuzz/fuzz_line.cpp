// Lines: input is "FEN\ntext"; what is understood can be played, and written and read again.
#include "require.hpp"

#include "chess/notation.hpp"

using namespace adjourn::chess;
using adjourn::chess::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto [fen, text] = fuzz::halves_of(data, size);
    const auto given = Position::from_fen(fen);
    const Position start = given ? *given : Position::initial();
    const auto moves = parse_line(start, text);
    if (!moves) {
        require(moves.error().index <= text.size() && !moves.error().error.message.empty());
        return 0;
    }
    Position position = start;
    for (const Move move : *moves) {
        require(position.is_legal(move));
        position.play(move);
    }
    const auto again = parse_line(start, to_san_line(start, *moves));
    require(again && *again == *moves);
    return 0;
}
