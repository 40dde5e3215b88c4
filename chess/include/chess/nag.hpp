// NAGs with a sign of their own, as people choose them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace adjourn::chess {

enum class NagKind : std::uint8_t {
    move,       // how good the move is: a move has one of them
    assessment, // who is better: one, too
    other,      // any number
};

struct NagSign {
    std::uint8_t number;
    std::string_view sign; // UTF-8
    NagKind kind;
    std::string_view meaning;
};

// By number.
std::span<const NagSign> nag_signs();
// Also of NAGs without a sign: 0 to 9 and 10 to 21 are one of a kind.
NagKind nag_kind(int number);

} // namespace adjourn::chess
