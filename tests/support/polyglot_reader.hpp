// Polyglot books as other programs read them, to look at what was written.
#pragma once

#include "chess/notation.hpp"
#include "chess/polyglot.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::chess {

template <class Number>
Number take(std::string_view& bytes) {
    Number value = 0;
    for (std::size_t i = 0; i < sizeof(Number); ++i) {
        value = static_cast<Number>(value << 8 | static_cast<unsigned char>(bytes[i]));
    }
    bytes.remove_prefix(sizeof(Number));
    return value;
}

// nullopt of a torn file, or one that is not sorted.
inline std::optional<std::vector<BookEntry>> read_book(std::string_view bytes) {
    std::vector<BookEntry> entries;
    while (bytes.size() >= 16) {
        BookEntry entry;
        entry.key = take<std::uint64_t>(bytes);
        entry.move = take<std::uint16_t>(bytes);
        entry.weight = take<std::uint16_t>(bytes);
        entry.learn = take<std::uint32_t>(bytes);
        if (!entries.empty() && entry.key < entries.back().key) {
            return std::nullopt;
        }
        entries.push_back(entry);
    }
    return bytes.empty() ? std::optional{entries} : std::nullopt;
}

// nullopt where it is not legal here. Castling as two steps of the king is understood too.
inline std::optional<Move> move_of_book(const Position& position, std::uint16_t code) {
    const auto square = [](int bits) {
        const auto name = Square{bits & 7, bits >> 3 & 7}.name();
        return std::string{name.begin(), name.end()};
    };
    constexpr std::string_view promotions = "nbrq"; // 1 to 4
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

} // namespace adjourn::chess
