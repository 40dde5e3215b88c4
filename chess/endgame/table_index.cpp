#include "chess/endgame/table_index.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace adjourn::chess {

namespace {

constexpr std::array<std::uint8_t, 10> triangle{0, 1, 2, 3, 9, 10, 11, 18, 19, 27};

constexpr std::array<std::uint8_t, 64> triangle_number() {
    std::array<std::uint8_t, 64> numbers{};
    for (std::size_t i = 0; i < triangle.size(); ++i) {
        numbers[triangle[i]] = static_cast<std::uint8_t>(i);
    }
    return numbers;
}

constexpr auto in_triangle = triangle_number();
constexpr std::uint8_t file_mirror = 7;
constexpr std::uint8_t rank_mirror = 56;

constexpr std::uint8_t transposed(std::uint8_t square) {
    return static_cast<std::uint8_t>((square & 7) << 3 | square >> 3);
}

} // namespace

TableIndex::TableIndex(const Material& material)
    : material_{material}, pieces_{{Color::white, Role::king}, {Color::black, Role::king}},
      pawns_{material.has_pawns()} {
    for (const Color color : {Color::white, Color::black}) {
        for (int role = static_cast<int>(Role::queen); role >= 0; --role) {
            const Piece piece{color, static_cast<Role>(role)};
            pieces_.insert(pieces_.end(),
                           static_cast<std::size_t>(material.count(color, piece.role)), piece);
        }
    }
    assert(pieces_.size() <= most_men);
    half_ = pawns_ ? 32 : triangle.size();
    for (std::size_t i = 1; i < pieces_.size(); ++i) {
        half_ *= 64;
    }
}

TableIndex::Squares TableIndex::sorted(Squares squares) const {
    if (pieces_.size() == 4 && pieces_[2] == pieces_[3] && squares[2] > squares[3]) {
        std::swap(squares[2], squares[3]);
    }
    return squares;
}

std::size_t TableIndex::pack(const Squares& squares) const {
    const int king = squares[0];
    std::size_t number = pawns_ ? static_cast<std::size_t>((king >> 3) * 4 + (king & 7))
                                : in_triangle[static_cast<std::size_t>(king)];
    for (std::size_t i = 1; i < pieces_.size(); ++i) {
        number = number * 64 + squares[i];
    }
    return number;
}

std::size_t TableIndex::number(const Squares& given, Color turn) const {
    Squares squares = given;
    const auto change = [&](auto to) {
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            squares[i] = to(squares[i]);
        }
    };
    const auto mirror = [](std::uint8_t by) {
        return [by](std::uint8_t square) { return static_cast<std::uint8_t>(square ^ by); };
    };
    if ((squares[0] & 7) > 3) {
        change(mirror(file_mirror));
    }
    if (!pawns_) {
        if (squares[0] >> 3 > 3) {
            change(mirror(rank_mirror));
        }
        if (squares[0] >> 3 > (squares[0] & 7)) {
            change(transposed);
        }
    }
    squares = sorted(squares);
    std::size_t number = pack(squares);
    if (!pawns_ && squares[0] >> 3 == (squares[0] & 7)) { // on the diagonal: two forms
        change(transposed);
        number = std::min(number, pack(sorted(squares)));
    }
    return number + (turn == Color::black ? half_ : 0);
}

TableIndex::Squares TableIndex::squares(std::size_t number) const {
    if (number >= half_) {
        number -= half_;
    }
    Squares squares{};
    for (std::size_t i = pieces_.size() - 1; i > 0; --i) {
        squares[i] = static_cast<std::uint8_t>(number % 64);
        number /= 64;
    }
    squares[0] = pawns_ ? static_cast<std::uint8_t>(number / 4 * 8 + number % 4) : triangle[number];
    return squares;
}

std::optional<TableIndex::Placed> TableIndex::place(const Position& position) const {
    const Material material = Material::of(position);
    const bool flip = material != material_;
    if (flip && material.flipped() != material_) {
        return std::nullopt;
    }
    Placed placed{{}, flip ? !position.turn() : position.turn()};
    std::uint64_t rest = position.board().occupied();
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        const Color color = flip ? !pieces_[i].color : pieces_[i].color;
        const auto at = std::countr_zero(position.board().of(color, pieces_[i].role) & rest);
        rest &= ~(std::uint64_t{1} << at);
        placed.squares[i] = static_cast<std::uint8_t>(flip ? at ^ rank_mirror : at);
    }
    return placed;
}

} // namespace adjourn::chess
