// Made-up facts, the same for the same seed.
#pragma once

#include "analysis/records.hpp"
#include "chess/position.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>
#include <unordered_set>
#include <vector>

namespace adjourn::bench {

// Facts as an analysis makes them: positions of a tree that grows from the initial one, each
// searched once and then again without the moves found so far (2.5 searches a position), with some
// looked at once more later. PV lengths and node counts are Stockfish 15.1's at depth 18 in 239
// middle games.
class FactMaker {
public:
    FactMaker(analysis::EngineId engine, std::uint64_t seed);

    analysis::Evaluation next();

private:
    struct Open {
        chess::Position position;
        std::vector<chess::Move> tried; // sorted
        std::uint64_t depth;
    };

    std::size_t pick(std::size_t size) { return static_cast<std::size_t>(random_() % size); }
    bool chance(double p) { return std::uniform_real_distribution{}(random_) < p; }
    void discover(const chess::Position& position);
    analysis::Evaluation search(const Open& open);

    static constexpr std::size_t most_open = 256;
    analysis::EngineId engine_;
    std::mt19937_64 random_;
    std::normal_distribution<> pv_length_{18.7, 3.4}, score_{0, 120};
    std::lognormal_distribution<> nodes_{std::log(450'000.0), 0.6};
    std::deque<chess::Position> frontier_;
    std::vector<Open> open_, later_;
    std::unordered_set<chess::PackedPosition, chess::PackedPositionHash> seen_;
    analysis::UnixMs now_ = 1'767'225'600'000; // the year 2026
};

} // namespace adjourn::bench
