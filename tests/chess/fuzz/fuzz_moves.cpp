// Moves as SAN, as UCI and as lines: input is "FEN\ntext"; what is understood is legal, and writes
// itself back.
#include "require.hpp"

#include "chess/notation.hpp"

using namespace adjourn::chess;
using adjourn::chess::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto [fen, text] = fuzz::halves_of(data, size);
    const Position start = Position::from_fen(fen).value_or(Position::initial());
    const auto san = parse_san(start, text);
    const auto uci = parse_uci(start, text);
    for (const auto& move : {san, uci}) {
        if (!move) {
            require(!move.error().message.empty());
            continue;
        }
        require(start.is_legal(*move));
        require(parse_san(start, to_san(start, *move)) == *move);
        for (const auto style : {CastlingStyle::standard, CastlingStyle::king_rook}) {
            require(parse_uci(start, to_uci(start, *move, style)) == *move);
        }
    }
    require(uci || uci.error().kind != MoveErrorKind::ambiguous);
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
    require(parse_line(start, to_san_line(start, *moves)).value() == *moves);
    return 0;
}
