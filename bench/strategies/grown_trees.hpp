// A recorded tree, looked at as it grew: what its answer was, and what carried it.
#pragma once

#include "analysis/confidence.hpp"
#include "bench/strategies/recorded_trees.hpp"

#include <array>
#include <filesystem>
#include <optional>
#include <vector>

namespace adjourn::bench {

// A tree is looked at with a 64th of its nodes, and again each time that it has twice as many.
inline constexpr int looks = 7;
inline constexpr int quarter = 2; // looks between a quarter of the work and all of it

struct Look {
    std::optional<chess::Move> answer;
    std::optional<double> cost; // of the verdict; none: there is no verdict
    int lead = 0;               // cp
    std::uint64_t evaluations = 0;
};

struct GrownTree {
    chess::Position root;
    analysis::Limit limit; // of its evaluations
    std::array<Look, looks> at;

    const Look& look(int number) const { return at.at(static_cast<std::size_t>(number)); }
    // As the server says it of answers; by what the answer was with a quarter of the nodes.
    analysis::AnswerKind kind(int number) const;
};

// 1/n of the nodes.
int share_of(int look);

// The trees of files of recorded ones. Throws std::runtime_error that names the file or line.
std::vector<GrownTree> read_grown_trees(const std::vector<std::string>& files);

} // namespace adjourn::bench
