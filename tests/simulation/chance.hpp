// Chance: all that is left to chance in a simulation, from one seed; the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace adjourn::simulation {

// SplitMix64 (Steele, Lea, Flood 2014).
class Chance {
public:
    explicit Chance(std::uint64_t seed) : state_{seed * 0x9e3779b97f4a7c15ULL + 1} {}

    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    // From 0 to n − 1. REQUIRES: n > 0.
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }
    // Both included.
    int between(int least, int most) {
        return least + static_cast<int>(below(static_cast<std::size_t>(most - least) + 1));
    }
    bool one_in(std::size_t n) { return below(n) == 0; }
    template <class Items>
    auto& pick(Items& items) {
        return items[below(std::size(items))];
    }

private:
    std::uint64_t state_;
};

} // namespace adjourn::simulation
