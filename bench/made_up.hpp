// What benches measure with: made-up facts and games, the same for the same seed, and a server on
// them that asks nobody anything.
#pragma once

#include "analysis/records.hpp"
#include "chess/position.hpp"
#include "host/config.hpp"
#include "storage/store.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <unordered_set>
#include <vector>

namespace adjourn::bench {

inline constexpr std::uint64_t made_up_seed = 1;

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

// Games of random moves, of so many plies at most: no two share much more than an opening, which is
// the worst case for a store. `evaluated`: with an [%eval] behind every move, so that each is a
// fact.
std::string made_up_games(std::uint64_t count, std::uint64_t seed, int plies, bool evaluated);

// Of the first engine of the store.
void insert_paused_analysis(storage::Store& store);
// On a free port; its engine cannot be started.
server::Config config_without_engine();

} // namespace adjourn::bench
