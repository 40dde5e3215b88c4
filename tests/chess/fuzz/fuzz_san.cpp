// SAN: input is "FEN\ntext"; what is understood is legal and writes itself back.
#include "require.hpp"

#include "chess/notation.hpp"

using namespace adjourn::chess;
using adjourn::chess::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto [fen, text] = fuzz::halves_of(data, size);
    const auto given = Position::from_fen(fen);
    const Position position = given ? *given : Position::initial();
    const auto move = parse_san(position, text);
    if (!move) {
        require(!move.error().message.empty());
        return 0;
    }
    require(position.is_legal(*move));
    const std::string san = to_san(position, *move);
    require(parse_san(position, san) == *move);
    require(parse_uci(position, to_uci(position, *move)) == *move);
    return 0;
}
