#include "core/graphs/asked_facts.hpp"

namespace adjourn::server {

namespace {

std::uint64_t hash_of(std::uint64_t key) {
    key ^= key >> 30;
    key *= 0xbf58476d1ce4e5b9ULL;
    key ^= key >> 27;
    key *= 0x94d049bb133111ebULL;
    return key ^ key >> 31;
}

} // namespace

bool AskedFacts::contains(analysis::EvaluationId fact) const {
    const auto key = static_cast<std::uint64_t>(fact);
    const std::uint64_t hash = hash_of(key);
    const std::vector<std::uint64_t>& places = shards_[hash % shards].places;
    if (places.empty() || key == 0) {
        return false;
    }
    std::size_t at = (hash / shards) & (places.size() - 1);
    while (places[at] != 0 && places[at] != key) {
        at = (at + 1) & (places.size() - 1);
    }
    return places[at] == key;
}

void AskedFacts::insert(analysis::EvaluationId fact) {
    if (fact == analysis::EvaluationId{} || contains(fact)) {
        return;
    }
    const auto key = static_cast<std::uint64_t>(fact);
    const std::uint64_t hash = hash_of(key);
    Shard& shard = shards_[hash % shards];
    if (4 * (shard.used + 1) > 3 * shard.places.size()) {
        Shard larger;
        larger.places.resize(shard.places.empty() ? 4 : 2 * shard.places.size());
        for (const std::uint64_t old : shard.places) {
            if (old != 0) {
                put(larger, old, hash_of(old));
            }
        }
        shard = std::move(larger);
    }
    put(shard, key, hash);
    ++size_;
}

void AskedFacts::put(Shard& shard, std::uint64_t key, std::uint64_t hash) {
    std::size_t at = (hash / shards) & (shard.places.size() - 1);
    while (shard.places[at] != 0) {
        at = (at + 1) & (shard.places.size() - 1);
    }
    shard.places[at] = key;
    ++shard.used;
}

} // namespace adjourn::server
