#include "openings.hpp"

#include <fstream>
#include <iterator>
#include <random>

namespace adjourn::bench {

using chess::Position;

namespace {

constexpr int random_plies = 4;

} // namespace

std::expected<std::vector<Position>, std::string>
read_openings(const std::filesystem::path& epd, std::uint64_t skip, std::uint64_t most) {
    std::ifstream file{epd};
    if (!file) {
        return std::unexpected("cannot read " + epd.string());
    }
    std::vector<Position> openings;
    std::uint64_t number = 0;
    for (std::string line; openings.size() < most && std::getline(file, line);) {
        if (++number <= skip) {
            continue;
        }
        const auto position = Position::from_fen(line);
        if (!position) {
            return std::unexpected(epd.string() + ", line " + std::to_string(number) + ": " +
                                   position.error().message);
        }
        openings.push_back(*position);
    }
    return openings;
}

Position opening_of(const std::vector<Position>& openings, std::uint64_t number) {
    Position position = openings[number % openings.size()];
    if (number < openings.size()) {
        return position;
    }
    std::mt19937_64 random{number};
    for (int ply = 0; ply < random_plies; ++ply) {
        const chess::MoveList moves = position.legal_moves();
        if (moves.size() == 0) {
            break;
        }
        position.play(*std::next(moves.begin(), static_cast<int>(random() % moves.size())));
    }
    return position;
}

} // namespace adjourn::bench
