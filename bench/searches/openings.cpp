#include "openings.hpp"

#include <fstream>

namespace adjourn::bench {

using chess::Position;

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

} // namespace adjourn::bench
