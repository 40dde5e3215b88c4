#include "chess/polyglot_book.hpp"

#include "chess/notation.hpp"

#include <algorithm>
#include <tuple>

namespace adjourn::chess {

namespace {

constexpr std::size_t entry_bytes = 16;
constexpr std::string_view promotions = "nbrq"; // 1 to 4

template <class Number>
void append(std::string& bytes, Number value) {
    for (int shift = static_cast<int>(sizeof(Number)) * 8 - 8; shift >= 0; shift -= 8) {
        bytes += static_cast<char>(static_cast<unsigned char>(value >> shift));
    }
}

template <class Number>
Number take(std::string_view& bytes) {
    Number value = 0;
    for (std::size_t i = 0; i < sizeof(Number); ++i) {
        value = static_cast<Number>(value << 8 | static_cast<unsigned char>(bytes[i]));
    }
    bytes.remove_prefix(sizeof(Number));
    return value;
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

std::optional<Move> move_of_book(const Position& position, std::uint16_t code) {
    const auto square = [](int bits) {
        const auto name = Square{bits & 7, bits >> 3 & 7}.name();
        return std::string{name.begin(), name.end()};
    };
    std::string text = square(code >> 6) + square(code);
    if (const std::size_t promotion = code >> 12; promotion != 0) {
        if (promotion > promotions.size()) {
            return std::nullopt;
        }
        text += promotions[promotion - 1];
    }
    const auto move = parse_uci(position, text);
    return move ? std::optional{*move} : std::nullopt;
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

std::expected<std::vector<BookEntry>, std::string> read_book(std::string_view bytes) {
    if (bytes.size() % entry_bytes != 0) {
        return std::unexpected("not a Polyglot book: " + std::to_string(bytes.size()) +
                               " bytes are no whole number of entries");
    }
    std::vector<BookEntry> entries;
    entries.reserve(bytes.size() / entry_bytes);
    while (!bytes.empty()) {
        BookEntry entry;
        entry.key = take<std::uint64_t>(bytes);
        entry.move = take<std::uint16_t>(bytes);
        entry.weight = take<std::uint16_t>(bytes);
        entry.learn = take<std::uint32_t>(bytes);
        if (!entries.empty() && entry.key < entries.back().key) {
            return std::unexpected("not a Polyglot book: entry " +
                                   std::to_string(entries.size() + 1) +
                                   " is not in the order of keys");
        }
        entries.push_back(entry);
    }
    return entries;
}

} // namespace adjourn::chess
