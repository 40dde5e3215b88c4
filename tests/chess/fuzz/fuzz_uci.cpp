// UCI: input is "FEN\ntext"; what is understood is legal and writes itself back in both styles.
#include "require.hpp"

#include "chess/notation.hpp"

using namespace adjourn::chess;
using adjourn::chess::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto [fen, text] = fuzz::halves_of(data, size);
    const auto given = Position::from_fen(fen);
    const Position position = given ? *given : Position::initial();
    const auto move = parse_uci(position, text);
    if (!move) {
        require(move.error().kind != MoveErrorKind::ambiguous && !move.error().message.empty());
        return 0;
    }
    require(position.is_legal(*move));
    for (const auto style : {CastlingStyle::standard, CastlingStyle::king_rook}) {
        require(parse_uci(position, to_uci(position, *move, style)) == *move);
    }
    require(parse_san(position, to_san(position, *move)) == *move);
    return 0;
}
