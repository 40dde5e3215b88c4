#include "chess/polyglot.hpp"

#include "chess/zobrist.hpp"

#include <algorithm>
#include <tuple>

namespace adjourn::chess {

using namespace detail;

std::uint64_t polyglot_key(const Position& position) {
    const Board& board = position.board();
    std::uint64_t key = placement_hash(board);
    for (Bitboard rooks = board.castling_rooks; rooks != 0;) {
        const int rook = pop_lowest(rooks);
        const Color color = rook < 8 ? Color::white : Color::black;
        key ^= polyglot_castling_key(color, rook > position.king(color).index());
    }
    if (const auto passed = position.double_push()) {
        key ^= en_passant_key(passed->index());
    }
    return position.turn() == Color::white ? key ^ white_to_move_key : key;
}

namespace {

constexpr std::size_t entry_bytes = 16;

template <class Number>
void append(std::string& bytes, Number value) {
    for (int shift = static_cast<int>(sizeof(Number)) * 8 - 8; shift >= 0; shift -= 8) {
        bytes += static_cast<char>(static_cast<unsigned char>(value >> shift));
    }
}

} // namespace

std::uint16_t book_move(Move move) {
    const int promotion =
        move.kind() == MoveKind::promotion
            ? static_cast<int>(move.promotion_role()) - static_cast<int>(Role::knight) + 1
            : 0;
    return static_cast<std::uint16_t>(move.to().file() | move.to().rank() << 3 |
                                      move.from().file() << 6 | move.from().rank() << 9 |
                                      promotion << 12);
}

std::string write_book(std::vector<BookEntry> entries) {
    std::ranges::sort(entries, {}, [](const BookEntry& entry) {
        return std::tuple{entry.key, entry.move, -static_cast<int>(entry.weight)};
    });
    const auto same = [](const BookEntry& a, const BookEntry& b) {
        return a.key == b.key && a.move == b.move;
    };
    entries.erase(std::unique(entries.begin(), entries.end(), same), entries.end());
    std::ranges::stable_sort(entries, {}, [](const BookEntry& entry) {
        return std::tuple{entry.key, -static_cast<int>(entry.weight)};
    });
    std::string bytes;
    bytes.reserve(entries.size() * entry_bytes);
    for (const BookEntry& entry : entries) {
        append(bytes, entry.key);
        append(bytes, entry.move);
        append(bytes, entry.weight);
        append(bytes, entry.learn);
    }
    return bytes;
}

} // namespace adjourn::chess
