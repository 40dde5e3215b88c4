// Material: which pieces both sides have, written as endgame tables are named: "KQvKR", White
// first.
#pragma once

#include "chess/position.hpp"
#include "chess/types.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace adjourn::chess {

class Material {
public:
    // Both kings and nothing else.
    constexpr Material() { counts_[0][5] = counts_[1][5] = 1; }
    // "KQvKR": each side a K, then any of QRBNP in this order; nothing else is accepted.
    static std::optional<Material> parse(std::string_view name);
    static Material of(const Position& position);

    constexpr int count(Color color, Role role) const {
        return counts_[static_cast<int>(color)][static_cast<int>(role)];
    }
    // Preconditions: role is no king; remove: there is one.
    void add(Color color, Role role) { ++counts_[static_cast<int>(color)][static_cast<int>(role)]; }
    void remove(Color color, Role role) {
        --counts_[static_cast<int>(color)][static_cast<int>(role)];
    }
    int men() const;
    bool has_pawns() const {
        return count(Color::white, Role::pawn) + count(Color::black, Role::pawn) > 0;
    }
    // No sequence of moves can mate whoever has these pieces: K against K, KB or KN. (Some
    // positions of other material are dead too.)
    bool is_dead() const;

    std::string name() const;
    // Colours exchanged.
    Material flipped() const;
    // Table names have the stronger side first: more men, then more queens, rooks, …
    bool normalised() const;

    // NOLINTNEXTLINE(modernize-use-nullptr): what clang-tidy 14 sees in the 0 of a defaulted <=>
    friend constexpr auto operator<=>(const Material&, const Material&) = default;

private:
    std::array<std::array<std::int8_t, 6>, 2> counts_{};
};

} // namespace adjourn::chess
