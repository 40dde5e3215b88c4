// AskedFacts: which evaluations an analysis asked for. A set of row numbers, 11 to 22 bytes each.
#pragma once

#include "analysis/records.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace adjourn::server {

class AskedFacts {
public:
    // Adding one twice is adding it once. 0 is no row.
    void insert(analysis::EvaluationId fact);
    bool contains(analysis::EvaluationId fact) const;
    std::size_t size() const { return size_; }

private:
    // Many small tables, so that growing one of them holds nobody up.
    static constexpr std::size_t shards = 256;
    struct Shard {
        std::vector<std::uint64_t> places; // a power of two; 0 is free
        std::size_t used = 0;
    };

    static void put(Shard& shard, std::uint64_t key, std::uint64_t hash);

    std::array<Shard, shards> shards_;
    std::size_t size_ = 0;
};

} // namespace adjourn::server
