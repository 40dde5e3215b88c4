#include "board_sight.hpp"

#include <utility>

namespace adjourn::analysis {

namespace {

constexpr std::array<std::pair<int, int>, 8> rays{
    {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}}}; // straight ones first
constexpr std::array<std::pair<int, int>, 8> jumps{
    {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}};

bool inside(int file, int rank) {
    return file >= 0 && file < 8 && rank >= 0 && rank < 8;
}

// Whether a piece attacks along a ray to a square `distance` steps away; `up` is the ray's rank
// step from the square to the piece.
bool reaches(chess::Piece piece, bool straight, int distance, int up) {
    switch (piece.role) {
    case chess::Role::queen: return true;
    case chess::Role::rook: return straight;
    case chess::Role::bishop: return !straight;
    case chess::Role::king: return distance == 1;
    case chess::Role::pawn:
        return !straight && distance == 1 && up == (piece.color == chess::Color::white ? -1 : 1);
    case chess::Role::knight: return false;
    }
    return false;
}

} // namespace

Pieces pieces_of(const chess::Position& position) {
    Pieces result;
    for (int i = 0; i < 64; ++i) {
        result[static_cast<std::size_t>(i)] = position.piece_at(chess::Square{i});
    }
    return result;
}

int worth(chess::Role role) {
    switch (role) {
    case chess::Role::pawn: return 1;
    case chess::Role::knight:
    case chess::Role::bishop: return 3;
    case chess::Role::rook: return 5;
    case chess::Role::queen: return 9;
    case chess::Role::king: return 100;
    }
    return 0;
}

std::uint64_t attackers_of(const Pieces& pieces, chess::Square square, chess::Color by) {
    std::uint64_t result = 0;
    const auto at = [&](int file, int rank) -> const std::optional<chess::Piece>& {
        return pieces[static_cast<std::size_t>(rank) * 8 + static_cast<std::size_t>(file)];
    };
    for (std::size_t i = 0; i < rays.size(); ++i) {
        int file = square.file() + rays[i].first;
        int rank = square.rank() + rays[i].second;
        for (int distance = 1; inside(file, rank); ++distance) {
            if (const auto& piece = at(file, rank)) {
                if (piece->color == by && reaches(*piece, i < 4, distance, rays[i].second)) {
                    result |= std::uint64_t{1} << (rank * 8 + file);
                }
                break;
            }
            file += rays[i].first;
            rank += rays[i].second;
        }
    }
    for (const auto& [across, up] : jumps) {
        const int file = square.file() + across;
        const int rank = square.rank() + up;
        if (inside(file, rank)) {
            const auto& piece = at(file, rank);
            if (piece && piece->color == by && piece->role == chess::Role::knight) {
                result |= std::uint64_t{1} << (rank * 8 + file);
            }
        }
    }
    return result;
}

} // namespace adjourn::analysis
