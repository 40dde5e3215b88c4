#include "strategies/roots.hpp"

#include "chess/epd.hpp"

#include <algorithm>
#include <fstream>
#include <random>
#include <stdexcept>
#include <unordered_set>

namespace adjourn::bench {

std::vector<chess::Position> read_positions(std::istream& in) {
    std::vector<chess::Position> result;
    for (std::string line; std::getline(in, line);) {
        const auto record = chess::parse_epd(line);
        if (record && record->position.has_legal_move()) {
            result.push_back(record->position);
        }
    }
    return result;
}

std::vector<chess::Position> read_positions(const std::filesystem::path& file) {
    std::ifstream in{file};
    if (!in) {
        throw std::runtime_error(file.string() + ": cannot be read");
    }
    return read_positions(in);
}

std::vector<chess::Position> mixed(std::vector<std::vector<chess::Position>> suites,
                                   std::uint64_t seed) {
    std::mt19937_64 random{seed};
    std::size_t longest = 0;
    for (auto& suite : suites) {
        for (std::size_t i = suite.size(); i > 1; --i) { // std::shuffle differs between libraries
            std::swap(suite[i - 1], suite[random() % i]);
        }
        longest = std::max(longest, suite.size());
    }
    std::vector<chess::Position> result;
    std::unordered_set<chess::PackedPosition, chess::PackedPositionHash> seen;
    for (std::size_t i = 0; i < longest; ++i) {
        for (const auto& suite : suites) {
            if (i < suite.size() && seen.insert(suite[i].packed()).second) {
                result.push_back(suite[i]);
            }
        }
    }
    return result;
}

} // namespace adjourn::bench
