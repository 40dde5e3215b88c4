// What engines have spent, by the stored facts themselves.
#pragma once

#include "storage/store.hpp"

#include <algorithm>
#include <cstdint>

namespace adjourn::server {

struct Spent {
    std::uint64_t evaluations = 0;
    std::uint64_t nodes = 0;
    std::uint64_t ms = 0;
    std::uint32_t longest_ms = 0;
};

inline Spent spent_in(const storage::Store& store) {
    Spent spent;
    for (const storage::EngineRecord& engine : store.engines()) {
        store.for_each_evaluation(engine.id, [&](const analysis::Evaluation& fact) {
            ++spent.evaluations;
            spent.nodes += fact.nodes;
            spent.ms += fact.time_ms;
            spent.longest_ms = std::max(spent.longest_ms, fact.time_ms);
        });
    }
    return spent;
}

} // namespace adjourn::server
