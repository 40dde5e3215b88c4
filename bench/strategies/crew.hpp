// Crew: the engine processes of one worker, started when they are first needed.
#pragma once

#include "bench/strategies/conversation.hpp"
#include "bench/strategies/options.hpp"

#include <map>
#include <memory>
#include <string>

namespace adjourn::bench {

class Crew {
public:
    // Both must outlive it.
    Crew(const StrategiesOptions& options, KeptSearches& kept) : options_{options}, kept_{kept} {}

    // Throw std::runtime_error if the engine does not start.
    Conversation& member(std::size_t index); // one thread; 0 … options.split − 1
    Conversation& with_threads();
    Conversation& reference();
    Conversation& judge(); // REQUIRES: there is a second engine

    Conversation::Counts counts() const;

private:
    struct Member {
        std::unique_ptr<Searcher> engine;
        std::unique_ptr<Conversation> conversation;
    };
    Conversation& get(const std::string& name, const std::string& command, int threads, int hash);

    const StrategiesOptions& options_;
    KeptSearches& kept_;
    std::map<std::string, Member> members_;
};

} // namespace adjourn::bench
