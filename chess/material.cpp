#include "chess/material.hpp"

#include <bit>

namespace adjourn::chess {

namespace {

constexpr std::string_view letters = "QRBNP";
constexpr std::array<Role, 5> roles{Role::queen, Role::rook, Role::bishop, Role::knight,
                                    Role::pawn};
constexpr std::array<Color, 2> colors{Color::white, Color::black};
constexpr int most_men = 32;

} // namespace

std::optional<Material> Material::parse(std::string_view name) {
    const std::size_t middle = name.find('v');
    if (middle == std::string_view::npos || name.size() > most_men + 1) {
        return std::nullopt;
    }
    Material material;
    for (const Color color : colors) {
        const std::string_view side =
            color == Color::white ? name.substr(0, middle) : name.substr(middle + 1);
        if (side.empty() || side.front() != 'K') {
            return std::nullopt;
        }
        std::size_t least = 0;
        for (const char letter : side.substr(1)) {
            const std::size_t at = letters.find(letter);
            if (at == std::string_view::npos || at < least) {
                return std::nullopt;
            }
            least = at;
            material.add(color, roles[at]);
        }
    }
    return material;
}

Material Material::of(const Position& position) {
    Material material;
    for (const Color color : colors) {
        for (const Role role : roles) {
            material.counts_[static_cast<int>(color)][static_cast<int>(role)] =
                static_cast<std::int8_t>(std::popcount(position.board().of(color, role)));
        }
    }
    return material;
}

int Material::men() const {
    int men = 0;
    for (const auto& side : counts_) {
        for (const int count : side) {
            men += count;
        }
    }
    return men;
}

bool Material::is_dead() const {
    for (const Color color : colors) {
        if (count(color, Role::pawn) + count(color, Role::rook) + count(color, Role::queen) > 0) {
            return false;
        }
    }
    return men() <= 3;
}

std::string Material::name() const {
    std::string text;
    for (const Color color : colors) {
        text += color == Color::white ? "K" : "vK";
        for (std::size_t i = 0; i < roles.size(); ++i) {
            text.append(static_cast<std::size_t>(count(color, roles[i])), letters[i]);
        }
    }
    return text;
}

Material Material::flipped() const {
    Material other;
    other.counts_ = {counts_[1], counts_[0]};
    return other;
}

bool Material::normalised() const {
    const auto strength = [&](Color color) {
        std::array<int, 6> key{};
        for (std::size_t i = 0; i < roles.size(); ++i) {
            key[i + 1] = count(color, roles[i]);
            key[0] += key[i + 1];
        }
        return key;
    };
    return strength(Color::white) >= strength(Color::black);
}

} // namespace adjourn::chess
