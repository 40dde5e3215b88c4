// Follower: what the owner of a store makes durable, for somebody else who shows it. It looks at
// rows that the owner writes with each of its transactions.
#pragma once

#include "storage/open.hpp"

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace adjourn::storage {

// What has become durable. All of it can be read from the store, and more may be there by now.
struct News {
    // More has happened than is known: everything is to be read again. The rest is empty then.
    bool missed = false;
    bool more = false; // worth asking again at once
    // Some of them may be known already. And the analysis that asked for it; 0: none.
    std::vector<std::pair<Evaluation, AnalysisId>> evaluations;
    // New, changed (record, directives, snapshots, seeds, usage), or gone; each once, ascending.
    std::vector<AnalysisId> analyses;
    std::vector<AnalysisId> seeded; // of them, those that got seeds

    bool empty() const { return !missed && evaluations.empty() && analyses.empty(); }
};

// All functions block for the database and throw StoreError where it cannot be reached; the next
// call connects anew, and nothing is missed by that. One thread at a time.
class Follower {
public:
    Follower() = default;
    Follower(const Follower&) = delete;
    Follower& operator=(const Follower&) = delete;
    virtual ~Follower() = default;

    // Since it was made, or since the last call. A few thousand evaluations at most.
    virtual News next() = 0;
    // Whether the store has an owner at present.
    virtual bool has_owner() = 0;
};

// Null where a store cannot be followed: a directory. Follows from now on. Throws StoreError.
std::unique_ptr<Follower> open_follower(const std::filesystem::path& location);

} // namespace adjourn::storage
