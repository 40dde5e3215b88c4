#include "core/schedule/affinity.hpp"

namespace adjourn::server {

namespace {

// The finalizer of splitmix64 (Steele, Lea, Flood 2014): one to one, and every bit counts.
std::uint64_t mixed(std::uint64_t key) {
    key += 0x9e3779b97f4a7c15ULL;
    key = (key ^ key >> 30) * 0xbf58476d1ce4e5b9ULL;
    key = (key ^ key >> 27) * 0x94d049bb133111ebULL;
    return key ^ key >> 31;
}

} // namespace

std::uint64_t affinity_of(analysis::AnalysisId id, std::span<const chess::Move> line) {
    std::uint64_t key = mixed(static_cast<std::uint64_t>(id));
    for (std::size_t i = 0; i < 2 && i < line.size(); ++i) {
        key = mixed(key ^ line[i].raw());
    }
    return key | 1;
}

} // namespace adjourn::server
