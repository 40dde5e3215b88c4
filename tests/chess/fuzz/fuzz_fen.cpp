// FEN: whatever is accepted is a position that keeps every promise of Position.
#include "require.hpp"

#include "chess/polyglot.hpp"
#include "chess/position.hpp"

using namespace adjourn::chess;
using adjourn::chess::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = fuzz::text_of(data, size);
    const auto setup = parse_fen(text);
    const auto position = Position::from_fen(text);
    if (!setup) {
        require(!position && position.error() == setup.error());
        require(!setup.error().field.empty() && !setup.error().message.empty());
        return 0;
    }
    if (!position) {
        require(!position.error().field.empty() && !position.error().message.empty());
        return 0;
    }
    const auto again = Position::from_fen(position->fen());
    require(again && *again == *position && again->fen() == position->fen());
    require(again->hash() == position->hash());
    const auto engine = Position::from_fen(position->engine_fen());
    require(engine && *engine == *position);
    const auto unpacked = Position::unpack(position->packed());
    require(unpacked && *unpacked == *position && unpacked->packed() == position->packed());
    if (position->en_passant() == position->double_push() && !position->chess960()) {
        require(polyglot_key(*position) == position->hash());
    }
    const MoveList moves = position->legal_moves();
    require(moves.size() <= 218 && perft(*position, 1) == moves.size());
    std::uint64_t grandchildren = 0;
    for (const Move move : moves) {
        require(position->is_legal(move));
        const Position after = position->after(move);
        const auto checked = Position::from_setup(after.setup());
        require(checked && *checked == after && checked->hash() == after.hash());
        const int change = position->phi() - after.phi();
        require(position->is_irreversible(move) ? change > 0 : change == 0);
        require(position->gives_check(move) == after.in_check());
        grandchildren += after.legal_moves().size();
    }
    require(perft(*position, 2) == grandchildren);
    return 0;
}
