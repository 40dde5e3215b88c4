#include "chess/chess960.hpp"

#include <array>
#include <cassert>
#include <string>

namespace adjourn::chess {

namespace {

// Puts a piece on the n-th empty square from the left.
void place(std::string& rank, char piece, int n) {
    for (char& square : rank) {
        if (square == ' ' && n-- == 0) {
            square = piece;
            return;
        }
    }
}

std::string first_rank(int number) {
    std::string rank(8, ' ');
    rank[static_cast<std::size_t>(2 * (number % 4) + 1)] = 'B'; // on a light square
    number /= 4;
    rank[static_cast<std::size_t>(2 * (number % 4))] = 'B';
    number /= 4;
    place(rank, 'Q', number % 6);
    // Two knights on five squares, in ten ways.
    static constexpr std::array<std::array<int, 2>, 10> knights{
        {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}};
    const auto& [left, right] = knights[static_cast<std::size_t>(number / 6)];
    place(rank, 'N', left);
    place(rank, 'N', right - 1); // one of the empty squares is taken
    for (const char piece : {'R', 'K', 'R'}) {
        place(rank, piece, 0);
    }
    return rank;
}

} // namespace

Position chess960_start(int number) {
    assert(number >= 0 && number < chess960_count);
    const std::string white = first_rank(number);
    std::string black = white;
    for (char& piece : black) {
        piece = static_cast<char>(piece - 'A' + 'a');
    }
    return *Position::from_fen(black + "/pppppppp/8/8/8/8/PPPPPPPP/" + white + " w KQkq - 0 1");
}

std::optional<int> chess960_number(const Position& position) {
    constexpr std::uint64_t armies = 0xffff'0000'0000'ffffULL;
    if (position.turn() != Color::white || position.board().occupied() != armies) {
        return std::nullopt;
    }
    for (int number = 0; number < chess960_count; ++number) {
        if (chess960_start(number) == position) {
            return number;
        }
    }
    return std::nullopt;
}

} // namespace adjourn::chess
