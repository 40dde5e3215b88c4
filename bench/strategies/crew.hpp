// Crew: the engine processes of a comparison, started when they are first needed, with the searches
// that are kept.
#pragma once

#include "strategies/conversation.hpp"
#include "strategies/options.hpp"

#include <map>
#include <memory>
#include <string>

namespace adjourn::bench {

class Crew {
public:
    // `options` must outlive it. Throws std::runtime_error where kept searches cannot be read.
    explicit Crew(const StrategiesOptions& options);

    // Throw std::runtime_error if the engine does not start.
    Conversation& member(); // one thread
    Conversation& with_threads();
    Conversation& reference();

    Conversation::Counts counts() const;

private:
    struct Member {
        std::unique_ptr<Searcher> engine;
        std::unique_ptr<Conversation> conversation;
    };
    Conversation& get(const std::string& name, int threads, int hash);

    const StrategiesOptions& options_;
    KeptSearches kept_;
    std::map<std::string, Member> members_;
};

} // namespace adjourn::bench
