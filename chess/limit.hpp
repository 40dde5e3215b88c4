// Limit: how large one engine search is, as UCI's "go" counts it.
#pragma once

#include <cstdint>

namespace adjourn::chess {

struct Limit {
    enum class Kind : std::uint8_t { depth, nodes, movetime };
    Kind kind = Kind::depth;
    std::uint64_t amount = 1; // plies | nodes | ms; never 0

    friend bool operator==(const Limit&, const Limit&) = default;
};

} // namespace adjourn::chess
